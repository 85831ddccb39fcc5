import assert from 'node:assert/strict';
import { OUTSIDE_REQUEST } from '@probity/core';
import { at } from '@probity/core/testing';
import type { PlatformStorage } from '../storage.ts';
import { withWorld } from '../testing/contract-world.ts';
import { newInvitation, newInvitationToken } from '../testing/member-records.ts';
import type { PlatformPromises } from '../testing/targets.ts';
import type { Invitation } from './types.ts';

/** Contract checks of invitations, by test title. */
export const invitationPromises: PlatformPromises = {
  'an invitation is read back as stored, by id and by token': withWorld(
    async ({ storage, addMember }) => {
      const member = await addMember({ role: 'editor' });
      const times = { createdAt: at(1), sentAt: at(2), expiresAt: at(3) };
      const stored = newInvitation(member, { ...times, acceptedAt: at(4), revokedAt: at(5) });
      await insert(storage, stored);
      const { organizationId, id, tokenHash } = stored;
      assert.deepEqual(await storage.findInvitation(organizationId, id), stored);
      assert.deepEqual(await storage.findInvitationByToken(tokenHash), stored);
      assert.equal(await storage.findInvitation('org_none', id), null);
      assert.equal(await storage.findInvitationByToken('0'.repeat(64)), null);
    },
  ),

  'invitations are listed oldest first, ties by id, ended ones included': withWorld(
    async ({ storage, addMember }) => {
      const member = await addMember();
      const rows = [
        newInvitation(member, { id: 'inv_c', createdAt: at(2), sealedToken: null }),
        newInvitation(member, { id: 'inv_b', createdAt: at(1), revokedAt: at(4) }),
        newInvitation(member, { id: 'inv_a', createdAt: at(1), acceptedAt: at(4) }),
      ];
      await insert(storage, ...rows, newInvitation(await addMember()));
      const list = (limit: number, offset: number) =>
        storage.listInvitations(member.organizationId, { limit, offset });
      assert.deepEqual(await list(2, 0), { items: [rows[2], rows[1]], total: 3 });
      assert.deepEqual(await list(2, 2), { items: [rows[0]], total: 3 });
    },
  ),

  'an invitation is accepted at most once, which clears its sealed token': endsOnce('accepted'),

  'an invitation is revoked at most once, which clears its sealed token': endsOnce('revoked'),

  'of parallel attempts to end one invitation exactly one succeeds': withWorld(
    async ({ storage, addMember, write }) => {
      const stored = newInvitation(await addMember());
      await insert(storage, stored);
      const ends = Array.from({ length: 8 }, (_, index) =>
        write((tx) =>
          tx.endInvitation(
            stored.organizationId,
            stored.id,
            index % 2 ? 'accepted' : 'revoked',
            at(1),
          ),
        ),
      );
      assert.equal((await Promise.all(ends)).filter(Boolean).length, 1);
    },
  ),

  "revoking a member's invitations or changing their role leaves all other invitations unchanged":
    withWorld(async ({ storage, addMember, write }) => {
      const member = await addMember({ role: 'viewer' });
      const { organizationId, id } = member;
      const neighbor = await addMember({ organizationId });
      const open = newInvitation(member);
      const others = [newInvitation(member, { acceptedAt: at(1) }), newInvitation(neighbor)];
      await insert(storage, open, ...others);
      await write(async (tx) => {
        await tx.setInvitedRole(organizationId, id, 'editor');
        await tx.revokeInvitationsOf(organizationId, id, at(2));
        await tx.revokeInvitationsOf(organizationId, id, at(3));
        await tx.setInvitedRole(organizationId, id, 'admin');
      });
      assert.deepEqual(await storage.findInvitation(organizationId, open.id), {
        ...open,
        role: 'editor',
        revokedAt: at(2),
        sealedToken: null,
      });
      for (const other of others) {
        assert.deepEqual(await storage.findInvitation(organizationId, other.id), other);
      }
    }),

  'a member has accepted an invitation where one of its own has that end': withWorld(
    async ({ storage, addMember }) => {
      const [member, neighbor] = [await addMember(), await addMember()];
      await insert(storage, newInvitation(member), newInvitation(neighbor, { acceptedAt: at(1) }));
      const hasAccepted = ({ organizationId, id }: typeof member) =>
        storage.hasAcceptedInvitation(organizationId, id);
      assert.deepEqual([await hasAccepted(member), await hasAccepted(neighbor)], [false, true]);
    },
  ),

  'an invitation outlives its member': withWorld(async ({ storage, addMember, write }) => {
    const member = await addMember();
    const stored = newInvitation(member);
    const { organizationId } = member;
    await insert(storage, stored);
    await write((tx) => tx.deleteMember(organizationId, member.id));
    assert.deepEqual(await storage.findInvitation(organizationId, stored.id), stored);
  }),

  'renewing an invitation replaces its token, unless the invitation has ended': withWorld(
    async ({ storage, addMember, write }) => {
      const member = await addMember();
      const stored = newInvitation(member);
      const ended = [
        newInvitation(member, { acceptedAt: at(1) }),
        newInvitation(member, { revokedAt: at(1) }),
      ];
      await insert(storage, stored, ...ended);
      const { organizationId, id } = stored;
      const token = newInvitationToken({ sentAt: at(50), expiresAt: at(90) });
      const renew = (organization: string, invitationId: string) =>
        write((tx) => tx.renewInvitation(organization, invitationId, token));
      assert.equal(await renew('org_none', id), null);
      for (const each of ended) assert.equal(await renew(organizationId, each.id), null);
      assert.deepEqual(await renew(organizationId, id), { ...stored, ...token });
      assert.equal(await storage.findInvitationByToken(stored.tokenHash), null);
      assert.deepEqual(await storage.findInvitationByToken(token.tokenHash), {
        ...stored,
        ...token,
      });
    },
  ),

  'invitation tokens sealed under another key are listed in batches and replaced once': withWorld(
    async ({ storage, addMember, write }) => {
      const member = await addMember();
      const sealed = [null, 'v1.22222222.a', 'v1.11111111.b', 'v1.22222222.c', 'v1.33333333.d'];
      const rows = sealed.map((sealedToken, index) =>
        newInvitation(member, { id: `inv_${index}`, sealedToken }),
      );
      await insert(storage, ...rows);
      const list = async (after: string, limit: number) =>
        (await storage.listSealedInvitations('11111111', after, limit)).map(({ id }) => id);
      assert.deepEqual(await list('', 2), ['inv_1', 'inv_3']);
      assert.deepEqual(await list('inv_3', 2), ['inv_4']);
      const replace = (from: string, to: string) =>
        write((tx) => tx.replaceSealedInvitation({ id: 'inv_1', from, to }));
      await replace('v1.22222222.a', 'v1.11111111.new');
      await replace('v1.22222222.a', 'v1.11111111.late');
      assert.deepEqual(await list('', 9), ['inv_3', 'inv_4']);
      const stored = await storage.findInvitation(member.organizationId, 'inv_1');
      assert.equal(stored?.sealedToken, 'v1.11111111.new');
    },
  ),

  'a sealed invitation token is cleared only while it is the current one': withWorld(
    async ({ storage, addMember, write }) => {
      const stored = newInvitation(await addMember());
      await insert(storage, stored);
      const { organizationId, id, tokenHash } = stored;
      const clear = (organization: string, hash: string) =>
        write((tx) => tx.clearSealedInvitation(organization, id, hash));
      const sealed = async () => (await storage.findInvitation(organizationId, id))?.sealedToken;
      await clear(organizationId, 'f'.repeat(64));
      await clear('org_none', tokenHash);
      assert.equal(await sealed(), stored.sealedToken);
      await clear(organizationId, tokenHash);
      assert.equal(await sealed(), null);
    },
  ),
};

function endsOnce(end: 'accepted' | 'revoked') {
  return withWorld(async ({ storage, addMember, write }) => {
    const stored = newInvitation(await addMember());
    await insert(storage, stored);
    const { organizationId, id } = stored;
    const finish = (organization: string, how: 'accepted' | 'revoked') =>
      write((tx) => tx.endInvitation(organization, id, how, at(7)));
    assert.equal(await finish('org_none', end), null);
    const time = end === 'accepted' ? { acceptedAt: at(7) } : { revokedAt: at(7) };
    const ended = { ...stored, ...time, sealedToken: null };
    assert.deepEqual(await finish(organizationId, end), ended);
    assert.equal(await finish(organizationId, 'accepted'), null);
    assert.equal(await finish(organizationId, 'revoked'), null);
    assert.deepEqual(await storage.findInvitation(organizationId, id), ended);
  });
}

function insert(storage: PlatformStorage, ...invitations: Invitation[]): Promise<void> {
  return storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    for (const invitation of invitations) await tx.insertInvitation(invitation);
  });
}
