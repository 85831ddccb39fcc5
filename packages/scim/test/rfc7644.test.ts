import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sampleTargets } from '@probity/test-support/combinations';
import { BASE, GROUP_SCHEMA, start, USER_SCHEMA } from './api.ts';
import { targets } from './targets.ts';

const MESSAGES = 'urn:ietf:params:scim:api:messages:2.0';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** The user of the RFC's requests; what the specification of this service wants besides are its e-mail addresses. */
const BJENSEN = {
  schemas: [USER_SCHEMA],
  userName: 'bjensen@example.com',
  externalId: 'bjensen',
  name: { formatted: 'Ms. Barbara J Jensen III', familyName: 'Jensen', givenName: 'Barbara' },
  emails: [{ value: 'bjensen@example.com' }],
};

const named = (userName: string, more: object = {}) => ({
  schemas: [USER_SCHEMA],
  userName: `${userName}@example.com`,
  emails: [{ value: `${userName}@example.com` }],
  ...more,
});

for (const target of sampleTargets(targets)) {
  describe(`${target.name}: the requests and responses of RFC 7644`, () => {
    test('sections 3.3, 3.4.1, 3.5.1, 3.6 and 3.14: a user is created, retrieved, replaced and deleted', async (t) => {
      const { call } = await start(t, { target });
      const created = await call('POST', '/Users', BJENSEN);
      const { id, meta } = created.body;
      assert.equal(created.status, 201);
      assert.equal(created.headers.get('location'), `${BASE}/Users/${id}`);
      assert.equal(created.headers.get('etag'), meta.version);
      assert.match(created.headers.get('content-type') ?? '', /^application\/scim\+json/);
      assert.deepEqual(
        { ...created.body, emails: null },
        {
          ...{ ...BJENSEN, emails: null, id, active: true },
          meta: {
            resourceType: 'User',
            created: meta.created,
            lastModified: meta.created,
            location: `${BASE}/Users/${id}`,
            version: meta.version,
          },
        },
      );
      const path = `/Users/${id}`;
      const known = await call('GET', path);
      assert.deepEqual([known.status, known.body], [200, created.body]);
      assert.equal(known.headers.get('etag'), meta.version);

      const emails = [{ value: 'bjensen@example.com' }, { value: 'babs@jensen.org' }];
      const body = { ...BJENSEN, id, roles: [], emails };
      const headers = { 'if-match': meta.version };
      const replaced = await call('PUT', path, body, { headers });
      assert.equal(replaced.status, 200);
      assert.deepEqual(
        replaced.body.emails.map(({ value }: { value: string }) => value),
        emails.map(({ value }) => value),
      );
      assert.equal('roles' in replaced.body, false);
      assert.notEqual(replaced.body.meta.version, meta.version);
      assert.equal((await call('PUT', path, body, { headers })).status, 412);
      assert.equal((await call('DELETE', path, undefined, { headers })).status, 412);

      const latest = { 'if-match': replaced.body.meta.version };
      assert.equal((await call('DELETE', path, undefined, { headers: latest })).status, 204);
      const gone = await call('GET', path);
      assert.deepEqual(
        [gone.status, gone.body],
        [404, { schemas: [`${MESSAGES}:Error`], detail: 'user not found', status: '404' }],
      );
    });

    test('sections 3.4.2 and 3.4.3: resources are listed, in pages, and found by a search request', async (t) => {
      const { call } = await start(t, { target });
      for (const name of ['bjensen', 'jsmith']) {
        await call('POST', '/Users', named(name, { displayName: `${name} Display` }));
      }
      const group = { schemas: [GROUP_SCHEMA], displayName: 'Smith family' };
      const { id } = (await call('POST', '/Groups', group)).body;
      const names = (await call('GET', '/Users?attributes=userName')).body;
      assert.deepEqual([names.schemas, names.totalResults], [[`${MESSAGES}:ListResponse`], 2]);
      assert.deepEqual(Object.keys(names.Resources[0]).sort(), ['id', 'schemas', 'userName']);
      const page = (await call('GET', '/Users?startIndex=1&count=10')).body;
      assert.deepEqual([page.totalResults, page.itemsPerPage, page.startIndex], [2, 2, 1]);
      const none = (await call('GET', '/Users?filter=userName%20eq%20%22nobody%22')).body;
      assert.deepEqual([none.totalResults, none.Resources], [0, []]);
      const found = await call('POST', '/.search', {
        schemas: [`${MESSAGES}:SearchRequest`],
        attributes: ['displayName', 'userName'],
        filter: 'displayName sw "smith"',
        startIndex: 1,
        count: 10,
      });
      assert.deepEqual(found.body, {
        schemas: [`${MESSAGES}:ListResponse`],
        ...{ totalResults: 1, itemsPerPage: 1, startIndex: 1 },
        Resources: [{ schemas: [GROUP_SCHEMA], id, displayName: 'Smith family' }],
      });
    });

    test('section 3.7: a bulk request creates resources that refer to each other', async (t) => {
      const { call } = await start(t, { target });
      const { status, body } = await call('POST', '/Bulk', {
        schemas: [`${MESSAGES}:BulkRequest`],
        Operations: [
          { method: 'POST', path: '/Users', bulkId: 'qwerty', data: named('Alice') },
          {
            method: 'POST',
            path: '/Groups',
            bulkId: 'ytrewq',
            data: {
              schemas: [GROUP_SCHEMA],
              displayName: 'Tour Guides',
              members: [{ type: 'User', value: 'bulkId:qwerty' }],
            },
          },
          {
            method: 'POST',
            path: '/Users',
            bulkId: 'bob',
            data: named('Bob', {
              schemas: [USER_SCHEMA, ENTERPRISE],
              [ENTERPRISE]: { employeeNumber: '11250', manager: { value: 'bulkId:qwerty' } },
            }),
          },
        ],
      });
      assert.deepEqual([status, body.schemas], [200, [`${MESSAGES}:BulkResponse`]]);
      const [alice, guides, bob] = body.Operations;
      for (const [each, bulkId, kind] of [
        [alice, 'qwerty', 'Users'],
        [guides, 'ytrewq', 'Groups'],
        [bob, 'bob', 'Users'],
      ]) {
        assert.deepEqual([each.method, each.bulkId, each.status], ['POST', bulkId, '201']);
        assert.ok(each.location.startsWith(`${BASE}/${kind}/`));
        assert.equal(each.version, 'W/"1"');
      }
      const read = async ({ location }: { location: string }) =>
        (await call('GET', location.slice(BASE.length))).body;
      const aliceId = (await read(alice)).id;
      assert.equal((await read(guides)).members[0].value, aliceId);
      assert.equal((await read(bob))[ENTERPRISE].manager.value, aliceId);
    });

    test('section 3.7.3: the operations of a bulk request are answered one by one', async (t) => {
      const { call } = await start(t, { target });
      const ids: string[] = [];
      for (const name of ['one', 'two', 'three']) {
        ids.push((await call('POST', '/Users', named(name))).body.id);
      }
      const [one, two, three] = ids;
      const version = 'W/"1"';
      const patch = {
        schemas: [`${MESSAGES}:PatchOp`],
        Operations: [
          { op: 'remove', path: 'nickName' },
          { op: 'replace', path: 'userName', value: 'dave@example.com' },
        ],
      };
      const operations = [
        { method: 'POST', path: '/Users', bulkId: 'qwerty', data: named('Alice') },
        { method: 'PUT', path: `/Users/${one}`, version, data: named('Bob') },
        { method: 'PATCH', path: `/Users/${two}`, version, data: patch },
        { method: 'DELETE', path: `/Users/${three}`, version },
      ];
      const request = { schemas: [`${MESSAGES}:BulkRequest`], failOnErrors: 1 };
      const done = await call('POST', '/Bulk', { ...request, Operations: operations });
      const statuses = ({ body }: typeof done) =>
        body.Operations.map(({ method, status }: Record<string, string>) => [method, status]);
      assert.deepEqual(statuses(done), [
        ['POST', '201'],
        ['PUT', '200'],
        ['PATCH', '200'],
        ['DELETE', '204'],
      ]);
      assert.equal((await call('GET', `/Users/${two}`)).body.userName, 'dave@example.com');
      // The same again: the name is taken, the versions have passed, and one user is gone.
      const again = await call('POST', '/Bulk', { Operations: operations });
      assert.deepEqual(statuses(again), [
        ['POST', '409'],
        ['PUT', '412'],
        ['PATCH', '412'],
        ['DELETE', '404'],
      ]);
      const [taken] = again.body.Operations;
      assert.deepEqual(taken.response.schemas, [`${MESSAGES}:Error`]);
      assert.deepEqual([taken.response.scimType, taken.response.status], ['uniqueness', '409']);
      const first = await call('POST', '/Bulk', { ...request, Operations: operations });
      assert.deepEqual(statuses(first), [['POST', '409']]);
      const large = Array.from({ length: 501 }, () => operations[3]);
      const refused = await call('POST', '/Bulk', { ...request, Operations: large });
      assert.deepEqual([refused.status, refused.body.status], [413, '413']);
    });

    test('section 3.5.2: a group and a user are changed by the operations of the examples', async (t) => {
      const { call } = await start(t, { target });
      const [babs, james] = [
        (await call('POST', '/Users', { ...BJENSEN, nickName: 'Bab' })).body.id,
        (await call('POST', '/Users', named('james'))).body.id,
      ];
      const body = { schemas: [GROUP_SCHEMA], displayName: 'Tour Guides', members: [] };
      const path = `/Groups/${(await call('POST', '/Groups', body)).body.id}`;
      const change = async (resource: string, status: number, ...Operations: object[]) => {
        const answer = await call('PATCH', resource, {
          schemas: [`${MESSAGES}:PatchOp`],
          Operations,
        });
        assert.equal(answer.status, status, JSON.stringify(answer.body));
        return (await call('GET', resource)).body;
      };
      const idsOf = (group: { members: Array<{ value: string }> }) =>
        group.members.map(({ value }) => value).sort();
      const value = [{ display: 'Babs Jensen', $ref: `${BASE}/Users/${babs}`, value: babs }];
      assert.deepEqual(idsOf(await change(path, 204, { op: 'add', path: 'members', value })), [
        babs,
      ]);
      const single = { op: 'remove', path: `members[value eq "${babs}"]` };
      assert.deepEqual(idsOf(await change(path, 204, single)), []);
      const both = [{ op: 'add', path: 'members', value: [{ value: babs }, { value: james }] }];
      assert.deepEqual(idsOf(await change(path, 204, ...both)), [babs, james].sort());
      assert.deepEqual(idsOf(await change(path, 204, { op: 'remove', path: 'members' })), []);
      const replace = { op: 'replace', path: 'members', value: [{ value: james }] };
      assert.deepEqual(idsOf(await change(path, 204, both[0] ?? {}, replace)), [james]);

      const user = `/Users/${babs}`;
      const added = await change(user, 200, {
        op: 'add',
        value: { emails: [{ value: 'babs@jensen.org', type: 'home' }], nickName: 'Babs' },
      });
      assert.deepEqual([added.emails.length, added.nickName], [2, 'Babs']);
      const address = { type: 'work', streetAddress: '911 Universal City Plaza', primary: true };
      const work = 'addresses[type eq "work"]';
      const housed = await change(user, 200, { op: 'replace', path: work, value: address });
      assert.deepEqual(housed.addresses, [address]);
      const street = { op: 'replace', path: `${work}.streetAddress`, value: '1010 Broadway Ave' };
      const moved = await change(user, 200, street);
      assert.deepEqual(moved.addresses, [{ ...address, streetAddress: '1010 Broadway Ave' }]);
      const left = 'emails[type eq "home" and value ew "jensen.org"]';
      assert.equal((await change(user, 200, { op: 'remove', path: left })).emails.length, 1);
      const values = await change(user, 200, {
        op: 'replace',
        value: {
          emails: [
            { value: 'bjensen@example.com', type: 'work', primary: true },
            { value: 'babs@jensen.org', type: 'home' },
          ],
          nickName: 'Babs',
        },
      });
      assert.deepEqual(
        values.emails.map(({ value }: { value: string }) => value),
        ['bjensen@example.com', 'babs@jensen.org'],
      );

      // A member is removed and another added, then all are replaced, each in one request.
      const exchanged = [
        { op: 'remove', path: `members[value eq "${james}"]` },
        { op: 'add', path: 'members', value: [{ value: babs }] },
      ];
      assert.deepEqual(idsOf(await change(path, 204, ...exchanged)), [babs]);
      const all = [
        { op: 'remove', path: 'members' },
        { op: 'add', path: 'members', value: [{ value: james }] },
      ];
      assert.deepEqual(idsOf(await change(path, 204, ...all)), [james]);
    });

    test('section 3.7.1: resources of a bulk request that refer to each other in a circle are 409', async (t) => {
      const { call } = await start(t, { target });
      const group = (bulkId: string, displayName: string, member: string) => ({
        method: 'POST',
        path: '/Groups',
        bulkId,
        data: {
          schemas: [GROUP_SCHEMA],
          displayName,
          members: [{ type: 'Group', value: `bulkId:${member}` }],
        },
      });
      const { status, body } = await call('POST', '/Bulk', {
        schemas: [`${MESSAGES}:BulkRequest`],
        Operations: [group('qwerty', 'Group A', 'ytrewq'), group('ytrewq', 'Group B', 'qwerty')],
      });
      assert.equal(status, 200);
      assert.equal(body.Operations[0].status, '409');
      assert.equal((await call('GET', '/Groups')).body.totalResults, 0);
    });

    test('sections 3.9 and 3.14: the attributes that are asked for, unless the client has the version', async (t) => {
      const { call } = await start(t, { target });
      const { id, meta } = (await call('POST', '/Users', BJENSEN)).body;
      const path = `/Users/${id}`;
      const named = await call('GET', `${path}?attributes=userName`);
      assert.deepEqual(named.body, {
        schemas: [USER_SCHEMA],
        id,
        userName: 'bjensen@example.com',
      });
      const headers = { 'if-none-match': meta.version };
      const known = await call('GET', `${path}?attributes=displayName`, undefined, { headers });
      assert.deepEqual([known.status, known.body], [304, undefined]);
      const stale = { 'if-none-match': 'W/"e180ee84f0671b1"' };
      assert.equal((await call('GET', path, undefined, { headers: stale })).status, 200);
    });

    test('section 3.12: errors have the status of the response and the scimType of their table', async (t) => {
      const { call } = await start(t, { target });
      const { id } = (await call('POST', '/Users', BJENSEN)).body;
      const errorOf = async (method: string, path: string, sent?: object) => {
        const { status, headers, body } = await call(method, path, sent);
        assert.match(headers.get('content-type') ?? '', /^application\/scim\+json/);
        assert.deepEqual(body.schemas, [`${MESSAGES}:Error`]);
        assert.equal(body.status, String(status));
        return [status, body.scimType, body.detail];
      };
      const readOnly = { op: 'replace', path: 'id', value: 'x' };
      assert.deepEqual(await errorOf('PATCH', `/Users/${id}`, { Operations: [readOnly] }), [
        400,
        'mutability',
        'id is read-only',
      ]);
      assert.deepEqual(await errorOf('GET', '/Users/2819c223-7f76-453a-919d-413861904646'), [
        404,
        undefined,
        'user not found',
      ]);
      const [status, scimType] = await errorOf('POST', '/Users', BJENSEN);
      assert.deepEqual([status, scimType], [409, 'uniqueness']);
    });
  });
}
