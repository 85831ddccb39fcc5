import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OUTSIDE_REQUEST } from '@probity/core';
import { at, START } from '@probity/core/testing';
import { describeCredentials } from '../credentials/contract.ts';
import type { SignInContractTarget } from '../testing/sign-in-contract-target.ts';
import {
  keyOfMember,
  newReset,
  newSession,
  withSignIn,
} from '../testing/sign-in-contract-target.ts';

/**
 * The contract of `SignInStorage` as node:test suites: sessions, failures, passwords, second factors
 * and resets. Every adapter must pass it.
 */
export function describeSignInStorageContract(target: SignInContractTarget): void {
  describe(`${target.name}: sign-in storage`, () => {
    describeSessions(target);
    describeSessionEnds(target);
    describeFailures(target);
    describeCredentials(target);
  });
}

function describeSessions(target: SignInContractTarget): void {
  test('a session comes back as it was stored, to its own member only', () =>
    withSignIn(target, async ({ signIn, addMember, write }) => {
      const member = await addMember();
      const neighbour = await addMember({ organizationId: member.organizationId });
      const session = newSession(member, { address: null, userAgent: null });
      await write((tx) => tx.insertSession(session));
      assert.deepEqual(await signIn.findSession(keyOfMember(member), session.id), session);
      assert.equal(await signIn.findSession(keyOfMember(neighbour), session.id), null);
      assert.equal(await signIn.findSession(keyOfMember(member), 'ses_none'), null);
    }));

  test('a session leads to what decides about it now', () =>
    withSignIn(target, async ({ opened, signIn, addMember, write }) => {
      const member = await addMember({ role: 'admin' });
      const { organizationId, id: memberId } = member;
      const session = newSession(member);
      await write((tx) => tx.insertSession(session));
      const identity = {
        sessionId: session.id,
        familyHash: session.familyHash,
        ...keyOfMember(member),
        memberRole: 'admin',
        memberStatus: 'active',
        plan: 'starter',
        ipAllowlist: '[]',
        expiresAt: session.expiresAt,
      };
      assert.deepEqual(await signIn.identifySession(session.id), identity);
      assert.equal(await signIn.identifySession('ses_none'), null);
      await opened.members.transaction(OUTSIDE_REQUEST, (tx) =>
        tx.updateMember(organizationId, memberId, { role: 'viewer' }),
      );
      const changed = await signIn.identifySession(session.id);
      assert.equal(changed?.memberRole, 'viewer');
    }));

  test('sessions are listed newest first, without those that have expired', () =>
    withSignIn(target, async ({ signIn, addMember, write }) => {
      const member = await addMember();
      const neighbour = await addMember({ organizationId: member.organizationId });
      const [first, second, expired] = [
        newSession(member, { createdAt: at(1) }),
        newSession(member, { createdAt: at(2) }),
        newSession(member, { expiresAt: at(10) }),
      ];
      await write(async (tx) => {
        for (const each of [first, second, expired, newSession(neighbour)])
          await tx.insertSession(each);
      });
      const list = (limit: number, offset: number) =>
        signIn.listSessions(keyOfMember(member), at(10), { limit, offset });
      assert.deepEqual(await list(1, 0), { items: [second], total: 2 });
      assert.deepEqual(await list(5, 1), { items: [first], total: 2 });
    }));

  test('a renewal keeps the former refresh token as the previous one', () =>
    withSignIn(target, async ({ signIn, addMember, write }) => {
      const member = await addMember();
      const session = newSession(member);
      await write((tx) => tx.insertSession(session));
      await write((tx) => tx.renewSession(session.id, 'b'.repeat(64), at(5)));
      await write((tx) => tx.renewSession(session.id, 'c'.repeat(64), at(6)));
      const renewed = {
        ...session,
        refreshHash: 'c'.repeat(64),
        previousHash: 'b'.repeat(64),
        lastUsed: at(6),
      };
      assert.deepEqual(await write((tx) => tx.lockSessionByFamily(session.familyHash)), renewed);
      assert.equal(await write((tx) => tx.lockSessionByFamily('none')), null);
      assert.deepEqual(await signIn.findSession(keyOfMember(member), session.id), renewed);
    }));
}

function describeSessionEnds(target: SignInContractTarget): void {
  test('a session is deleted by its own member, once', () =>
    withSignIn(target, async ({ signIn, addMember, write }) => {
      const member = await addMember();
      const neighbour = await addMember({ organizationId: member.organizationId });
      const session = newSession(member);
      await write((tx) => tx.insertSession(session));
      const end = (of: typeof member) =>
        write((tx) => tx.deleteSession(keyOfMember(of), session.id));
      assert.equal(await end(neighbour), false);
      assert.equal(await end(member), true);
      assert.equal(await end(member), false);
      assert.equal(await signIn.identifySession(session.id), null);
    }));

  test("a member's sessions end together, but for one, and nobody else's", () =>
    withSignIn(target, async ({ signIn, addMember, write }) => {
      const member = await addMember();
      const neighbour = await addMember({ organizationId: member.organizationId });
      const [kept, lost, foreign] = [newSession(member), newSession(member), newSession(neighbour)];
      await write(async (tx) => {
        for (const each of [kept, lost, foreign]) await tx.insertSession(each);
      });
      assert.equal(await write((tx) => tx.deleteSessionsOf(keyOfMember(member), kept.id)), 1);
      assert.ok(await signIn.identifySession(kept.id));
      assert.equal(await signIn.identifySession(lost.id), null);
      assert.equal(await write((tx) => tx.deleteSessionsOf(keyOfMember(member))), 1);
      assert.ok(await signIn.identifySession(foreign.id));
    }));

  test('suspending a member ends its sessions; changing its role does not', () =>
    withSignIn(target, async ({ opened, signIn, addMember, write }) => {
      const member = await addMember();
      const session = newSession(member);
      const other = newSession(await addMember({ organizationId: member.organizationId }));
      await write((tx) => tx.insertSession(session));
      await write((tx) => tx.insertSession(other));
      const update = (changes: object) =>
        opened.members.transaction(OUTSIDE_REQUEST, (tx) =>
          tx.updateMember(member.organizationId, member.id, changes),
        );
      await update({ role: 'viewer' });
      assert.ok(await signIn.identifySession(session.id));
      await update({ status: 'suspended' });
      await update({ status: 'active' });
      assert.equal(await signIn.identifySession(session.id), null);
      assert.ok(await signIn.identifySession(other.id));
    }));

  test('with a member or an organization goes all that somebody signs in with', () =>
    withSignIn(target, async ({ opened, signIn, addMember, write }) => {
      for (const end of ['member', 'organization'] as const) {
        const member = await addMember();
        const key = keyOfMember(member);
        const [session, reset] = [newSession(member), newReset(member)];
        await write(async (tx) => {
          await tx.setPasswordHash(key, 'hash');
          await tx.setMfaSecret(key, 'v1.00000000.secret');
          await tx.enableMfa(key, 'v1.00000000.secret', 1, [`code of ${end}`]);
          await tx.insertSession(session);
          await tx.putPasswordReset(reset);
        });
        if (end === 'member') {
          await opened.members.transaction(OUTSIDE_REQUEST, (tx) =>
            tx.deleteMember(key.organizationId, member.id),
          );
        } else {
          await opened.platform.transaction(OUTSIDE_REQUEST, (tx) =>
            tx.deleteTenant(key.organizationId),
          );
        }
        assert.equal(await signIn.findAccount(key), null);
        assert.equal(await signIn.identifySession(session.id), null);
        assert.equal(await signIn.findPasswordResetByToken(reset.tokenHash), null);
        assert.equal(await signIn.countRecoveryCodes(key), 0);
      }
    }));

  test('expired sessions are deleted, a batch at a time', () =>
    withSignIn(target, async ({ signIn, addMember, write }) => {
      const member = await addMember();
      const kept = newSession(member, { expiresAt: at(10) });
      await write(async (tx) => {
        for (const expiresAt of [at(1), at(2), at(9)])
          await tx.insertSession(newSession(member, { expiresAt }));
        await tx.insertSession(kept);
      });
      const remove = () => write((tx) => tx.deleteExpiredSessions(at(10), 2));
      assert.deepEqual([await remove(), await remove(), await remove()], [2, 1, 0]);
      assert.ok(await signIn.identifySession(kept.id));
    }));
}

function describeFailures(target: SignInContractTarget): void {
  const locked = { failures: 10, lastFailedAt: at(5), lockedUntil: at(100) };

  test('failures begin at none and come back as they were stored', () =>
    withSignIn(target, async ({ signIn, write }) => {
      assert.equal(await signIn.findFailures('ann'), null);
      const none = { failures: 0, lastFailedAt: START, lockedUntil: null };
      assert.deepEqual(await write((tx) => tx.openFailures('ann', START)), none);
      await write((tx) => tx.storeFailures('ann', locked));
      assert.deepEqual(await write((tx) => tx.openFailures('ann', at(9))), locked);
      assert.deepEqual(await signIn.findFailures('ann'), locked);
      assert.equal(await signIn.findFailures('bob'), null);
    }));

  test('a success clears failures, but not while they lock', () =>
    withSignIn(target, async ({ signIn, write }) => {
      const clear = (now: Date) => write((tx) => tx.clearFailures('ann', now));
      assert.equal(await clear(START), null);
      assert.equal(await signIn.findFailures('ann'), null);
      await write((tx) => tx.storeFailures('ann', locked));
      assert.deepEqual(await clear(at(99)), at(100));
      assert.deepEqual(await signIn.findFailures('ann'), locked);
      assert.equal(await clear(at(100)), null);
      assert.equal((await signIn.findFailures('ann'))?.failures, 0);
    }));

  test('failures that are counted at the same time are all counted', () =>
    withSignIn(target, async ({ signIn, write }) => {
      const count = () =>
        write(async (tx) => {
          const { failures } = await tx.openFailures('ann', START);
          const after = { failures: failures + 1, lastFailedAt: START, lockedUntil: null };
          await tx.storeFailures('ann', after);
        });
      await Promise.all(Array.from({ length: 12 }, count));
      assert.equal((await signIn.findFailures('ann'))?.failures, 12);
    }));

  test('old failures are deleted, a batch at a time', () =>
    withSignIn(target, async ({ signIn, write }) => {
      for (const [subject, time] of [
        ['ann', 1],
        ['bob', 2],
        ['eve', 3],
        ['joe', 10],
      ] as const) {
        await write((tx) => tx.storeFailures(subject, { ...locked, lastFailedAt: at(time) }));
      }
      const remove = () => write((tx) => tx.deleteOldFailures(at(10), 2));
      assert.deepEqual([await remove(), await remove(), await remove()], [2, 1, 0]);
      assert.ok(await signIn.findFailures('joe'));
    }));
}
