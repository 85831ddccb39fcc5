import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sampleTargets } from '@probity/test-support/combinations';
import { GROUP_SCHEMA, start, userBody } from '../api.ts';
import { targets } from '../targets.ts';

type Started = Awaited<ReturnType<typeof start>>;

const HEADERS = { 'content-type': 'application/json', accept: 'application/json' };

/** Sends the requests of PingOne, each of which must have this status. */
function pingOf({ call }: Started) {
  const send = async (status: number, method: string, path: string, body?: object) => {
    const answer = await call(method, path, body, { headers: HEADERS });
    assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const membersOf = async (path: string): Promise<string[]> => {
    const { members } = await send(200, 'GET', path);
    return members.map(({ value }: { value: string }) => value).sort();
  };
  return { send, membersOf };
}

for (const target of sampleTargets(targets)) {
  describe(`${target.name}: the requests of PingOne`, () => {
    // developer.pingidentity.com/p14e-directory-api/update-resource.html: what was read is put back with a change, its
    // read-only attributes and extensions of its own included.
    test('Ping puts back what it read, with schemas that are not served, and deletes', async (t) => {
      const { send, membersOf } = pingOf(await start(t, { target }));
      const { id } = await send(201, 'POST', '/Users', userBody('meredith'));
      const path = `/Users/${id}`;
      const read = await send(200, 'GET', path);
      const own = 'urn:scim:schemas:com_pingone:1.0';
      await send(200, 'PUT', path, {
        ...read,
        schemas: [...read.schemas, own],
        [own]: { state: 'ACTIVE', accountId: 'a6538050' },
        title: 'Software Developer',
        meta: { ...read.meta, lastModified: '2015-04-15T12:44:14.227-06:00' },
      });
      const after = await send(200, 'GET', path);
      assert.deepEqual({ ...after, meta: null, title: null }, { ...read, meta: null, title: null });
      assert.deepEqual([after.title, own in after], ['Software Developer', false]);
      const group = { schemas: [GROUP_SCHEMA], displayName: 'Staff', members: [{ value: id }] };
      const made = await send(201, 'POST', '/Groups', group);
      const groupPath = `/Groups/${made.id}`;
      const whole = await send(200, 'GET', groupPath);
      await send(200, 'PUT', groupPath, { ...whole, displayName: 'All staff' });
      assert.deepEqual(await membersOf(groupPath), [id]);
      await send(200, 'PUT', groupPath, { ...whole, members: [] });
      assert.deepEqual(await membersOf(groupPath), []);
      await send(204, 'DELETE', path);
      await send(404, 'GET', path);
    });
  });
}
