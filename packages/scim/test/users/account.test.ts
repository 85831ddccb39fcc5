import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { ProbityError } from '@probity/core';
import type { Account, Provisioning } from '../../src/provisioning.ts';
import { patchBody, SERVICE, start, userBody } from '../api.ts';

/** Accounts in a map; `log` has what was done. */
function createAccounts(...existing: readonly Partial<Account>[]) {
  const accounts = new Map<string, Account>();
  const log: string[] = [];
  const put = (account: Account) => {
    accounts.set(account.id, account);
    return account;
  };
  for (const given of existing) {
    const id = given.id ?? `a${accounts.size}`;
    put({ id, email: '', name: null, role: 'member', status: 'active', ...given });
  }
  const change = (id: string, changes: Partial<Account>, what: string) => {
    const account = accounts.get(id);
    if (!account) throw new ProbityError('not_found', 'There is no such account');
    log.push(`${what} ${JSON.stringify(changes)}`);
    return put({ ...account, ...changes });
  };
  const provisioning: Provisioning = {
    find: async (_, id) => accounts.get(id) ?? null,
    findByEmail: async (_, email) =>
      [...accounts.values()].find((each) => each.email === email) ?? null,
    async add(_, input) {
      log.push(`add ${input.email} ${input.role}`);
      return put({ id: `a${accounts.size}`, status: 'active', ...input });
    },
    activate: async (_, id) => change(id, { status: 'active' }, 'activate'),
    update: async (_, id, changes) => change(id, changes, 'update'),
    suspend: async (_, id) => change(id, { status: 'suspended' }, 'suspend'),
    reactivate: async (_, id) => change(id, { status: 'active' }, 'reactivate'),
    async remove(_, id) {
      if (accounts.get(id)?.role === 'owner') throw new ProbityError('conflict', 'the last owner');
      log.push('remove');
      accounts.delete(id);
    },
  };
  return { provisioning, accounts, log };
}

async function startWith(t: TestContext, ...existing: readonly Partial<Account>[]) {
  const made = createAccounts(...existing);
  const { call } = await start(t, { provisioning: made.provisioning });
  const create = async (more: object = {}) =>
    (await call('POST', '/Users', userBody('ann', more))).body.id as string;
  const patch = (id: string, ...operations: object[]) =>
    call('PATCH', `/Users/${id}`, patchBody(...operations));
  return { ...made, call, create, patch };
}

const ROLES = [
  [[], 'member'],
  [['nothing'], 'member'],
  [['viewer', 'EDITOR', 'nothing'], 'editor'],
  [['owner'], 'admin'],
] as const;

for (const [roles, role] of ROLES) {
  test(`a new user with the roles ${JSON.stringify(roles)} is ${role}`, async (t) => {
    const { create, log } = await startWith(t);
    await create({ [SERVICE]: { roles } });
    assert.deepEqual(log, [`add ann@example.com ${role}`]);
  });
}

test('an inactive new user has no access', async (t) => {
  const { create, accounts } = await startWith(t);
  await create({ active: false });
  assert.equal(accounts.get('a0')?.status, 'suspended');
});

test('an existing admin is linked and stays admin; later roles change it', async (t) => {
  const { create, patch, accounts } = await startWith(t, {
    email: 'ann@example.com',
    role: 'admin',
  });
  const id = await create();
  assert.deepEqual([accounts.size, accounts.get('a0')?.role], [1, 'admin']);
  await patch(id, { op: 'add', path: `${SERVICE}:roles`, value: ['viewer'] });
  assert.equal(accounts.get('a0')?.role, 'viewer');
});

test('roles of the core schema count where the extension has none, as Entra ID assigns them', async (t) => {
  const { create, patch, accounts } = await startWith(t);
  const id = await create({ roles: [{ value: 'Owner', primary: true }] });
  assert.equal(accounts.get('a0')?.role, 'admin');
  const app = (value: string) => ({ op: 'Add', path: 'roles[primary eq "True"].value', value });
  await patch(id, app('Editor'));
  assert.equal(accounts.get('a0')?.role, 'editor');
  await patch(id, { op: 'add', path: `${SERVICE}:roles`, value: ['viewer'] });
  assert.equal(accounts.get('a0')?.role, 'viewer');
  await patch(id, app('admin'));
  assert.equal(accounts.get('a0')?.role, 'viewer');
  await patch(id, { op: 'remove', path: `${SERVICE}:roles` });
  assert.equal(accounts.get('a0')?.role, 'admin');
  await patch(id, { op: 'remove', path: 'roles' });
  assert.equal(accounts.get('a0')?.role, 'member');
});

test('roles of the core schema that are not roles here change no account', async (t) => {
  const { create, patch, accounts, log } = await startWith(t, {
    email: 'ann@example.com',
    role: 'admin',
  });
  const id = await create({ roles: [{ value: 'Accountant' }] });
  const done = log.length;
  await patch(id, { op: 'replace', path: 'roles', value: [{ value: 'Teacher' }] });
  await patch(id, { op: 'remove', path: 'roles' });
  assert.deepEqual([accounts.get('a0')?.role, log.length], ['admin', done]);
});

const complexRole = (value: string) =>
  JSON.stringify({ id: '06b07648-ecfe-589f-9d2f-6325724a46ee', value, displayName: value });

test('a role as JSON in a text changes the account in both directions', async (t) => {
  const { create, patch, accounts } = await startWith(t);
  const id = await create();
  const roleAfter = async (operation: object) => {
    const { status } = await patch(id, operation);
    assert.equal(status, 200);
    return accounts.get('a0')?.role;
  };
  const values = (...roles: string[]) => roles.map((role) => ({ value: complexRole(role) }));
  const path = 'roles';
  assert.equal(await roleAfter({ op: 'add', path, value: values('editor') }), 'editor');
  assert.equal(await roleAfter({ op: 'replace', path, value: values('admin', 'viewer') }), 'admin');
  assert.equal(await roleAfter({ op: 'replace', path, value: values('viewer') }), 'viewer');
  assert.equal(await roleAfter({ op: 'replace', value: { roles: values('Editor') } }), 'editor');
  assert.equal(await roleAfter({ op: 'remove', path, value: values('Editor') }), 'member');
  assert.equal(await roleAfter({ op: 'add', path, value: complexRole('editor') }), 'editor');
  const filter = `roles[value eq ${JSON.stringify(complexRole('editor'))}]`;
  assert.equal(await roleAfter({ op: 'remove', path: filter }), 'member');
  const primary = 'roles[primary eq "True"].value';
  assert.equal(await roleAfter({ op: 'Add', path: primary, value: complexRole('admin') }), 'admin');
  assert.equal(
    await roleAfter({ op: 'Add', path: primary, value: complexRole('viewer') }),
    'viewer',
  );
  const own = `${SERVICE}:roles`;
  assert.equal(await roleAfter({ op: 'add', path: own, value: [complexRole('admin')] }), 'admin');
  assert.equal(
    await roleAfter({ op: 'replace', path: own, value: [complexRole('viewer')] }),
    'viewer',
  );
});

test('a role as JSON in a text of POST and PUT is the role of the account', async (t) => {
  const { create, call, accounts } = await startWith(t);
  const id = await create({ roles: [{ value: complexRole('editor'), primary: true }] });
  assert.equal(accounts.get('a0')?.role, 'editor');
  const { body } = await call('GET', `/Users/${id}`);
  assert.deepEqual(body.roles, [{ value: 'editor', display: 'editor', primary: true }]);
  await call('PUT', `/Users/${id}`, userBody('ann', { roles: [{ value: complexRole('viewer') }] }));
  assert.equal(accounts.get('a0')?.role, 'viewer');
});

for (const text of [
  '{"value": "edit',
  '{}',
  '{"value": 1}',
  '{"value": ""}',
  '{"Value": "editor"}',
  '{"value": {"value": "editor"}}',
  '["editor"]',
  '"editor"',
  JSON.stringify({ value: complexRole('editor') }),
]) {
  test(`refuses the role ${text}, which it does not understand, and changes nothing`, async (t) => {
    const { create, call, patch, accounts } = await startWith(t);
    const id = await create({ roles: [{ value: 'editor' }] });
    const before = (await call('GET', `/Users/${id}`)).body;
    const roles = [{ value: text }];
    const own = { [SERVICE]: { roles: [text] } };
    for (const answer of [
      await patch(id, { op: 'add', path: 'roles', value: roles }),
      await patch(id, { op: 'replace', path: 'roles', value: roles }),
      await patch(id, { op: 'replace', value: { roles } }),
      await patch(id, { op: 'replace', path: 'roles[value eq "editor"].value', value: text }),
      await patch(id, { op: 'replace', path: `${SERVICE}:roles`, value: [text] }),
      await call('PUT', `/Users/${id}`, userBody('ann', { roles })),
      await call('POST', '/Users', userBody('bob', { roles })),
      await call('POST', '/Users', userBody('bob', own)),
    ]) {
      assert.deepEqual([answer.status, answer.body.scimType], [400, 'invalidValue']);
      assert.match(answer.body.detail, /roles.* must be the name of a role/);
    }
    assert.deepEqual((await call('GET', `/Users/${id}`)).body, before);
    assert.deepEqual([accounts.size, accounts.get('a0')?.role], [1, 'editor']);
  });
}

test('changes of other attributes change no account', async (t) => {
  const { create, patch, log } = await startWith(t);
  const id = await create();
  await patch(id, { op: 'add', path: 'title', value: 'Engineer' });
  assert.equal(log.length, 1);
});

test('a user whose account an administrator removed stays, and gets one when active again', async (t) => {
  const { create, patch, call, accounts, log } = await startWith(t);
  const id = await create();
  accounts.clear();
  for (const path of ['title', 'displayName']) {
    assert.equal((await patch(id, { op: 'add', path, value: 'x' })).status, 200);
    assert.equal(accounts.size, 0);
  }
  await patch(id, { op: 'replace', path: 'active', value: false });
  await patch(id, { op: 'replace', path: 'active', value: true });
  assert.equal(accounts.size, 1);
  assert.equal(log.filter((each) => each.startsWith('add')).length, 2);
  assert.equal((await call('DELETE', `/Users/${id}`)).status, 204);
  assert.equal(accounts.size, 0);
});

test('a user whose account must not be removed stays', async (t) => {
  const { create, call } = await startWith(t, { email: 'ann@example.com', role: 'owner' });
  const id = await create();
  const { status, body } = await call('DELETE', `/Users/${id}`);
  assert.deepEqual([status, body.detail], [409, 'the last owner']);
  assert.equal((await call('GET', `/Users/${id}`)).status, 200);
});

test('a name without marks is given to the account', async (t) => {
  const { create, accounts } = await startWith(t);
  await create({
    displayName: ' \u202e\u0007 ',
    name: { givenName: 'Ann\nMarie', familyName: 'X' },
  });
  assert.equal(accounts.get('a0')?.name, 'Ann Marie X');
});
