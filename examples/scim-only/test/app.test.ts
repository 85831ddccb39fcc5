import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { createPeople } from '../src/people.ts';
import { createScim } from '../src/scim.ts';

async function start(t: TestContext) {
  const { app, db } = createPeople(':memory:');
  const insert = db.prepare('insert into people values (?, ?, ?, ?, ?, null)');
  insert.run('1', 'acme', 'Ann@acme.example', 'Ann', 0);
  const probity = createScim(db, (token) => ['acme', 'other'].find((each) => each === token));
  await probity.ready();
  app.use('/scim', probity.node);
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(async () => {
    server.close();
    await probity.stop();
    db.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const call = async (method: string, path: string, body?: object, token = 'acme') => {
    const response = await fetch(`${url}/scim/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  };
  const mayEnter = async (email: string) => (await fetch(`${url}/people/${email}`)).status === 200;
  return { call, mayEnter };
}

const off = { Operations: [{ op: 'Replace', path: 'active', value: 'False' }] };

test('a person whom the identity provider deactivates may not enter any more', async (t) => {
  const { call, mayEnter } = await start(t);
  const filter = encodeURIComponent('userName eq "ann@acme.example"');
  const [ann] = (await call('GET', `/Users?filter=${filter}`)).body.Resources;
  assert.deepEqual([ann.id, ann.displayName], ['1', 'Ann']);
  assert.equal(await mayEnter('ann@acme.example'), true);
  assert.equal((await call('PATCH', '/Users/1', off)).body.active, false);
  assert.equal(await mayEnter('ann@acme.example'), false);
});

test('users are created, found, replaced and deleted in the table of the application', async (t) => {
  const { call, mayEnter } = await start(t);
  const bob = { userName: 'bob@acme.example', emails: [{ value: 'bob@acme.example' }] };
  const created = await call('POST', '/Users', { ...bob, displayName: 'Bob', externalId: 'b-1' });
  assert.equal(created.status, 201);
  const location = `http://localhost:3000/scim/v2/Users/${created.body.id}`;
  assert.equal(created.body.meta.location, location);
  assert.equal((await call('POST', '/Users', bob)).status, 409);
  const path = `/Users/${created.body.id}`;
  assert.deepEqual((await call('GET', path)).body, created.body);
  assert.equal((await call('GET', path, undefined, 'other')).status, 404);
  const renamed = { ...bob, userName: 'ANN@acme.example' };
  assert.equal((await call('PUT', path, renamed)).status, 409);
  assert.equal((await call('PUT', path, { ...bob, displayName: 'Rob' })).body.displayName, 'Rob');
  assert.equal(await mayEnter('bob@acme.example'), true);
  assert.equal((await call('DELETE', path)).status, 204);
  assert.equal((await call('GET', path)).status, 404);
  assert.equal((await call('GET', '/Users')).body.totalResults, 1);
});

test('a person whom SCIM has not stored is replaced by what was read', async (t) => {
  const { call, mayEnter } = await start(t);
  const { body: ann } = await call('GET', '/Users/1');
  const replaced = await call('PUT', '/Users/1', { ...ann, active: false });
  assert.equal(replaced.status, 200, JSON.stringify(replaced.body));
  assert.deepEqual(replaced.body.emails, ann.emails);
  assert.equal(await mayEnter('ann@acme.example'), false);
});

test('there are no groups, and none is created', async (t) => {
  const { call } = await start(t);
  assert.equal((await call('GET', '/Groups')).body.totalResults, 0);
  assert.equal((await call('POST', '/Groups', { displayName: 'Team' })).status, 501);
  assert.equal((await call('GET', '/Users', undefined, 'nobody')).status, 401);
});

test('discovery has users only', async (t) => {
  const { call } = await start(t);
  const types = (await call('GET', '/ResourceTypes')).body.Resources;
  assert.deepEqual(
    types.map(({ id }: { id: string }) => id),
    ['User'],
  );
  const schemas = (await call('GET', '/Schemas')).body.Resources;
  const group = 'urn:ietf:params:scim:schemas:core:2.0:Group';
  assert.equal(
    schemas.some(({ id }: { id: string }) => id === group),
    false,
  );
  assert.equal((await call('GET', `/Schemas/${group}`)).status, 404);
  assert.equal((await call('GET', '/ResourceTypes/Group')).status, 404);
});
