import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BASE, patchBody, SERVICE, start, USER_SCHEMA, userBody } from '../api.ts';
import { targets } from '../targets.ts';

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

for (const target of targets) {
  describe(`${target.name}: users over HTTP`, () => {
    test('a user is created, read back, listed, changed, replaced and deleted', async (t) => {
      const { call, clock } = await start(t, { target });
      const sent = userBody('ann', { externalId: 'x-1', [SERVICE]: { department: 'R&D' } });
      const created = await call('POST', '/Users', sent);
      assert.equal(created.status, 201);
      assert.match(created.headers.get('content-type') ?? '', /^application\/scim\+json/);
      const { id, meta } = created.body;
      assert.match(id, /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
      const location = `${BASE}/Users/${id}`;
      assert.equal(created.headers.get('location'), location);
      assert.equal(created.headers.get('etag'), 'W/"1"');
      assert.deepEqual(created.body, {
        ...sent,
        schemas: [USER_SCHEMA, SERVICE],
        id,
        meta: {
          resourceType: 'User',
          created: clock.now().toISOString(),
          lastModified: clock.now().toISOString(),
          location,
          version: 'W/"1"',
        },
      });
      assert.deepEqual((await call('GET', `/Users/${id}`)).body, created.body);
      const filter = encodeURIComponent('userName eq "ANN@example.com"');
      const listed = await call('GET', `/Users?filter=${filter}`);
      assert.deepEqual(listed.body.Resources, [created.body]);
      assert.equal(listed.body.totalResults, 1);

      await clock.advance(1_000);
      const off = patchBody({ op: 'Replace', path: 'active', value: 'False' });
      const patched = await call('PATCH', `/Users/${id}`, off);
      assert.equal(patched.status, 200);
      assert.equal(patched.body.active, false);
      assert.equal(patched.body.meta.version, 'W/"2"');
      assert.notEqual(patched.body.meta.lastModified, meta.lastModified);
      assert.deepEqual((await call('GET', `/Users/${id}`)).body, patched.body);

      const { active: _, ...rest } = userBody('ann', { displayName: 'Ann' }) as { active: boolean };
      const replaced = await call('PUT', `/Users/${id}`, rest);
      assert.equal(replaced.status, 200);
      assert.equal(replaced.body.active, false, 'a PUT without active leaves it');
      assert.equal(replaced.body.displayName, 'Ann');
      assert.equal(replaced.body.externalId, undefined);
      assert.equal(replaced.body[SERVICE], undefined);
      assert.deepEqual((await call('GET', `/Users/${id}`)).body, replaced.body);

      assert.equal((await call('DELETE', `/Users/${id}`)).status, 204);
      for (const method of ['GET', 'DELETE'] as const) {
        const gone = await call(method, `/Users/${id}`);
        assert.deepEqual(gone.body, { schemas: [ERROR], status: '404', detail: 'user not found' });
      }
    });

    test('a userName is taken in any case, also by a change', async (t) => {
      const { call } = await start(t, { target });
      await call('POST', '/Users', userBody('ann'));
      const bob = (await call('POST', '/Users', userBody('bob'))).body;
      const taken = { schemas: [ERROR], status: '409', scimType: 'uniqueness' };
      const rename = patchBody({ op: 'replace', path: 'userName', value: 'ANN@example.com' });
      const answers = [
        await call('POST', '/Users', userBody('ANN')),
        await call('PATCH', `/Users/${bob.id}`, rename),
        await call('PUT', `/Users/${bob.id}`, userBody('Ann')),
      ];
      for (const { status, body } of answers) {
        assert.equal(status, 409);
        assert.deepEqual(body, {
          ...taken,
          detail: 'email already in use: another user or member has this userName',
        });
      }
      assert.equal((await call('GET', `/Users/${bob.id}`)).body.userName, 'bob@example.com');
    });

    test('what changes nothing leaves version and lastModified of a user', async (t) => {
      const { call, clock } = await start(t, { target });
      const { id, meta } = (await call('POST', '/Users', userBody('ann', { title: 'x' }))).body;
      await clock.advance(1_000);
      const path = `/Users/${id}`;
      for (const answer of [
        await call('PATCH', path, patchBody({ op: 'replace', path: 'title', value: 'x' })),
        await call('PATCH', path, patchBody({ op: 'replace', value: { active: true } })),
        await call('PATCH', path, patchBody({ op: 'remove', path: 'nickName' })),
        await call('PUT', path, userBody('ann', { title: 'x' })),
        await call('PUT', path, (await call('GET', path)).body),
      ]) {
        assert.equal(answer.status, 200);
        assert.deepEqual(answer.body.meta, meta);
      }
    });

    test('userNames that are no e-mail addresses, where the application has such', async (t) => {
      const { call } = await start(t, { target, userNames: 'any' });
      const jensen = userBody('x', { userName: 'bjensen' });
      const { status, body } = await call('POST', '/Users', jensen);
      assert.deepEqual([status, body.userName], [201, 'bjensen']);
      const again = await call('POST', '/Users', userBody('y', { userName: 'BJensen' }));
      assert.deepEqual(
        [again.status, again.body.scimType, again.body.detail],
        [409, 'uniqueness', 'userName already in use: another user has it'],
      );
      const path = `/Users/${body.id}`;
      const rename = patchBody({ op: 'replace', path: 'userName', value: 'b.jensen' });
      assert.equal((await call('PATCH', path, rename)).body.userName, 'b.jensen');
      const put = { ...jensen, userName: 'CORP\\bjensen' };
      assert.equal((await call('PUT', path, put)).body.userName, 'CORP\\bjensen');
    });

    test('parallel changes of one user are all kept', async (t) => {
      const { call } = await start(t, { target });
      const { id } = (await call('POST', '/Users', userBody('ann'))).body;
      const names = Array.from({ length: 20 }, (_, index) => `type${index}`);
      const answers = await Promise.all(
        names.map((type) =>
          call(
            'PATCH',
            `/Users/${id}`,
            patchBody({ op: 'add', path: 'phoneNumbers', value: [{ type, value: type }] }),
          ),
        ),
      );
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
      const { phoneNumbers, meta } = (await call('GET', `/Users/${id}`)).body;
      assert.deepEqual(
        phoneNumbers.map(({ type }: { type: string }) => type).sort(),
        [...names].sort(),
      );
      assert.equal(meta.version, 'W/"21"');
    });

    test('of parallel equal creations one succeeds', async (t) => {
      const { call } = await start(t, { target });
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => call('POST', '/Users', userBody('ann'))),
      );
      const statuses = answers.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [201, ...Array.from({ length: 19 }, () => 409)]);
    });
  });
}

test('users of another organization do not exist', async (t) => {
  const { call } = await start(t);
  const { id } = (await call('POST', '/Users', userBody('ann'))).body;
  const asStranger = { token: 'stranger' };
  for (const method of ['GET', 'DELETE', 'PUT', 'PATCH']) {
    const body =
      method === 'PUT' ? userBody('x') : patchBody({ op: 'replace', path: 'active', value: false });
    const sent = method === 'GET' || method === 'DELETE' ? undefined : body;
    assert.equal((await call(method, `/Users/${id}`, sent, asStranger)).status, 404);
  }
  assert.equal((await call('GET', '/Users', undefined, asStranger)).body.totalResults, 0);
});

test('a change is refused unless If-Match names the version; a known version is 304', async (t) => {
  const { call } = await start(t);
  const { id } = (await call('POST', '/Users', userBody('ann'))).body;
  const path = `/Users/${id}`;
  const off = patchBody({ op: 'replace', path: 'active', value: false });
  const stale = { headers: { 'if-match': 'W/"7", "8"' } };
  for (const [method, body] of [
    ['PATCH', off],
    ['PUT', userBody('bob')],
    ['DELETE', undefined],
  ] as const) {
    assert.equal((await call(method, path, body, stale)).status, 412);
  }
  const known = await call('GET', path, undefined, { headers: { 'if-none-match': 'W/"1"' } });
  assert.equal(known.status, 304);
  assert.equal(known.headers.get('etag'), 'W/"1"');
  const changed = await call('PATCH', path, off, { headers: { 'if-match': 'W/"1"' } });
  assert.equal(changed.headers.get('etag'), 'W/"2"');
  const fresh = await call('GET', path, undefined, { headers: { 'if-none-match': 'W/"1"' } });
  assert.equal(fresh.status, 200);
  const any = await call('DELETE', path, undefined, { headers: { 'if-match': '*' } });
  assert.equal(any.status, 204);
});

test('a change that changes nothing keeps the version', async (t) => {
  const { call } = await start(t);
  const { id } = (await call('POST', '/Users', userBody('ann'))).body;
  const same = patchBody({ op: 'replace', path: 'active', value: true });
  assert.equal((await call('PATCH', `/Users/${id}`, same)).headers.get('etag'), 'W/"1"');
});

test('bodies may be application/json, and paths end with a slash', async (t) => {
  const { call } = await start(t);
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  const created = await call('POST', '/Users/', userBody('ann'), { headers });
  assert.equal(created.status, 201);
  assert.equal((await call('GET', '/Users/?filter=&aadOptscim062020=')).status, 400);
  assert.equal((await call('GET', '/Users/?aadOptscim062020=')).body.totalResults, 1);
  assert.equal((await call('GET', `/Users/${created.body.id}/`)).status, 200);
});

test('reads a body whose charset is another label of UTF-8, and refuses other charsets', async (t) => {
  const { call } = await start(t);
  const post = (charset: string) =>
    call('POST', '/Users', userBody('ann'), {
      headers: { 'content-type': `application/scim+json;charset=${charset}` },
    });
  assert.equal((await post('latin1')).status, 415);
  assert.equal((await post('UTF8')).status, 201);
});

test('the base URL lists users and groups, with and without a slash and a flag of Entra ID', async (t) => {
  const { call } = await start(t);
  const user = (await call('POST', '/Users', userBody('ann'))).body;
  const group = (await call('POST', '/Groups', { displayName: 'Guides' })).body;
  for (const path of ['', '/', '?aadOptscim062020', '/?aadOptscim062020&count=10']) {
    const { status, body } = await call('GET', path);
    assert.equal(status, 200, path);
    assert.deepEqual(
      body.Resources.map(({ id }: { id: string }) => id),
      [user.id, group.id],
    );
  }
  const filtered = await call('GET', '?filter=displayName%20eq%20%22Guides%22');
  assert.deepEqual(filtered.body.totalResults, 1);
  const refused = await call('GET', '', undefined, { token: 'member' });
  assert.equal(refused.status, 403);
  assert.equal((await call('POST', '', {})).status, 405);
});

test('the requested attributes are sent, and no others', async (t) => {
  const { call } = await start(t);
  const { body } = await call('POST', '/Users?attributes=userName', userBody('ann'));
  assert.deepEqual(Object.keys(body).sort(), ['id', 'schemas', 'userName']);
  const without = await call('GET', `/Users/${body.id}?excludedAttributes=name,emails`);
  assert.equal(without.body.name, undefined);
  assert.equal(without.body.active, true);
});

const BAD_BODIES = [
  ['{"userName":', 'invalidSyntax'],
  ['[]', 'invalidSyntax'],
  ['null', 'invalidSyntax'],
  ['"a"', 'invalidSyntax'],
  [JSON.stringify(userBody('a\u0000b')), 'invalidSyntax'],
  ['{"userName":"a@example.com","emails":[{"value":"\\ud800"}]}', 'invalidSyntax'],
  ['{"__proto__":{},"userName":"a@example.com"}', 'invalidSyntax'],
  [{ schemas: [USER_SCHEMA], emails: [{ value: 'a@example.com' }] }, 'invalidValue'],
  [userBody('a b'), 'invalidValue'],
] as const;

for (const [body, scimType] of BAD_BODIES) {
  test(`POST of ${JSON.stringify(body).slice(0, 60)} is refused as ${scimType}`, async (t) => {
    const { call } = await start(t);
    const answer = await call('POST', '/Users', body);
    assert.deepEqual([answer.status, answer.body.scimType], [400, scimType]);
    assert.deepEqual(answer.body.schemas, [ERROR]);
    assert.equal((await call('GET', '/Users')).body.totalResults, 0);
  });
}

test('a bad attribute is named', async (t) => {
  const { call } = await start(t);
  const answer = await call('POST', '/Users', userBody('ann', { userName: 'no address' }));
  assert.match(answer.body.detail, /^invalid user attributes: userName/);
});

test('roles below admin may neither read nor write', async (t) => {
  const { call } = await start(t);
  for (const token of ['editor', 'viewer']) {
    assert.equal((await call('GET', '/Users', undefined, { token })).status, 403);
    assert.equal((await call('POST', '/Users', userBody('ann'), { token })).status, 403);
  }
});

test('/Me is not implemented, by any method', async (t) => {
  const { call } = await start(t);
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    const { status, body } = await call(method, '/Me');
    assert.deepEqual([status, body.schemas], [501, [ERROR]]);
  }
});
