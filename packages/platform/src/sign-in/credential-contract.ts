import assert from 'node:assert/strict';
import { at } from '@probity/core/testing';
import { withWorld } from '../testing/contract-world.ts';
import { keyOfMember, newReset } from '../testing/sign-in-records.ts';
import type { PlatformPromises } from '../testing/targets.ts';

/** Contract checks of accounts, second factors and password resets, by test title. */
export const credentialPromises: PlatformPromises = {
  'accounts are found by e-mail in any case, across organizations': withWorld(
    async ({ storage, addMember, write }) => {
      const first = await addMember({ email: 'Ann@Example.com' });
      const second = await addMember({ email: 'ann@example.com', status: 'suspended' });
      await addMember({ email: 'bob@example.com' });
      await write((tx) => tx.setPasswordHash(keyOfMember(second), 'one'));
      await write((tx) => tx.setPasswordHash(keyOfMember(second), 'two'));
      const accounts = await storage.findAccountsByEmail('ANN@example.COM');
      const expected = [first, second].sort((left, right) =>
        left.organizationId < right.organizationId ? -1 : 1,
      );
      assert.deepEqual(
        accounts.map(({ member }) => member),
        expected,
      );
      const organization = await storage.findOrganization(second.organizationId);
      assert.deepEqual(await storage.findAccount(keyOfMember(second)), {
        member: second,
        organization: {
          id: second.organizationId,
          name: organization?.name,
          slug: organization?.slug,
        },
        ipAllowlist: '[]',
        passwordHash: 'two',
        sealedMfaSecret: null,
      });
      assert.equal((await storage.findAccount(keyOfMember(first)))?.passwordHash, null);
      const foreign = { organizationId: first.organizationId, memberId: second.id };
      assert.equal(await storage.findAccount(foreign), null);
      assert.deepEqual(await storage.findAccountsByEmail('nobody@example.com'), []);
    },
  ),

  'a sign-in sets last_login of the member': withWorld(async ({ storage, addMember, write }) => {
    const member = await addMember();
    await write((tx) => tx.recordSignIn(keyOfMember(member), at(7)));
    const account = await storage.findAccount(keyOfMember(member));
    assert.deepEqual(account?.member, { ...member, lastLogin: at(7) });
  }),

  'a second factor is enabled by confirming its own secret, with the given recovery codes only':
    withWorld(async ({ storage, addMember, write }) => {
      const member = await addMember();
      const key = keyOfMember(member);
      const enable = (secret: string, codes: string[]) =>
        write((tx) => tx.enableMfa(key, secret, 5, codes));
      assert.equal(await enable(SECRET, ['a']), false);
      await write((tx) => tx.setMfaSecret(key, 'v1.00000000.former'));
      await write((tx) => tx.setMfaSecret(key, SECRET));
      assert.equal(await enable('v1.00000000.former', ['a']), false);
      assert.equal((await storage.findAccount(key))?.member.mfaEnabled, false);
      assert.equal(await enable(SECRET, ['a', 'b']), true);
      assert.equal(await enable(SECRET, ['c']), false);
      const account = await storage.findAccount(key);
      assert.deepEqual([account?.member.mfaEnabled, account?.sealedMfaSecret], [true, SECRET]);
      assert.equal(await storage.countRecoveryCodes(key), 2);
      await write((tx) => tx.disableMfa(key));
      const after = await storage.findAccount(key);
      assert.deepEqual([after?.member.mfaEnabled, after?.sealedMfaSecret], [false, null]);
      assert.equal(await storage.countRecoveryCodes(key), 0);
    }),

  'a TOTP time step is used once, and no earlier one after it, also concurrently': withWorld(
    async ({ addMember, write }) => {
      const member = await addMember();
      const key = keyOfMember(member);
      const use = (step: number) => write((tx) => tx.useMfaStep(key, step));
      assert.equal(await use(9), false);
      await write((tx) => tx.setMfaSecret(key, SECRET));
      await write((tx) => tx.enableMfa(key, SECRET, 5, []));
      assert.deepEqual([await use(4), await use(5)], [false, false]);
      const used = await Promise.all(Array.from({ length: 8 }, () => use(6)));
      assert.equal(used.filter(Boolean).length, 1);
      assert.equal(await use(7), true);
    },
  ),

  'a recovery code is used once, by its own member, also concurrently': withWorld(
    async ({ storage, addMember, write }) => {
      const member = await addMember();
      const neighbor = await addMember({ organizationId: member.organizationId });
      const key = keyOfMember(member);
      await write((tx) => tx.setMfaSecret(key, SECRET));
      await write((tx) => tx.enableMfa(key, SECRET, 5, ['code one', 'code two']));
      const use = (code: string, of = key) => write((tx) => tx.useRecoveryCode(of, code));
      assert.equal(await use('code one', keyOfMember(neighbor)), false);
      const used = await Promise.all(Array.from({ length: 8 }, () => use('code one')));
      assert.equal(used.filter(Boolean).length, 1);
      assert.equal(await storage.countRecoveryCodes(key), 1);
    },
  ),

  'recovery codes are replaced as a whole, while the second factor is enabled': withWorld(
    async ({ storage, addMember, write }) => {
      const member = await addMember();
      const neighbor = await addMember({ organizationId: member.organizationId });
      const key = keyOfMember(member);
      const replace = (codes: string[]) => write((tx) => tx.replaceRecoveryCodes(key, codes));
      assert.equal(await replace(['code a']), false);
      await write(async (tx) => {
        for (const each of [member, neighbor]) {
          await tx.setMfaSecret(keyOfMember(each), SECRET);
          await tx.enableMfa(keyOfMember(each), SECRET, 5, [`code of ${each.id}`]);
        }
      });
      assert.equal(await replace(['code a', 'code b']), true);
      const use = (code: string) => write((tx) => tx.useRecoveryCode(key, code));
      assert.equal(await use(`code of ${member.id}`), false);
      assert.deepEqual([await use('code a'), await use('code b')], [true, true]);
      assert.equal(await storage.countRecoveryCodes(keyOfMember(neighbor)), 1);
      await Promise.all([replace(['c', 'd']), replace(['e', 'f']), replace(['g', 'h'])]);
      assert.equal(await storage.countRecoveryCodes(key), 2);
      const foreign = { ...key, organizationId: (await addMember()).organizationId };
      assert.equal(await write((tx) => tx.replaceRecoveryCodes(foreign, ['i'])), false);
    },
  ),

  'a member has at most one password reset, which is taken once': withWorld(
    async ({ storage, addMember, write }) => {
      const member = await addMember();
      const [former, reset] = [newReset(member), newReset(member, { createdAt: at(1) })];
      await write((tx) => tx.putPasswordReset(former));
      await write((tx) => tx.putPasswordReset(reset));
      assert.equal(await storage.findPasswordResetByToken(former.tokenHash), null);
      assert.deepEqual(await storage.findPasswordResetByToken(reset.tokenHash), reset);
      assert.deepEqual(await storage.findPasswordReset(keyOfMember(member)), reset);
      const take = () => write((tx) => tx.takePasswordReset(reset.tokenHash));
      const taken = await Promise.all(Array.from({ length: 8 }, take));
      assert.deepEqual(
        taken.filter((each) => each !== null),
        [reset],
      );
    },
  ),

  'the sealed token of a password reset is cleared, unless there is a newer one': withWorld(
    async ({ storage, addMember, write }) => {
      const member = await addMember();
      const key = keyOfMember(member);
      const reset = newReset(member);
      await write((tx) => tx.putPasswordReset(reset));
      await write((tx) => tx.clearSealedReset(key, 'another'));
      assert.deepEqual(await storage.findPasswordReset(key), reset);
      await write((tx) => tx.clearSealedReset(key, reset.tokenHash));
      assert.deepEqual(await storage.findPasswordReset(key), { ...reset, sealedToken: null });
    },
  ),

  'setting a password deletes the pending password reset': withWorld(
    async ({ storage, addMember, write }) => {
      const member = await addMember();
      await write((tx) => tx.putPasswordReset(newReset(member)));
      await write((tx) => tx.setPasswordHash(keyOfMember(member), 'hash'));
      assert.equal(await storage.findPasswordReset(keyOfMember(member)), null);
    },
  ),

  'expired password resets are deleted in batches': withWorld(
    async ({ storage, addMember, write }) => {
      const kept = newReset(await addMember(), { expiresAt: at(10) });
      for (const expiresAt of [at(1), at(2), at(9)]) {
        const reset = newReset(await addMember(), { expiresAt });
        await write((tx) => tx.putPasswordReset(reset));
      }
      await write((tx) => tx.putPasswordReset(kept));
      const remove = () => write((tx) => tx.deleteExpiredResets(at(10), 2));
      assert.deepEqual([await remove(), await remove(), await remove()], [2, 1, 0]);
      assert.ok(await storage.findPasswordResetByToken(kept.tokenHash));
    },
  ),

  'values sealed under other keys are listed by member and replaced if unchanged': withWorld(
    async ({ storage, addMember, write }) => {
      const members = [await addMember({ id: 'mem_a' }), await addMember({ id: 'mem_b' })];
      for (const member of members) {
        await write((tx) => tx.setMfaSecret(keyOfMember(member), `v1.00000000.${member.id}`));
        await write((tx) => tx.putPasswordReset(newReset(member)));
      }
      const secret = { id: 'mem_a', sealed: 'v1.00000000.mem_a' };
      const other = { id: 'mem_b', sealed: 'v1.00000000.mem_b' };
      const list = (after = '', limit = 9) =>
        storage.listSealedMfaSecrets('11111111', after, limit);
      assert.deepEqual(await list(), [secret, other]);
      assert.deepEqual(await list('', 1), [secret]);
      assert.deepEqual(await list('mem_a'), [other]);
      assert.deepEqual(await storage.listSealedMfaSecrets('00000000', '', 9), []);
      const to = 'v1.11111111.anew';
      await write((tx) => tx.replaceMfaSecret({ id: 'mem_a', from: secret.sealed, to }));
      await write((tx) => tx.replaceMfaSecret({ id: 'mem_b', from: 'v1.00000000.old', to }));
      assert.deepEqual(await list(), [other]);
      assert.equal((await storage.listSealedResets('11111111', '', 9)).length, 2);
      const from = newReset(members[0] as (typeof members)[0]).sealedToken ?? '';
      await write((tx) => tx.replaceSealedReset({ id: 'mem_a', from, to }));
      const left = await storage.listSealedResets('11111111', '', 9);
      assert.deepEqual(
        left.map(({ id }) => id),
        ['mem_b'],
      );
    },
  ),
};

const SECRET = 'v1.00000000.secret';
