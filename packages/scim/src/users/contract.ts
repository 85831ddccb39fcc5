import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { OUTSIDE_REQUEST } from '@probity/core';
import type { OpenedStorage, PromiseCheck } from '@probity/core/testing';
import { insertUser, LATER, newUser, nextId, queryOf } from '../fixtures.ts';
import type { ScimUser } from '../resources/types.ts';
import { ENTERPRISE_USER_SCHEMA_ID } from '../schemas/extensions.ts';
import { USER } from '../schemas/resource-types.ts';
import type { ScimStorage } from '../storage.ts';

type Opened = OpenedStorage<ScimStorage>;

/** Contract checks of a storage for users, by test title. */
export const userPromises: Readonly<Record<string, PromiseCheck<ScimStorage>>> = {
  'a user is read back unchanged, by its own organization only': readsBack,
  'a user is found by its userName in any letter case': findsByName,
  'a userName is unique in its organization without regard to case': keepsNamesUnique,
  'a user is found by every writing of its mailbox, which no other user may have': findsMailbox,
  'an account belongs to one user of its organization': keepsAccountsUnique,
  'of many equal users created at once one is stored': createsOnce,
  'an update replaces a user of the version before it and no other': updates,
  'of concurrent updates of one version of a user one succeeds': updatesOnce,
  'a deleted user is gone, and its userName is free': deletes,
  'users are listed oldest first, by offset and after a position, with the total': listsInPages,
  'users are found by filters on indexed attributes': findsByIndex,
  'users are found by their present values alone after an update': findsPresentValues,
  'values longer than an index holds are found and told apart': findsLongValues,
  'users are sorted by an attribute, those without it last, ties by creation': sorts,
  'a failed transaction stores no user': rollsBack,
};

const MANY_ATTRIBUTES = {
  displayName: 'Bárbara "B" Jensen \u202e',
  name: { familyName: 'Jensen', givenName: 'Bárbara' },
  emails: [
    { value: 'Bjensen@Example.com', type: 'work', primary: true },
    { value: 'babs@jensen.org', type: 'home' },
  ],
  [ENTERPRISE_USER_SCHEMA_ID]: { employeeNumber: '701984', manager: { value: 'nobody' } },
};

async function readsBack({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const user = await insertUser(storage, own, {
    userName: "O'Neil.Ünal_fabrikam#EXT#@example.onmicrosoft.com",
    externalId: 'Ext:"1"',
    active: false,
    attributes: MANY_ATTRIBUTES,
    accountId: 'mem_1',
    version: 3,
    lastModifiedAt: LATER,
  });
  const plain = await insertUser(storage, own);
  assert.deepEqual(await storage.findUser(own, user.id), user);
  assert.deepEqual(await storage.findUser(own, plain.id), plain);
  assert.equal(await storage.findUser(other, user.id), null);
  assert.equal(await storage.findUser(own, nextId()), null);
  assert.deepEqual([await storage.countUsers(own), await storage.countUsers(other)], [2, 0]);
}

async function findsByName({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const user = await insertUser(storage, own, { userName: 'Ärger.ΣΟΦΟΣ@Example.com' });
  assert.deepEqual(await storage.findUserByName(own, 'ÄRGER.σοφος@example.COM'), user);
  assert.equal(await storage.findUserByName(own, 'ärger@example.com'), null);
  assert.equal(await storage.findUserByName(other, user.userName), null);
}

async function keepsNamesUnique({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const user = await insertUser(storage, own, { userName: 'Ana@Example.com' });
  const second = await insertUser(storage, own);
  const inUse = { kind: 'already_exists', reason: 'uniqueness' };
  await assert.rejects(insertUser(storage, own, { userName: 'aNA@example.COM' }), inUse);
  const renamed = { ...second, version: 2, userName: 'ANA@example.com' };
  await assert.rejects(update(storage, renamed), inUse);
  assert.deepEqual(await storage.findUser(own, second.id), second);
  await insertUser(storage, other, { userName: 'ana@example.com' });
  assert.equal(await update(storage, { ...user, version: 2, userName: 'ANA@example.com' }), true);
}

/** Writings of one mailbox: composed, decomposed, in capitals, and with the domain in Punycode. */
const WRITINGS = [
  'r\u00e9ne@b\u00fccher.example',
  're\u0301ne@bu\u0308cher.example',
  'R\u00c9NE@xn--bcher-kva.example',
  'Re\u0301ne@XN--BCHER-KVA.EXAMPLE',
];

async function findsMailbox({ storage, createTenant }: Opened): Promise<void> {
  for (const userName of WRITINGS) {
    const own = await createTenant();
    const emails = [{ value: userName, type: 'work' }];
    const user = await insertUser(storage, own, { userName, attributes: { emails } });
    await insertUser(storage, own, { userName: 'rena@xn--bcher-kva.example' });
    for (const writing of WRITINGS) {
      const text = JSON.stringify(writing);
      const filters = [
        `userName eq ${text}`,
        `userName eq ${text} and active eq true`,
        `emails eq ${text}`,
        `emails.value eq ${text}`,
        `emails[type eq "work" and value eq ${text}]`,
        `emails.value co ${text}`,
        `userName ew ${JSON.stringify(writing.slice(writing.indexOf('@') - 2))}`,
        `userName sw ${JSON.stringify(writing.slice(0, writing.indexOf('.')))}`,
        `not (userName ne ${text})`,
      ];
      for (const filter of filters) {
        assert.deepEqual(await find(storage, own, filter), [user.id], `${userName}: ${filter}`);
      }
      assert.deepEqual(await storage.findUserByName(own, writing), user);
      await assert.rejects(insertUser(storage, own, { userName: writing }), {
        kind: 'already_exists',
        reason: 'uniqueness',
      });
    }
    const renamed = { ...user, version: 2, userName: WRITINGS[1] as string };
    assert.equal(await update(storage, renamed), true);
    assert.deepEqual(await storage.findUserByName(own, userName), renamed);
  }
}

async function keepsAccountsUnique({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const user = await insertUser(storage, own, { accountId: 'mem_1' });
  const second = await insertUser(storage, own);
  const inUse = { kind: 'already_exists', reason: 'uniqueness' };
  await assert.rejects(insertUser(storage, own, { accountId: 'mem_1' }), inUse);
  await assert.rejects(update(storage, { ...second, version: 2, accountId: 'mem_1' }), inUse);
  assert.equal(await update(storage, { ...user, version: 2, active: false }), true);
  await insertUser(storage, other, { accountId: 'mem_1' });
}

async function createsOnce({ storage, createTenant, openAnother }: Opened): Promise<void> {
  const own = await createTenant();
  const storages = [storage, openAnother() ?? storage];
  const results = await Promise.allSettled(
    Array.from({ length: 200 }, (_, index) => {
      const userName = index % 3 === 0 ? 'Ana@example.com' : 'ana@EXAMPLE.com';
      return insertUser(storages[index % 2] ?? storage, own, { userName });
    }),
  );
  const failures = results.filter((result) => result.status === 'rejected');
  assert.equal(failures.length, 199);
  assert.deepEqual(new Set(failures.map(({ reason }) => reason.kind)), new Set(['already_exists']));
  assert.equal(await storage.countUsers(own), 1);
}

function update(storage: ScimStorage, user: ScimUser): Promise<boolean> {
  return storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    const before = await tx.findUser(user.organizationId, user.id);
    return tx.updateUser(user, before ?? user);
  });
}

async function updates({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const [user, kept] = [await insertUser(storage, own), await insertUser(storage, own)];
  const changed: ScimUser = {
    ...user,
    version: 2,
    lastModifiedAt: LATER,
    userName: 'renamed@example.com',
    externalId: 'ext-1',
    active: false,
    attributes: MANY_ATTRIBUTES,
    accountId: 'mem_2',
  };
  assert.equal(await update(storage, { ...changed, organizationId: other }), false);
  assert.equal(await update(storage, { ...changed, version: 3 }), false);
  assert.equal(await update(storage, { ...changed, id: nextId() }), false);
  assert.deepEqual(await storage.findUser(own, user.id), user);
  assert.equal(await update(storage, changed), true);
  assert.deepEqual(await storage.findUser(own, user.id), changed);
  assert.equal(await update(storage, changed), false, 'again');
  assert.deepEqual(await storage.findUser(own, kept.id), kept);
  assert.equal(await storage.findUserByName(own, user.userName), null);
}

async function updatesOnce({ storage, createTenant, openAnother }: Opened): Promise<void> {
  const own = await createTenant();
  const user = await insertUser(storage, own);
  const storages = [storage, openAnother() ?? storage];
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      update(storages[index % 2] ?? storage, { ...user, version: 2, externalId: `${index}` }),
    ),
  );
  assert.equal(results.filter(Boolean).length, 1);
  const winner = String(results.indexOf(true));
  assert.equal((await storage.findUser(own, user.id))?.externalId, winner);
}

async function deletes({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const [user, kept] = [await insertUser(storage, own), await insertUser(storage, own)];
  const remove = (organizationId: string) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) => tx.deleteUser(organizationId, user.id, LATER));
  assert.equal(await remove(other), false);
  assert.deepEqual([await remove(own), await remove(own)], [true, false]);
  assert.equal(await storage.findUser(own, user.id), null);
  assert.deepEqual(await storage.findUser(own, kept.id), kept);
  await insertUser(storage, own, { userName: user.userName });
}

async function listsInPages({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const newer = await insertUser(storage, own, { createdAt: LATER });
  const tied = [await insertUser(storage, own), await insertUser(storage, own)];
  await insertUser(storage, other);
  const expected = [...tied, newer];
  const list = (rest: Parameters<typeof queryOf>[1]) => storage.listUsers(own, queryOf(USER, rest));
  assert.deepEqual(await list({}), { items: expected, total: 3 });
  assert.deepEqual(await list({ limit: 2 }), { items: tied, total: 3 });
  assert.deepEqual(await list({ start: { offset: 2 } }), { items: [newer], total: 3 });
  assert.deepEqual(await list({ start: { offset: 7 } }), { items: [], total: 3 });
  assert.deepEqual(await list({ start: { offset: 1e21 } }), { items: [], total: 3 });
  assert.deepEqual(await list({ limit: 0 }), { items: [], total: 3 });
  const walked: ScimUser[] = [];
  for (let index = 0; index < 3; index += 1) {
    const after = walked.at(-1) ?? null;
    const { items, total } = await list({ limit: 1, start: { after } });
    assert.equal(total, 3);
    walked.push(...items);
  }
  assert.deepEqual(walked, expected);
  assert.deepEqual(await list({ start: { after: newer } }), { items: [], total: 3 });
  // A filter that no index serves is paged alike.
  const filter = 'active eq true';
  assert.deepEqual(await list({ filter, limit: 1, start: { offset: 1 } }), {
    items: [tied[1]],
    total: 3,
  });
  assert.deepEqual(await list({ filter, start: { after: tied[0] as ScimUser } }), {
    items: [tied[1], newer],
    total: 3,
  });
}

/** The ids of the users that match a filter. */
async function find(storage: ScimStorage, organizationId: string, filter: string) {
  const { items, total } = await storage.listUsers(organizationId, queryOf(USER, { filter }));
  assert.equal(items.length, total);
  return items.map(({ id }) => id);
}

async function findsByIndex({ storage, createTenant }: Opened): Promise<void> {
  const [own, other] = [await createTenant(), await createTenant()];
  const { id } = await insertUser(storage, own, {
    userName: 'Bjensen@Example.com',
    externalId: 'Ext-1',
    attributes: MANY_ATTRIBUTES,
  });
  const { id: twin } = await insertUser(storage, own, { externalId: 'Ext-1' });
  await insertUser(storage, other, { externalId: 'Ext-1', attributes: MANY_ATTRIBUTES });
  const found: ReadonlyArray<readonly [filter: string, ids: readonly string[]]> = [
    ['userName eq "bjensen@EXAMPLE.com"', [id]],
    ['userName eq "jensen@example.com"', []],
    ['externalId eq "Ext-1"', [id, twin]],
    ['externalId eq "ext-1"', []],
    ['emails.value eq "BABS@jensen.org"', [id]],
    ['emails eq "bjensen@example.com"', [id]],
    ['emails[type eq "work" and value eq "bjensen@example.com"]', [id]],
    ['emails[type eq "home" and value eq "bjensen@example.com"]', []],
    ['displayName eq "bárbara \\"b\\" JENSEN \u202e"', [id]],
    [`id eq "${twin}"`, [twin]],
    ['emails.value eq "babs@jensen.org" or externalId eq "Ext-1"', [id, twin]],
    ['externalId eq "Ext-1" and not (emails.type eq "home")', [twin]],
    [`${ENTERPRISE_USER_SCHEMA_ID}:manager.value eq "nobody"`, [id]],
    ['meta.created lt "2026-01-01T00:00:00Z"', []],
    ['groups pr', []],
  ];
  for (const [filter, ids] of found)
    assert.deepEqual(await find(storage, own, filter), ids, filter);
}

async function findsPresentValues({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  const user = await insertUser(storage, own, { attributes: MANY_ATTRIBUTES });
  const emails = [{ value: 'babs@jensen.org' }, { value: 'new@example.com' }];
  await update(storage, { ...user, version: 2, attributes: { displayName: 'Babs', emails } });
  const found = async (filter: string) => (await find(storage, own, filter)).length;
  assert.equal(await found('emails.value eq "bjensen@example.com"'), 0);
  assert.equal(await found('emails.value eq "babs@jensen.org"'), 1);
  assert.equal(await found('emails.value eq "new@example.com"'), 1);
  assert.equal(await found('displayName eq "babs"'), 1);
  assert.equal(await found('name.familyName pr'), 0);
  await update(storage, { ...user, version: 3, attributes: {} });
  assert.equal(await found('emails.value eq "new@example.com"'), 0);
  assert.equal(await found('emails pr'), 0);
}

async function findsLongValues({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  // Hashes, since PostgreSQL compresses what repeats.
  const hashes = Array.from({ length: 75 }, (_, index) =>
    createHash('sha256').update(`${index}`).digest('base64'),
  );
  const long = '𝒜ß'.repeat(50) + hashes.join('').slice(0, 3_300);
  const facts = (end: string) => ({
    externalId: `${long}${end}`,
    attributes: { displayName: `${long}${end}`, emails: [{ value: `${long}${end}` }] },
  });
  const { id } = await insertUser(storage, own, facts('1'));
  await insertUser(storage, own, facts('2'));
  for (const name of ['externalId', 'displayName', 'emails.value']) {
    assert.deepEqual(await find(storage, own, `${name} eq "${long}1"`), [id], name);
  }
}

async function sorts({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  const named = (familyName: string | null, facts: Partial<ScimUser> = {}) =>
    insertUser(storage, own, {
      attributes: familyName === null ? {} : { name: { familyName } },
      ...facts,
    });
  const [none, zeal] = [await named(null), await named('zeal')];
  const [abel, second] = [await named('Abel', { createdAt: LATER }), await named('ABEL')];
  const list = async (rest: Parameters<typeof queryOf>[1]) => {
    const { items, total } = await storage.listUsers(own, queryOf(USER, rest));
    assert.equal(total, 4);
    return items;
  };
  const sortBy = 'name.familyName';
  assert.deepEqual(await list({ sortBy }), [second, abel, zeal, none]);
  assert.deepEqual(await list({ sortBy, order: 'descending' }), [none, zeal, second, abel]);
  const page = { limit: 2, start: { offset: 1 } };
  assert.deepEqual(await list({ sortBy, ...page }), [abel, zeal]);
  assert.deepEqual(await list({ sortBy, ...page, filter: 'schemas pr' }), [abel, zeal]);
  assert.deepEqual(await list({ sortBy: 'meta.created', order: 'descending' }), [
    abel,
    none,
    zeal,
    second,
  ]);
}

async function rollsBack({ storage, createTenant }: Opened): Promise<void> {
  const own = await createTenant();
  const failing = storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    await tx.insertUser(newUser(own));
    throw new Error('on purpose');
  });
  await assert.rejects(failing, /on purpose/);
  assert.equal(await storage.countUsers(own), 0);
}
