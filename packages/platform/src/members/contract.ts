import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OUTSIDE_REQUEST } from '@probity/core';
import { at } from '@probity/core/testing';
import type { Member } from '../organizations/types.ts';
import type { MemberContractTarget } from '../testing/member-contract-target.ts';
import { withMembers } from '../testing/member-contract-target.ts';
import { newApiKey } from '../testing/records.ts';
import { describeInvitations } from './invitation-contract.ts';

/**
 * The contract of `MemberStorage` as node:test suites: members and invitations. Every
 * adapter must pass it.
 */
export function describeMemberStorageContract(target: MemberContractTarget): void {
  describe(`${target.name}: member storage`, () => {
    describeMemberReads(target);
    describeMemberChanges(target);
    describeInvitations(target);
  });
}

function describeMemberReads(target: MemberContractTarget): void {
  test('a member comes back as it was stored, to its own organization only', () =>
    withMembers(target, async ({ members }, add) => {
      const stored = await add({
        email: 'Ärø@Example.com',
        name: 'Jürgen "J" ✓',
        role: 'editor',
        status: 'pending_invite',
        mfaEnabled: true,
        createdAt: at(5),
        lastLogin: at(6),
      });
      const other = await add();
      assert.deepEqual(await members.findMember(stored.organizationId, stored.id), stored);
      assert.equal(await members.findMember(other.organizationId, stored.id), null);
      assert.equal(await members.findMember(stored.organizationId, 'mem_none'), null);
    }));

  test('an e-mail is taken within an organization, whatever its case', () =>
    withMembers(target, async (_opened, add) => {
      const { organizationId } = await add({ email: 'ann@example.com' });
      await assert.rejects(add({ organizationId, email: 'ANN@example.com' }), {
        kind: 'already_exists',
      });
      await add({ email: 'ann@example.com' });
    }));

  test('members are listed oldest first, ties by id, page by page', () =>
    withMembers(target, async ({ members }, add) => {
      const third = await add({ id: 'mem_c', createdAt: at(2) });
      const { organizationId } = third;
      const second = await add({ organizationId, id: 'mem_b', createdAt: at(1) });
      const first = await add({ organizationId, id: 'mem_a', createdAt: at(1) });
      await add();
      const list = (limit: number, offset: number) =>
        members.listMembers(organizationId, { limit, offset });
      assert.deepEqual(await list(2, 0), { items: [first, second], total: 3 });
      assert.deepEqual(await list(2, 2), { items: [third], total: 3 });
      assert.deepEqual(await list(2, 9), { items: [], total: 3 });
    }));

  test('only other active owners of the organization are counted', () =>
    withMembers(target, async ({ members }, add) => {
      const { organizationId, id } = await add({ role: 'owner' });
      const count = () => members.countOtherActiveOwners(organizationId, id);
      await add({ role: 'owner' });
      await add({ organizationId, role: 'admin' });
      await add({ organizationId, role: 'owner', status: 'pending_invite' });
      await add({ organizationId, role: 'owner', status: 'suspended' });
      assert.equal(await count(), 0);
      await add({ organizationId, role: 'owner' });
      assert.equal(await count(), 1);
    }));
}

function describeMemberChanges(target: MemberContractTarget): void {
  test('a change touches the named fields of the member alone', () =>
    withMembers(target, async ({ members }, add) => {
      const member = await add({ name: 'Ann' });
      const neighbour = await add({ organizationId: member.organizationId });
      const { organizationId, id } = member;
      const update = (organization: string, changes: Partial<Member>) =>
        members.transaction(OUTSIDE_REQUEST, (tx) => tx.updateMember(organization, id, changes));
      const suspended = { ...member, status: 'suspended' } as const;
      assert.deepEqual(await update(organizationId, { status: 'suspended' }), suspended);
      const changes = { name: null, role: 'viewer', status: 'active' } as const;
      const changed = { ...member, ...changes };
      assert.deepEqual(await update(organizationId, changes), changed);
      assert.deepEqual(await members.findMember(organizationId, id), changed);
      assert.deepEqual(await members.findMember(organizationId, neighbour.id), neighbour);
      assert.equal(await update('org_none', { role: 'owner' }), null);
    }));

  test("a removed member is gone with its API keys, and nobody else's", () =>
    withMembers(target, async ({ members, platform }, add) => {
      const member = await add();
      const { organizationId, id } = member;
      const neighbour = await add({ organizationId });
      const [lost, kept] = [newApiKey(member), newApiKey(neighbour)];
      await platform.transaction(OUTSIDE_REQUEST, async (tx) => {
        await tx.insertApiKey(lost);
        await tx.insertApiKey(kept);
      });
      const remove = (organization: string) =>
        members.transaction(OUTSIDE_REQUEST, (tx) => tx.deleteMember(organization, id));
      assert.equal(await remove('org_none'), false);
      assert.equal(await remove(organizationId), true);
      assert.equal(await remove(organizationId), false);
      assert.equal(await members.findMember(organizationId, id), null);
      assert.equal(await platform.identifyApiKey(lost.tokenHash), null);
      assert.ok(await platform.identifyApiKey(kept.tokenHash));
      await add({ organizationId, email: member.email });
    }));
}
