import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootstrap, call, emptyDatabases, serve } from './support.ts';

const PARALLEL = 200;

/** Few enough for a loaded machine to answer all before one has waited too long for a connection. */
const AT_ONCE = 20;
const UNLIMITED = { PROBITY_RATE_LIMITS: 'scim=100000/60,platform=100000/60' };

function patch(...Operations: object[]): object {
  return { Operations };
}

const cases = emptyDatabases.flatMap((empty) => [1, 2].map((servers) => ({ empty, servers })));

for (const { empty, servers } of cases) {
  const through = servers === 1 ? 'one server' : `${servers} servers`;
  test(`${empty.name}: parallel changes through ${through} lose nothing and fail with no 5xx`, async (t) => {
    const location = await empty.create(t);
    const { scim_token: token } = await bootstrap(location);
    const urls: string[] = [];
    while (urls.length < servers) {
      urls.push((await serve(t, location, { env: UNLIMITED })).url);
    }
    const send = (index: number, method: string, path: string, body?: object) =>
      call(`${urls[index % servers]}/scim/v2${path}`, token, method, body);
    const user = (name: string) => {
      const userName = `${name}@acme.example`;
      return { userName, emails: [{ value: userName }] };
    };

    type Answer = Awaited<ReturnType<typeof send>>;
    const create = async (nameOf: (index: number) => string): Promise<Answer[]> => {
      const answers: Answer[] = [];
      while (answers.length < PARALLEL) {
        const first = answers.length;
        const count = Math.min(AT_ONCE, PARALLEL - first);
        const some = Array.from({ length: count }, (_, index) =>
          send(index, 'POST', '/Users', user(nameOf(first + index))),
        );
        answers.push(...(await Promise.all(some)));
      }
      return answers;
    };
    const same = await create(() => 'same');
    const statuses = same.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [201, ...Array.from({ length: PARALLEL - 1 }, () => 409)]);

    const created = await create((index) => `user${index}`);
    const ids = created.map(({ status, body }) => {
      assert.equal(status, 201, JSON.stringify(body));
      return body.id as string;
    });
    const [leaving, joining] = [ids.slice(0, PARALLEL / 2), ids.slice(PARALLEL / 2)];
    const members = leaving.map((value) => ({ value }));
    const group = await send(0, 'POST', '/Groups', { displayName: 'Team', members });
    const path = `/Groups/${group.body.id}`;
    const changes = ids.map((value, index) => {
      if (index % 10 === 0) return { op: 'replace', path: 'displayName', value: `Team ${index}` };
      const op = leaving.includes(value) ? 'Remove' : 'Add';
      return { op, path: 'members', value: [{ value }] };
    });
    const answers = await Promise.all(
      changes.map((change, index) => send(index, 'PATCH', path, patch(change))),
    );
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [204]);
    const changed = (index: number) => index % 10 !== 0;
    const expected = [
      ...leaving.filter((_, index) => !changed(index)),
      ...joining.filter((_, index) => changed(index)),
    ];
    const { body } = await send(1, 'GET', path);
    const found = body.members.map(({ value }: { value: string }) => value);
    assert.deepEqual(found.sort(), expected.sort());
  });
}

for (const empty of emptyDatabases) {
  test(`${empty.name}: users and groups are deleted while groups remove and add them`, async (t) => {
    const location = await empty.create(t);
    const { scim_token: token } = await bootstrap(location);
    const urls = [
      (await serve(t, location, { env: UNLIMITED })).url,
      (await serve(t, location, { env: UNLIMITED })).url,
    ];
    const send = (index: number, method: string, path: string, body?: object) =>
      call(`${urls[index % 2]}/scim/v2${path}`, token, method, body);
    const create = async (path: string, body: object): Promise<string> => {
      const created = await send(0, 'POST', path, body);
      assert.equal(created.status, 201, JSON.stringify(created.body));
      return created.body.id;
    };
    const users: string[] = [];
    for (let index = 0; index < 30; index += 1) {
      const userName = `user${index}@acme.example`;
      users.push(await create('/Users', { userName, emails: [{ value: userName }] }));
    }
    const nested: string[] = [];
    for (let index = 0; index < 6; index += 1) {
      nested.push(await create('/Groups', { displayName: `Nested ${index}` }));
    }
    const members = [...users, ...nested].map((value) => ({ value }));
    const groups: string[] = [];
    for (const displayName of ['A', 'B', 'C', 'D']) {
      groups.push(await create('/Groups', { displayName, members }));
    }
    const change = (value: string) =>
      patch(
        { op: 'remove', path: `members[value eq "${value}"]` },
        { op: 'add', path: 'members', value: [{ value }] },
      );
    const requests = [
      ...users.flatMap((id) => [
        ...groups.map((group) => ['PATCH', `/Groups/${group}`, change(id)] as const),
        ['DELETE', `/Users/${id}`] as const,
        ...groups.map((group) => ['PATCH', `/Groups/${group}`, change(id)] as const),
      ]),
      ...nested.flatMap((id) => [
        ['DELETE', `/Groups/${id}`] as const,
        ...groups.map((group) => ['PATCH', `/Groups/${group}`, change(id)] as const),
      ]),
    ];
    const answers: Awaited<ReturnType<typeof send>>[] = [];
    for (let start = 0; start < requests.length; start += AT_ONCE) {
      const some = requests.slice(start, start + AT_ONCE);
      const sent = some.map(([method, path, body], index) => send(index, method, path, body));
      answers.push(...(await Promise.all(sent)));
    }
    const statuses = answers.map(
      ({ status, body }, index) => `${requests[index]?.[0]} ${status} ${body?.detail ?? ''}`,
    );
    const others = statuses.filter((status) => !/^(DELETE 204|PATCH 204|PATCH 400) /.test(status));
    assert.deepEqual(others, []);
    for (const group of groups) {
      assert.deepEqual((await send(0, 'GET', `/Groups/${group}`)).body.members, []);
    }
  });
}
