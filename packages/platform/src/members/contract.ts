import assert from 'node:assert/strict';
import { OUTSIDE_REQUEST } from '@probity/core';
import { at } from '@probity/core/testing';
import { withWorld } from '../testing/contract-world.ts';
import { newApiKey } from '../testing/records.ts';
import type { PlatformPromises } from '../testing/targets.ts';
import type { MemberChanges } from './storage.ts';

/** Contract checks of members, by test title. */
export const memberPromises: PlatformPromises = {
  'a member is read back as stored, by its own organization only': withWorld(
    async ({ storage, addMember }) => {
      const stored = await addMember({
        email: 'Ärø@Example.com',
        name: 'Jürgen "J" ✓',
        role: 'editor',
        status: 'pending_invite',
        mfaEnabled: true,
        createdAt: at(5),
        lastLogin: at(6),
      });
      const other = await addMember();
      assert.deepEqual(await storage.findMember(stored.organizationId, stored.id), stored);
      assert.equal(await storage.findMember(other.organizationId, stored.id), null);
      assert.equal(await storage.findMember(stored.organizationId, 'mem_none'), null);
    },
  ),

  'an e-mail is unique among the members of an organization, ignoring case': withWorld(
    async ({ addMember }) => {
      const { organizationId } = await addMember({ email: 'ann@example.com' });
      await assert.rejects(addMember({ organizationId, email: 'ANN@example.com' }), {
        kind: 'already_exists',
      });
      await addMember({ email: 'ann@example.com' });
    },
  ),

  'a member is found by e-mail in any case and status, in its own organization only': withWorld(
    async ({ storage, addMember }) => {
      const ann = await addMember({ email: 'Ärø@Example.com', status: 'suspended' });
      const other = await addMember({ email: 'bob@example.com' });
      const { organizationId } = ann;
      assert.deepEqual(await storage.findMemberByEmail(organizationId, 'ärø@EXAMPLE.com'), ann);
      assert.equal(await storage.findMemberByEmail(organizationId, other.email), null);
      assert.equal(await storage.findMemberByEmail(organizationId, 'nobody@example.com'), null);
    },
  ),

  'a changed e-mail is found in any case, and is refused where another member has it': withWorld(
    async ({ storage, addMember }) => {
      const ann = await addMember({ email: 'ann@example.com' });
      const { organizationId } = ann;
      await addMember({ organizationId, email: 'bob@example.com' });
      const rename = (email: string) =>
        storage.transaction(OUTSIDE_REQUEST, (tx) =>
          tx.updateMember(organizationId, ann.id, { email }),
        );
      await rename('Ann.New@example.com');
      const found = await storage.findMemberByEmail(organizationId, 'ann.new@EXAMPLE.com');
      assert.deepEqual(found, { ...ann, email: 'Ann.New@example.com' });
      assert.equal(await storage.findMemberByEmail(organizationId, 'ann@example.com'), null);
      await assert.rejects(rename('BOB@example.com'), { kind: 'already_exists' });
      await rename('ANN.new@example.com');
    },
  ),

  'the active members with a role are listed, oldest first': withWorld(
    async ({ storage, addMember }) => {
      const second = await addMember({ id: 'mem_b', role: 'owner', createdAt: at(2) });
      const { organizationId } = second;
      const first = await addMember({ organizationId, role: 'owner', createdAt: at(1) });
      await addMember({ organizationId, role: 'admin' });
      await addMember({ organizationId, role: 'owner', status: 'suspended' });
      await addMember({ role: 'owner' });
      assert.deepEqual(await storage.listActiveMembers(organizationId, 'owner', 9), [
        first,
        second,
      ]);
      assert.deepEqual(await storage.listActiveMembers(organizationId, 'owner', 1), [first]);
      assert.deepEqual(await storage.listActiveMembers('org_none', 'owner', 9), []);
    },
  ),

  'members are listed oldest first, ties by id, page by page': withWorld(
    async ({ storage, addMember }) => {
      const third = await addMember({ id: 'mem_c', createdAt: at(2) });
      const { organizationId } = third;
      const second = await addMember({ organizationId, id: 'mem_b', createdAt: at(1) });
      const first = await addMember({ organizationId, id: 'mem_a', createdAt: at(1) });
      await addMember();
      const list = (limit: number, offset: number) =>
        storage.listMembers(organizationId, { limit, offset });
      assert.deepEqual(await list(2, 0), { items: [first, second], total: 3 });
      assert.deepEqual(await list(2, 2), { items: [third], total: 3 });
      assert.deepEqual(await list(2, 9), { items: [], total: 3 });
    },
  ),

  'the count of other active owners leaves out other roles, statuses and organizations': withWorld(
    async ({ storage, addMember }) => {
      const { organizationId, id } = await addMember({ role: 'owner' });
      const count = () => storage.countOtherActiveOwners(organizationId, id);
      await addMember({ role: 'owner' });
      await addMember({ organizationId, role: 'admin' });
      await addMember({ organizationId, role: 'owner', status: 'pending_invite' });
      await addMember({ organizationId, role: 'owner', status: 'suspended' });
      assert.equal(await count(), 0);
      await addMember({ organizationId, role: 'owner' });
      assert.equal(await count(), 1);
    },
  ),

  'a member update changes the named fields of that member only': withWorld(
    async ({ storage, addMember, write }) => {
      const member = await addMember({ name: 'Ann' });
      const neighbor = await addMember({ organizationId: member.organizationId });
      const { organizationId, id } = member;
      const update = (organization: string, changes: MemberChanges) =>
        write((tx) => tx.updateMember(organization, id, changes));
      const suspended = { ...member, status: 'suspended' } as const;
      assert.deepEqual(await update(organizationId, { status: 'suspended' }), suspended);
      const changes = { name: null, role: 'viewer', status: 'active' } as const;
      const changed = { ...member, ...changes };
      assert.deepEqual(await update(organizationId, changes), changed);
      assert.deepEqual(await storage.findMember(organizationId, id), changed);
      assert.deepEqual(await storage.findMember(organizationId, neighbor.id), neighbor);
      assert.equal(await update('org_none', { role: 'owner' }), null);
    },
  ),

  'the times of both suspensions are stored, and kept by changes of other fields': withWorld(
    async ({ storage, addMember, write }) => {
      const suspendedAt = { admin: at(1), scim: at(2) };
      const member = await addMember({ status: 'suspended', suspendedAt });
      const { organizationId, id } = member;
      assert.deepEqual((await storage.findMember(organizationId, id))?.suspendedAt, suspendedAt);
      const update = (changes: MemberChanges) =>
        write((tx) => tx.updateMember(organizationId, id, changes));
      assert.deepEqual((await update({ name: 'Ann' }))?.suspendedAt, suspendedAt);
      const ended = { admin: null, scim: at(2) };
      assert.deepEqual((await update({ suspendedAt: ended }))?.suspendedAt, ended);
      assert.deepEqual((await storage.findMember(organizationId, id))?.suspendedAt, ended);
    },
  ),

  'removing a member deletes its API keys and no others': withWorld(
    async ({ storage, addMember, write }) => {
      const member = await addMember();
      const { organizationId, id } = member;
      const neighbor = await addMember({ organizationId });
      const [lost, kept] = [newApiKey(member), newApiKey(neighbor)];
      await write(async (tx) => {
        await tx.insertApiKey(lost);
        await tx.insertApiKey(kept);
      });
      const remove = (organization: string) => write((tx) => tx.deleteMember(organization, id));
      assert.equal(await remove('org_none'), false);
      assert.equal(await remove(organizationId), true);
      assert.equal(await remove(organizationId), false);
      assert.equal(await storage.findMember(organizationId, id), null);
      assert.equal(await storage.identifyApiKey(lost.tokenHash), null);
      assert.ok(await storage.identifyApiKey(kept.tokenHash));
      await addMember({ organizationId, email: member.email });
    },
  ),
};
