import assert from 'node:assert/strict';
import type { Database } from '../storage/database.ts';
import type {
  ContractCheck,
  ContractDatabase,
  ContractPromises,
} from '../testing/contract-target.ts';
import { createTestTenant } from '../testing/fixtures.ts';
import { at, newScopedToken, START } from '../testing/records.ts';
import type { ScopedTokenReads, ScopedTokenWrites } from './storage.ts';
import type { ScopedToken } from './types.ts';

/** Contract checks of tokens of limited scope. */
export const scopedTokenPromises: ContractPromises = {
  'a token of limited scope is read as it was stored, by its hash': async (opened) => {
    const [organizationId] = await createTenants(opened);
    const plain = newScopedToken(organizationId);
    const full = newScopedToken(organizationId, {
      issuer: { ...plain.issuer, keyId: 'ses_1', sessionId: 'ses_1', role: 'owner', plan: 'free' },
      grant: { scopes: [], resourceIds: ['whk_1', 'grün'] },
    });
    for (const token of [plain, full]) await insert(opened, token);
    for (const token of [plain, full]) {
      assert.deepEqual(await find(opened, token.tokenHash), token);
      const held = await write(opened, (tx) => tx.identifyScopedToken(token.tokenHash, true));
      assert.deepEqual(held, token);
    }
    assert.equal(await find(opened, '0'.repeat(64)), null);
  },

  'tokens of limited scope in force are counted by organization': async (opened) => {
    const [own, other] = await createTenants(opened);
    await insert(opened, newScopedToken(own, { expiresAt: at(10) }));
    await insert(opened, newScopedToken(own, { expiresAt: at(20) }));
    await insert(opened, newScopedToken(other, { expiresAt: at(30) }));
    const count = (organizationId: string, ms: number) =>
      readsOf(opened.database).countScopedTokens(organizationId, 'ppt_', at(ms));
    assert.deepEqual(
      [await count(own, 0), await count(own, 10), await count(own, 20), await count(other, 0)],
      [2, 1, 0, 1],
    );
  },

  'tokens of limited scope in force are listed, the last to expire first, also those of a member':
    async (opened) => {
      const [own, other] = await createTenants(opened);
      const made = (ms: number, id: string, memberId = 'mem_1') => {
        const token = newScopedToken(own, { expiresAt: at(ms), id });
        return { ...token, issuer: { ...token.issuer, memberId } };
      };
      const tokens = [made(10, 'ptk_1'), made(30, 'ptk_2'), made(30, 'ptk_3', 'mem_2')];
      for (const token of [...tokens, newScopedToken(other)]) await insert(opened, token);
      const list = (ms: number, memberId?: string, offset = 0) =>
        readsOf(opened.database).listScopedTokens(
          { organizationId: own, kind: 'ppt_', after: at(ms), memberId },
          { limit: 2, offset },
        );
      const [first, second, third] = tokens;
      assert.deepEqual(await list(9), { items: [third, second], total: 3 });
      assert.deepEqual(await list(9, undefined, 2), { items: [first], total: 3 });
      assert.deepEqual(await list(10), { items: [third, second], total: 2 });
      assert.deepEqual(await list(30), { items: [], total: 0 });
      assert.deepEqual(await list(0, 'mem_2'), { items: [third], total: 1 });
    },

  'a token of limited scope is deleted once, by its own organization only': async (opened) => {
    const [own, other] = await createTenants(opened);
    const token = newScopedToken(own);
    await insert(opened, token);
    const remove = (organizationId: string) =>
      write(opened, (tx) => tx.deleteScopedToken(organizationId, 'ppt_', token.id));
    assert.equal(await remove(other), false);
    assert.deepEqual(await find(opened, token.tokenHash), token);
    assert.deepEqual([await remove(own), await remove(own)], [true, false]);
    assert.equal(await find(opened, token.tokenHash), null);
  },

  'all tokens of limited scope of an organization, or of a member, are deleted, and no others':
    async (opened) => {
      const [own, other] = await createTenants(opened);
      const [first, second, foreign] = [own, own, other].map((id) => newScopedToken(id)) as Three;
      for (const token of [first, second, foreign]) await insert(opened, token);
      const byOther = newScopedToken(own, { issuer: { ...first.issuer, memberId: 'mem_2' } });
      await insert(opened, byOther);
      const removeOf = (memberId?: string) =>
        write(opened, (tx) => tx.deleteScopedTokensOf(own, 'ppt_', memberId));
      assert.deepEqual([await removeOf('mem_2'), await removeOf('mem_2')], [1, 0]);
      assert.equal(await find(opened, byOther.tokenHash), null);
      assert.deepEqual(await find(opened, first.tokenHash), first);
      assert.equal(await removeOf(), 2);
      assert.equal(await find(opened, first.tokenHash), null);
      assert.equal(await find(opened, second.tokenHash), null);
      assert.deepEqual(await find(opened, foreign.tokenHash), foreign);
    },

  'expired tokens of limited scope are deleted in batches': async (opened) => {
    const [organizationId] = await createTenants(opened);
    for (const ms of [1, 2, 3]) {
      await insert(opened, newScopedToken(organizationId, { expiresAt: at(ms) }));
    }
    const remove = () => write(opened, (tx) => tx.deleteExpiredScopedTokens(at(3), 1));
    assert.deepEqual([await remove(), await remove(), await remove()], [1, 1, 0]);
    const left = await readsOf(opened.database).countScopedTokens(organizationId, 'ppt_', START);
    assert.equal(left, 1);
  },

  'a token of limited scope ends when its organization is removed, and is deleted with it': async (
    opened,
  ) => {
    const [organizationId] = await createTenants(opened);
    const token = newScopedToken(organizationId);
    await insert(opened, token);
    await write(opened, (tx) => tx.markTenantRemoved(organizationId, START));
    assert.equal(await find(opened, token.tokenHash), null);
    await write(opened, (tx) => tx.deleteTenant(organizationId));
    await write(opened, (tx) => tx.ensureTenant(organizationId));
    assert.equal(await find(opened, token.tokenHash), null);
  },
};

type Three = [ScopedToken, ScopedToken, ScopedToken];
type Kernel = ReturnType<Database['kernel']>;

async function createTenants(opened: Parameters<ContractCheck<ContractDatabase>>[0]) {
  const tenants = [await createTestTenant(opened), await createTestTenant(opened)] as const;
  return [tenants[0].organizationId, tenants[1].organizationId] as const;
}

function readsOf(database: Database): ScopedTokenReads & ScopedTokenWrites {
  return database.kernel(database.reader);
}

function find({ database }: ContractDatabase, tokenHash: string): Promise<ScopedToken | null> {
  return readsOf(database).identifyScopedToken(tokenHash);
}

function write<T>({ database }: ContractDatabase, work: (tx: Kernel) => Promise<T>): Promise<T> {
  return database.transaction((session) => work(database.kernel(session)));
}

function insert(opened: ContractDatabase, token: ScopedToken): Promise<void> {
  return write(opened, (tx) => tx.insertScopedToken(token));
}
