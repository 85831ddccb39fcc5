import assert from 'node:assert/strict';
import { at, START } from '@probity/core/testing';
import { withWorld } from '../testing/contract-world.ts';
import { keyOfMember, newReset, newSession } from '../testing/sign-in-records.ts';
import type { PlatformPromises } from '../testing/targets.ts';

const locked = { failures: 10, lastFailedAt: at(5), lockedUntil: at(100) };

/** Contract checks of sessions and sign-in failures, by test title. */
export const sessionPromises: PlatformPromises = {
  'a session is read back as stored, by its own member only': withWorld(
    async ({ storage, addMember, write }) => {
      const member = await addMember();
      const neighbor = await addMember({ organizationId: member.organizationId });
      const session = newSession(member, { address: null, userAgent: null });
      await write((tx) => tx.insertSession(session));
      assert.deepEqual(await storage.findSession(keyOfMember(member), session.id), session);
      assert.equal(await storage.findSession(keyOfMember(neighbor), session.id), null);
      assert.equal(await storage.findSession(keyOfMember(member), 'ses_none'), null);
    },
  ),

  'a session id identifies the session, the present state of its member, and the organization':
    withWorld(async ({ storage, addMember, write }) => {
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
      assert.deepEqual(await storage.identifySession(session.id), identity);
      assert.equal(await storage.identifySession('ses_none'), null);
      await write((tx) => tx.updateMember(organizationId, memberId, { role: 'viewer' }));
      const changed = await storage.identifySession(session.id);
      assert.equal(changed?.memberRole, 'viewer');
    }),

  'sessions are listed newest first, without expired ones': withWorld(
    async ({ storage, addMember, write }) => {
      const member = await addMember();
      const neighbor = await addMember({ organizationId: member.organizationId });
      const [first, second, expired] = [
        newSession(member, { createdAt: at(1) }),
        newSession(member, { createdAt: at(2) }),
        newSession(member, { expiresAt: at(10) }),
      ];
      await write(async (tx) => {
        for (const each of [first, second, expired, newSession(neighbor)])
          await tx.insertSession(each);
      });
      const list = (limit: number, offset: number) =>
        storage.listSessions(keyOfMember(member), at(10), { limit, offset });
      assert.deepEqual(await list(1, 0), { items: [second], total: 2 });
      assert.deepEqual(await list(5, 1), { items: [first], total: 2 });
    },
  ),

  'renewing a session keeps the former refresh token as the previous one': withWorld(
    async ({ storage, addMember, write }) => {
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
      assert.deepEqual(await storage.findSession(keyOfMember(member), session.id), renewed);
    },
  ),

  'a session is deleted by its own member, once': withWorld(
    async ({ storage, addMember, write }) => {
      const member = await addMember();
      const neighbor = await addMember({ organizationId: member.organizationId });
      const session = newSession(member);
      await write((tx) => tx.insertSession(session));
      const end = (of: typeof member) =>
        write((tx) => tx.deleteSession(keyOfMember(of), session.id));
      assert.equal(await end(neighbor), false);
      assert.equal(await end(member), true);
      assert.equal(await end(member), false);
      assert.equal(await storage.identifySession(session.id), null);
    },
  ),

  "a member's sessions end together, except the given one and those of other members": withWorld(
    async ({ storage, addMember, write }) => {
      const member = await addMember();
      const neighbor = await addMember({ organizationId: member.organizationId });
      const [kept, lost, foreign] = [newSession(member), newSession(member), newSession(neighbor)];
      await write(async (tx) => {
        for (const each of [kept, lost, foreign]) await tx.insertSession(each);
      });
      assert.equal(await write((tx) => tx.deleteSessionsOf(keyOfMember(member), kept.id)), 1);
      assert.ok(await storage.identifySession(kept.id));
      assert.equal(await storage.identifySession(lost.id), null);
      assert.equal(await write((tx) => tx.deleteSessionsOf(keyOfMember(member))), 1);
      assert.ok(await storage.identifySession(foreign.id));
    },
  ),

  'suspending a member ends its sessions; changing its role does not': withWorld(
    async ({ storage, addMember, write }) => {
      const member = await addMember();
      const session = newSession(member);
      const other = newSession(await addMember({ organizationId: member.organizationId }));
      await write((tx) => tx.insertSession(session));
      await write((tx) => tx.insertSession(other));
      const update = (changes: object) =>
        write((tx) => tx.updateMember(member.organizationId, member.id, changes));
      await update({ role: 'viewer' });
      assert.ok(await storage.identifySession(session.id));
      await update({ status: 'suspended' });
      await update({ status: 'active' });
      assert.equal(await storage.identifySession(session.id), null);
      assert.ok(await storage.identifySession(other.id));
    },
  ),

  'deleting a member or an organization deletes its credentials and sessions': withWorld(
    async ({ storage, addMember, write }) => {
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
          await write((tx) => tx.deleteMember(key.organizationId, member.id));
        } else {
          await write((tx) => tx.deleteTenant(key.organizationId));
        }
        assert.equal(await storage.findAccount(key), null);
        assert.equal(await storage.identifySession(session.id), null);
        assert.equal(await storage.findPasswordResetByToken(reset.tokenHash), null);
        assert.equal(await storage.countRecoveryCodes(key), 0);
      }
    },
  ),

  'expired sessions are deleted in batches': withWorld(async ({ storage, addMember, write }) => {
    const member = await addMember();
    const kept = newSession(member, { expiresAt: at(10) });
    await write(async (tx) => {
      for (const expiresAt of [at(1), at(2), at(9)])
        await tx.insertSession(newSession(member, { expiresAt }));
      await tx.insertSession(kept);
    });
    const remove = () => write((tx) => tx.deleteExpiredSessions(at(10), 2));
    assert.deepEqual([await remove(), await remove(), await remove()], [2, 1, 0]);
    assert.ok(await storage.identifySession(kept.id));
  }),

  'sign-in failures start at zero and are read back as stored': withWorld(
    async ({ storage, write }) => {
      assert.equal(await storage.findSignInFailures('ann'), null);
      const none = { failures: 0, lastFailedAt: START, lockedUntil: null };
      assert.deepEqual(await write((tx) => tx.openSignInFailures('ann', START)), none);
      await write((tx) => tx.storeSignInFailures('ann', locked));
      assert.deepEqual(await write((tx) => tx.openSignInFailures('ann', at(9))), locked);
      assert.deepEqual(await storage.findSignInFailures('ann'), locked);
      assert.equal(await storage.findSignInFailures('bob'), null);
    },
  ),

  'concurrent sign-in failures are all counted': withWorld(async ({ storage, write }) => {
    const count = () =>
      write(async (tx) => {
        const { failures } = await tx.openSignInFailures('ann', START);
        const after = { failures: failures + 1, lastFailedAt: START, lockedUntil: null };
        await tx.storeSignInFailures('ann', after);
      });
    await Promise.all(Array.from({ length: 12 }, count));
    assert.equal((await storage.findSignInFailures('ann'))?.failures, 12);
  }),

  'old sign-in failures are deleted in batches': withWorld(async ({ storage, write }) => {
    for (const [subject, time] of [
      ['ann', 1],
      ['bob', 2],
      ['eve', 3],
      ['joe', 10],
    ] as const) {
      await write((tx) => tx.storeSignInFailures(subject, { ...locked, lastFailedAt: at(time) }));
    }
    const remove = () => write((tx) => tx.deleteOldSignInFailures(at(10), 2));
    assert.deepEqual([await remove(), await remove(), await remove()], [2, 1, 0]);
    assert.ok(await storage.findSignInFailures('joe'));
  }),
};
