import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OUTSIDE_REQUEST } from '@probity/core';
import { at } from '@probity/core/testing';
import type { MemberContractTarget } from '../testing/member-contract-target.ts';
import { withMembers } from '../testing/member-contract-target.ts';
import { newInvitation, newInvitationToken } from '../testing/member-records.ts';
import type { MemberStorage } from './storage.ts';
import type { Invitation } from './types.ts';

/** Invitations: part of the contract of `MemberStorage`. */
export function describeInvitations(target: MemberContractTarget): void {
  describeReads(target);
  describeEnds(target);
  describeTokens(target);
}

function describeReads(target: MemberContractTarget): void {
  test('an invitation comes back as it was stored, by id and by its token', () =>
    withMembers(target, async ({ members }, add) => {
      const member = await add({ role: 'editor' });
      const times = { createdAt: at(1), sentAt: at(2), expiresAt: at(3) };
      const stored = newInvitation(member, { ...times, acceptedAt: at(4), revokedAt: at(5) });
      await insert(members, stored);
      const { organizationId, id, tokenHash } = stored;
      assert.deepEqual(await members.findInvitation(organizationId, id), stored);
      assert.deepEqual(await members.findInvitationByToken(tokenHash), stored);
      assert.equal(await members.findInvitation('org_none', id), null);
      assert.equal(await members.findInvitationByToken('0'.repeat(64)), null);
    }));

  test('invitations are listed oldest first, ties by id, those that have ended as well', () =>
    withMembers(target, async ({ members }, add) => {
      const member = await add();
      const rows = [
        newInvitation(member, { id: 'inv_c', createdAt: at(2), sealedToken: null }),
        newInvitation(member, { id: 'inv_b', createdAt: at(1), revokedAt: at(4) }),
        newInvitation(member, { id: 'inv_a', createdAt: at(1), acceptedAt: at(4) }),
      ];
      await insert(members, ...rows, newInvitation(await add()));
      const list = (limit: number, offset: number) =>
        members.listInvitations(member.organizationId, { limit, offset });
      assert.deepEqual(await list(2, 0), { items: [rows[2], rows[1]], total: 3 });
      assert.deepEqual(await list(2, 2), { items: [rows[0]], total: 3 });
    }));
}

function describeEnds(target: MemberContractTarget): void {
  for (const end of ['accepted', 'revoked'] as const) {
    test(`an invitation is ${end} once, and its sealed token is forgotten`, () =>
      withMembers(target, async ({ members }, add) => {
        const stored = newInvitation(await add());
        await insert(members, stored);
        const { organizationId, id } = stored;
        const finish = (organization: string, how: 'accepted' | 'revoked') =>
          members.transaction(OUTSIDE_REQUEST, (tx) =>
            tx.endInvitation(organization, id, how, at(7)),
          );
        assert.equal(await finish('org_none', end), null);
        const time = end === 'accepted' ? { acceptedAt: at(7) } : { revokedAt: at(7) };
        const ended = { ...stored, ...time, sealedToken: null };
        assert.deepEqual(await finish(organizationId, end), ended);
        assert.equal(await finish(organizationId, 'accepted'), null);
        assert.equal(await finish(organizationId, 'revoked'), null);
        assert.deepEqual(await members.findInvitation(organizationId, id), ended);
      }));
  }

  test('of parallel ends of one invitation exactly one wins', () =>
    withMembers(target, async ({ members }, add) => {
      const stored = newInvitation(await add());
      await insert(members, stored);
      const ends = Array.from({ length: 8 }, (_, index) =>
        members.transaction(OUTSIDE_REQUEST, (tx) =>
          tx.endInvitation(
            stored.organizationId,
            stored.id,
            index % 2 ? 'accepted' : 'revoked',
            at(1),
          ),
        ),
      );
      assert.equal((await Promise.all(ends)).filter(Boolean).length, 1);
    }));

  test("revoking a member's invitations and changing their role leaves all others alone", () =>
    withMembers(target, async ({ members }, add) => {
      const member = await add({ role: 'viewer' });
      const { organizationId, id } = member;
      const neighbour = await add({ organizationId });
      const open = newInvitation(member);
      const others = [newInvitation(member, { acceptedAt: at(1) }), newInvitation(neighbour)];
      await insert(members, open, ...others);
      await members.transaction(OUTSIDE_REQUEST, async (tx) => {
        await tx.setInvitedRole(organizationId, id, 'editor');
        await tx.revokeInvitationsOf(organizationId, id, at(2));
        await tx.revokeInvitationsOf(organizationId, id, at(3));
        await tx.setInvitedRole(organizationId, id, 'admin');
      });
      assert.deepEqual(await members.findInvitation(organizationId, open.id), {
        ...open,
        role: 'editor',
        revokedAt: at(2),
        sealedToken: null,
      });
      for (const other of others) {
        assert.deepEqual(await members.findInvitation(organizationId, other.id), other);
      }
    }));

  test('an invitation outlives its member', () =>
    withMembers(target, async ({ members }, add) => {
      const member = await add();
      const stored = newInvitation(member);
      const { organizationId } = member;
      await insert(members, stored);
      await members.transaction(OUTSIDE_REQUEST, (tx) =>
        tx.deleteMember(organizationId, member.id),
      );
      assert.deepEqual(await members.findInvitation(organizationId, stored.id), stored);
    }));
}

function describeTokens(target: MemberContractTarget): void {
  test('a new token replaces the former one, unless the invitation has ended', () =>
    withMembers(target, async ({ members }, add) => {
      const member = await add();
      const stored = newInvitation(member);
      const ended = [
        newInvitation(member, { acceptedAt: at(1) }),
        newInvitation(member, { revokedAt: at(1) }),
      ];
      await insert(members, stored, ...ended);
      const { organizationId, id } = stored;
      const token = newInvitationToken({ sentAt: at(50), expiresAt: at(90) });
      const renew = (organization: string, invitationId: string) =>
        members.transaction(OUTSIDE_REQUEST, (tx) =>
          tx.renewInvitation(organization, invitationId, token),
        );
      assert.equal(await renew('org_none', id), null);
      for (const each of ended) assert.equal(await renew(organizationId, each.id), null);
      assert.deepEqual(await renew(organizationId, id), { ...stored, ...token });
      assert.equal(await members.findInvitationByToken(stored.tokenHash), null);
      assert.deepEqual(await members.findInvitationByToken(token.tokenHash), {
        ...stored,
        ...token,
      });
    }));

  test('tokens sealed under another key are listed in steps and replaced once', () =>
    withMembers(target, async ({ members }, add) => {
      const member = await add();
      const sealed = [null, 'v1.22222222.a', 'v1.11111111.b', 'v1.22222222.c', 'v1.33333333.d'];
      const rows = sealed.map((sealedToken, index) =>
        newInvitation(member, { id: `inv_${index}`, sealedToken }),
      );
      await insert(members, ...rows);
      const list = async (after: string, limit: number) =>
        (await members.listSealedTokens('11111111', after, limit)).map(({ id }) => id);
      assert.deepEqual(await list('', 2), ['inv_1', 'inv_3']);
      assert.deepEqual(await list('inv_3', 2), ['inv_4']);
      const replace = (from: string, to: string) =>
        members.transaction(OUTSIDE_REQUEST, (tx) =>
          tx.replaceSealedToken({ id: 'inv_1', from, to }),
        );
      await replace('v1.22222222.a', 'v1.11111111.new');
      await replace('v1.22222222.a', 'v1.11111111.late');
      assert.deepEqual(await list('', 9), ['inv_3', 'inv_4']);
      const stored = await members.findInvitation(member.organizationId, 'inv_1');
      assert.equal(stored?.sealedToken, 'v1.11111111.new');
    }));

  test('a sealed token is forgotten only while it is the present one', () =>
    withMembers(target, async ({ members }, add) => {
      const stored = newInvitation(await add());
      await insert(members, stored);
      const { organizationId, id, tokenHash } = stored;
      const clear = (organization: string, hash: string) =>
        members.transaction(OUTSIDE_REQUEST, (tx) => tx.clearSealedToken(organization, id, hash));
      const sealed = async () => (await members.findInvitation(organizationId, id))?.sealedToken;
      await clear(organizationId, 'f'.repeat(64));
      await clear('org_none', tokenHash);
      assert.equal(await sealed(), stored.sealedToken);
      await clear(organizationId, tokenHash);
      assert.equal(await sealed(), null);
    }));
}

function insert(members: MemberStorage, ...invitations: Invitation[]): Promise<void> {
  return members.transaction(OUTSIDE_REQUEST, async (tx) => {
    for (const invitation of invitations) await tx.insertInvitation(invitation);
  });
}
