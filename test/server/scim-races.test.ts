import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootstrap, call, emptyDatabases, serve } from './support.ts';

const PARALLEL = 200;
const UNLIMITED = { PROBITY_RATE_LIMITS: 'scim=100000/60,platform=100000/60' };

function patch(...Operations: object[]): object {
  return { Operations };
}

for (const empty of emptyDatabases) {
  test(`${empty.name}: parallel changes through two servers lose nothing and fail with no 5xx`, async (t) => {
    const location = await empty.create(t);
    const { scim_token: token } = await bootstrap(location);
    const urls = [
      (await serve(t, location, { env: UNLIMITED })).url,
      (await serve(t, location, { env: UNLIMITED })).url,
    ];
    const send = (index: number, method: string, path: string, body?: object) =>
      call(`${urls[index % 2]}/scim/v2${path}`, token, method, body);
    const user = (name: string) => {
      const userName = `${name}@acme.example`;
      return { userName, emails: [{ value: userName }] };
    };

    const same = await Promise.all(
      Array.from({ length: PARALLEL }, (_, index) => send(index, 'POST', '/Users', user('same'))),
    );
    const statuses = same.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [201, ...Array.from({ length: PARALLEL - 1 }, () => 409)]);

    const created = await Promise.all(
      Array.from({ length: PARALLEL }, (_, index) =>
        send(index, 'POST', '/Users', user(`user${index}`)),
      ),
    );
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
