import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OUTSIDE_REQUEST } from '@probity/core';
import { sampleTargets } from '@probity/test-support/combinations';
import { newUser } from '../../src/fixtures.ts';
import { BASE, GROUP_SCHEMA, patchBody, start, userBody } from '../api.ts';
import { targets } from '../targets.ts';

type Started = Awaited<ReturnType<typeof start>>;

async function createUsers({ call }: Started, ...names: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) ids.push((await call('POST', '/Users', userBody(name))).body.id);
  return ids;
}

async function createGroup({ call }: Started, displayName: string, members: readonly string[]) {
  const body = {
    schemas: [GROUP_SCHEMA],
    displayName,
    members: members.map((value) => ({ value })),
  };
  const { status, body: group } = await call('POST', '/Groups', body);
  assert.equal(status, 201);
  return group.id as string;
}

async function membersOf({ call }: Started, id: string): Promise<string[]> {
  const { body } = await call('GET', `/Groups/${id}`);
  return body.members.map(({ value }: { value: string }) => value);
}

for (const target of sampleTargets(targets)) {
  describe(`${target.name}: groups over HTTP`, () => {
    test('a group that loses a deleted user or group is another version', async (t) => {
      const api = await start(t, { target });
      const { call, clock } = api;
      const [ann = '', bob = ''] = await createUsers(api, 'ann', 'bob');
      const inner = await createGroup(api, 'Inner', [ann]);
      const outer = await createGroup(api, 'Outer', [ann, inner, bob]);
      const path = `/Groups/${outer}`;
      for (const [deleted, rest] of [
        [`/Users/${ann}`, [inner, bob]],
        [`/Groups/${inner}`, [bob]],
      ] as const) {
        const known = await call('GET', path);
        await clock.advance(1_000);
        assert.equal((await call('DELETE', deleted)).status, 204);
        const headers = { 'if-none-match': known.headers.get('etag') ?? '' };
        const { status, body } = await call('GET', path, undefined, { headers });
        assert.equal(status, 200);
        const ids = body.members.map(({ value }: { value: string }) => value);
        assert.deepEqual(ids.sort(), [...rest].sort());
        assert.ok(body.meta.lastModified > known.body.meta.lastModified);
        assert.equal(
          (await call('GET', path, undefined, { headers: { 'if-none-match': body.meta.version } }))
            .status,
          304,
        );
      }
    });

    test('a group is created with members, changed, replaced and deleted', async (t) => {
      const api = await start(t, { target });
      const { call } = api;
      const [ann = '', bob = '', cid = ''] = await createUsers(api, 'ann', 'bob', 'cid');
      const named = patchBody({ op: 'add', path: 'displayName', value: 'Ann' });
      await call('PATCH', `/Users/${ann}`, named);
      const id = await createGroup(api, 'Team', [ann, bob]);
      const { body } = await call('GET', `/Groups/${id}`);
      const byId = new Map(body.members.map((each: { value: string }) => [each.value, each]));
      assert.deepEqual([...byId.keys()].sort(), [ann, bob].sort());
      assert.deepEqual(byId.get(ann), {
        value: ann,
        $ref: `${BASE}/Users/${ann}`,
        display: 'Ann',
        type: 'User',
      });
      const inUser = (await call('GET', `/Users/${ann}`)).body.groups;
      assert.deepEqual(inUser, [
        { value: id, $ref: `${BASE}/Groups/${id}`, display: 'Team', type: 'direct' },
      ]);

      const change = patchBody(
        { op: 'Add', path: 'members', value: [{ value: cid }] },
        { op: 'Remove', path: 'members', value: [{ value: ann }] },
        { op: 'replace', value: { id, displayName: 'Crew' } },
      );
      const patched = await call('PATCH', `/Groups/${id}`, change);
      assert.deepEqual([patched.status, patched.body], [204, undefined]);
      assert.deepEqual((await membersOf(api, id)).sort(), [bob, cid].sort());
      const asked = await call(
        'PATCH',
        `/Groups/${id}?attributes=displayName`,
        patchBody({ op: 'remove', path: `members[value eq "${bob}"]` }),
      );
      assert.equal(asked.status, 200);
      assert.deepEqual(Object.keys(asked.body).sort(), ['displayName', 'id', 'schemas']);
      assert.deepEqual(await membersOf(api, id), [cid]);

      const kept = await call('PUT', `/Groups/${id}`, { displayName: 'Crew 2' });
      assert.deepEqual([kept.status, kept.body.members.length], [200, 1]);
      const set = { displayName: 'Crew 2', members: [{ value: ann }, { value: bob }] };
      assert.equal((await call('PUT', `/Groups/${id}`, set)).status, 200);
      assert.deepEqual((await membersOf(api, id)).sort(), [ann, bob].sort());
      await call(
        'PATCH',
        `/Groups/${id}`,
        patchBody({ op: 'replace', path: 'members', value: [] }),
      );
      assert.deepEqual((await call('GET', `/Groups/${id}`)).body.members, []);

      assert.equal((await call('DELETE', `/Groups/${id}`)).status, 204);
      const gone = await call('GET', `/Groups/${id}`);
      assert.deepEqual([gone.status, gone.body.detail], [404, 'group not found']);
      assert.equal((await call('GET', `/Users/${ann}`)).status, 200);
    });

    test('an unknown member is 400 and nothing of the request is kept', async (t) => {
      const api = await start(t, { target });
      const [ann = ''] = await createUsers(api, 'ann');
      const id = await createGroup(api, 'Team', []);
      const answer = await api.call(
        'PATCH',
        `/Groups/${id}`,
        patchBody(
          { op: 'replace', path: 'displayName', value: 'Other' },
          { op: 'add', path: 'members', value: [{ value: ann }, { value: 'nobody' }] },
        ),
      );
      assert.deepEqual([answer.status, answer.body.scimType], [400, 'invalidValue']);
      assert.match(answer.body.detail, /"nobody"/);
      const { body } = await api.call('GET', `/Groups/${id}`);
      assert.deepEqual([body.displayName, body.members], ['Team', []]);
      const created = { displayName: 'New', members: [{ value: 'nobody' }] };
      assert.equal((await api.call('POST', '/Groups', created)).status, 400);
      assert.equal((await api.call('GET', '/Groups')).body.totalResults, 1);
    });

    test('a second group of the same name, in any case, is 409', async (t) => {
      const api = await start(t, { target });
      const first = await createGroup(api, 'Team', []);
      const second = await createGroup(api, 'Other', []);
      const rename = patchBody({ op: 'replace', path: 'displayName', value: 'TEAM' });
      const answers = [
        await api.call('POST', '/Groups', { displayName: 'tEAM' }),
        await api.call('PUT', `/Groups/${second}`, { displayName: 'team' }),
        await api.call('PATCH', `/Groups/${second}`, rename),
      ];
      for (const { status, body } of answers) {
        assert.deepEqual([status, body.scimType], [409, 'uniqueness']);
      }
      const own = await api.call('PUT', `/Groups/${first}`, { displayName: 'TEAM' });
      assert.equal(own.body.displayName, 'TEAM');
    });

    test('a PUT gives a group 10,000 members, which the answer and a search have', async (t) => {
      const api = await start(t, { target });
      const { call, organizationId, storage } = api;
      const ids: string[] = [];
      await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
        for (let index = 0; index < 10_000; index += 1) {
          const user = newUser(organizationId, { userName: `u${index}@example.com` });
          await tx.insertUser(user);
          ids.push(user.id);
        }
      });
      const id = await createGroup(api, 'All', ids.slice(0, 2));
      // As a provider that puts back what it read, which is longer than the ids.
      const members = ids.map((value, index) => ({
        value,
        $ref: `${BASE}/Users/${value}`,
        display: `u${index}@example.com ${'x'.repeat(800)}`,
        type: 'User',
      }));
      const body = JSON.stringify({ schemas: [GROUP_SCHEMA], displayName: 'All', members });
      assert.ok(body.length > 9_000_000 && body.length < 10_485_760, `${body.length}`);
      const put = await call('PUT', `/Groups/${id}`, body);
      assert.equal(put.status, 200, JSON.stringify(put.body).slice(0, 300));
      assert.equal(put.body.members.length, 10_000);
      const found = await call(
        'GET',
        `/Groups?excludedAttributes=members&filter=members.value%20eq%20%22${ids[9_999]}%22`,
      );
      assert.equal(found.body.Resources[0].id, id);
      const tooLong = await call('PUT', `/Groups/${id}`, `${body}${' '.repeat(2_000_000)}`);
      assert.deepEqual([tooLong.status, tooLong.body.status], [413, '413']);
    });

    test('parallel adds, removes and renames lose nothing', async (t) => {
      const api = await start(t, { target });
      const names = Array.from({ length: 40 }, (_, index) => `user${index}`);
      const ids = await createUsers(api, ...names);
      const [leaving, joining] = [ids.slice(0, 20), ids.slice(20)];
      const id = await createGroup(api, 'Team', leaving);
      const changes = [
        ...joining.map((value) => ({ op: 'add', path: 'members', value: [{ value }] })),
        ...leaving.map((value) => ({ op: 'remove', path: `members[value eq "${value}"]` })),
        ...names.slice(0, 10).map((value) => ({ op: 'replace', path: 'displayName', value })),
      ];
      const answers = await Promise.all(
        changes.map((change) => api.call('PATCH', `/Groups/${id}`, patchBody(change))),
      );
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [204]);
      assert.deepEqual((await membersOf(api, id)).sort(), [...joining].sort());
    });

    test('groups that are renamed and added to others at once are all changed', async (t) => {
      const api = await start(t, { target });
      const ids: string[] = [];
      for (const name of ['A', 'B', 'C', 'D']) ids.push(await createGroup(api, name, []));
      const changes = Array.from({ length: 40 }, (_, index) => {
        const place = index % ids.length;
        const members = ids.slice(place + 1).map((value) => ({ value }));
        const rename = { op: 'replace', path: 'displayName', value: `Team ${index}` };
        const body = patchBody(rename, { op: 'add', path: 'members', value: members });
        return api.call('PATCH', `/Groups/${ids[place]}`, body);
      });
      const before = performance.now();
      const answers = await Promise.all(changes);
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [204]);
      for (const [place, id] of ids.entries()) {
        assert.deepEqual((await membersOf(api, id)).sort(), ids.slice(place + 1).sort());
      }
      // PostgreSQL looks for each deadlock after a second.
      assert.ok(performance.now() - before < 30_000);
    });

    test('a group that would contain itself is 400, and nothing of the request is kept', async (t) => {
      const api = await start(t, { target });
      const { call } = api;
      const inner = await createGroup(api, 'Inner', []);
      const middle = await createGroup(api, 'Middle', [inner]);
      const outer = await createGroup(api, 'Outer', [middle]);
      const adding = (value: string) =>
        patchBody(
          { op: 'replace', path: 'displayName', value: 'Renamed' },
          { op: 'add', path: 'members', value: [{ value }] },
        );
      const put = { displayName: 'Renamed', members: [{ value: outer }] };
      const answers = [
        await call('PATCH', `/Groups/${inner}`, adding(inner)),
        await call('PATCH', `/Groups/${inner}`, adding(outer)),
        await call('PUT', `/Groups/${inner}`, put),
      ];
      for (const { status, body } of answers) {
        assert.deepEqual([status, body.scimType], [400, 'invalidValue']);
      }
      assert.match(answers[0]?.body.detail, /members: a group cannot be a member of itself$/);
      assert.match(
        answers[1]?.body.detail,
        new RegExp(`the group .*${outer}.* contains this group`),
      );
      const { body } = await call('GET', `/Groups/${inner}`);
      assert.deepEqual([body.displayName, body.members, body.meta.version], ['Inner', [], 'W/"1"']);
    });

    test('of groups that are added to each other at once one is refused', async (t) => {
      const api = await start(t, { target });
      const ids: string[] = [];
      for (const name of ['A', 'B', 'C', 'D']) ids.push(await createGroup(api, name, []));
      const changes = ids.map((id, index) => {
        const value = [{ value: ids[(index + 1) % ids.length] }];
        return api.call('PATCH', `/Groups/${id}`, patchBody({ op: 'add', path: 'members', value }));
      });
      const statuses = (await Promise.all(changes)).map(({ status }) => status).sort();
      assert.deepEqual(statuses, [204, 204, 204, 400]);
    });

    test('what changes nothing leaves version and lastModified of a group', async (t) => {
      const api = await start(t, { target });
      const { call, clock } = api;
      const [ann = '', bob = ''] = await createUsers(api, 'ann', 'bob');
      const id = await createGroup(api, 'Team', [ann]);
      const path = `/Groups/${id}`;
      const { meta } = (await call('GET', path)).body;
      await clock.advance(1_000);
      const same = { id, displayName: 'Team', members: [{ value: ann }] };
      const unchanging: readonly (readonly [string, object])[] = [
        ['PATCH', patchBody({ op: 'add', path: 'members', value: [{ value: ann }] })],
        ['PATCH', patchBody({ op: 'remove', path: `members[value eq "${bob}"]` })],
        ['PATCH', patchBody({ op: 'remove', path: 'members[display eq "nobody"]' })],
        ['PATCH', patchBody({ op: 'replace', path: 'members', value: [{ value: ann }] })],
        ['PATCH', patchBody({ op: 'replace', path: 'displayName', value: 'Team' })],
        ['PATCH', patchBody({ op: 'replace', value: { id, displayName: 'Team' } })],
        ['PUT', same],
      ];
      for (const [method, body] of unchanging) {
        assert.ok((await call(method, path, body)).status < 300);
        assert.deepEqual((await call('GET', path)).body.meta, meta, JSON.stringify(body));
      }
      const changing: readonly (readonly [string, object])[] = [
        ['PATCH', patchBody({ op: 'replace', value: { id, displayName: 'Crew' } })],
        ['PATCH', patchBody({ op: 'add', path: 'members', value: [{ value: bob }] })],
        [
          'PATCH',
          patchBody(
            { op: 'remove', path: 'members' },
            { op: 'replace', value: { id, displayName: 'Staff' } },
          ),
        ],
        ['PUT', same],
      ];
      let version = 1;
      for (const [method, body] of changing) {
        assert.ok((await call(method, path, body)).status < 300);
        version += 1;
        const changed = (await call('GET', path)).body.meta;
        assert.equal(changed.version, `W/"${version}"`, JSON.stringify(body));
        assert.ok(changed.lastModified > meta.lastModified);
      }
    });

    test('filters of members that take too long are refused', async (t) => {
      const api = await start(t, { target });
      const names = Array.from({ length: 30 }, (_, index) => `user${index}`);
      const id = await createGroup(api, 'Team', await createUsers(api, ...names));
      const term = (index: number) => `display co "${index}"`;
      const path = `members[${Array.from({ length: 10 }, (_, index) => term(index)).join(' or ')}]`;
      const removals = (count: number) => Array(count).fill({ op: 'remove', path });
      const refused = await api.call('PATCH', `/Groups/${id}`, patchBody(...removals(500)));
      assert.deepEqual([refused.status, refused.body.scimType], [400, 'tooMany']);
      assert.equal((await membersOf(api, id)).length, 30);
      const done = await api.call('PATCH', `/Groups/${id}`, patchBody(...removals(2)));
      assert.equal(done.status, 204);
    });

    test('a deleted user leaves its groups; a group is a member of another', async (t) => {
      const api = await start(t, { target });
      const [ann = '', bob = ''] = await createUsers(api, 'ann', 'bob');
      const inner = await createGroup(api, 'Inner', [ann, bob]);
      const outer = await createGroup(api, 'Outer', [inner]);
      const groups = (await api.call('GET', `/Users/${ann}`)).body.groups;
      const types = groups.map(({ value, type }: Record<string, string>) => [value, type]);
      assert.deepEqual(types, [
        [inner, 'direct'],
        [outer, 'indirect'],
      ]);
      await api.call('DELETE', `/Users/${ann}`);
      assert.deepEqual(await membersOf(api, inner), [bob]);
      await api.call('DELETE', `/Groups/${inner}`);
      assert.deepEqual(await membersOf(api, outer), []);
    });
  });
}

test('members are not sent where they are excluded', async (t) => {
  const api = await start(t);
  const [ann = ''] = await createUsers(api, 'ann');
  await createGroup(api, 'Team', [ann]);
  const filter = encodeURIComponent('displayName eq "team"');
  const { body } = await api.call('GET', `/Groups?excludedAttributes=members&filter=${filter}`);
  assert.equal(body.totalResults, 1);
  assert.equal('members' in body.Resources[0], false);
});
