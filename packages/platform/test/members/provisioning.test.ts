import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Mail, OwnerNotice } from '@probity/core';
import { OUTSIDE_REQUEST } from '@probity/core';
import { testContext } from '@probity/core/testing';
import type { TestLifetime } from '@probity/test-support';
import { createTestClock } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import { createNoticeMailer } from '../../src/mails/owner-notices.ts';
import { createMembers } from '../../src/members/members.ts';
import { createMemberProvisioning } from '../../src/members/provisioning.ts';
import type { Member } from '../../src/members/types.ts';
import { createMemberAuthentication } from '../../src/sign-in/session-authentication.ts';
import { createTestOrganization } from '../../src/testing/fixtures.ts';
import { newInvitation } from '../../src/testing/member-records.ts';
import { newMember } from '../../src/testing/records.ts';
import { newSession } from '../../src/testing/sign-in-records.ts';
import type { PlatformTarget } from '../../src/testing/targets.ts';
import { BASE_URL, targets, testRuntime, testSecretBox } from '../support.ts';

/** Creates an organization with one owner, and the calls of its identity provider and its owner. */
async function createWorld(t: TestLifetime, target: PlatformTarget) {
  const opened = await target.open();
  t.after(opened.dispose);
  const { database, storage } = opened;
  const clock = createTestClock();
  const runtime = testRuntime({ database, clock });
  const organization = await createTestOrganization(opened);
  const { organizationId, ownerId, apiKey } = organization;
  const scim = testContext({ organizationId, memberId: 'sct_1' }, 'admin');
  const authenticate = createMemberAuthentication(runtime, { storage });
  const notified: OwnerNotice[] = [];
  return {
    storage,
    clock,
    organizationId,
    ownerId,
    call: { context: scim },
    owner: testContext(organization),
    provisioning: createMemberProvisioning(runtime, {
      storage,
      notices: { send: async (_, notice) => void notified.push(notice) },
    }),
    notified,
    /** Addresses of the notices about replaced addresses, which it takes. */
    async mailed() {
      const sent: string[] = [];
      const mailer = { send: async ({ to }: Mail) => void sent.push(to) };
      const mailing = { ...runtime, storage, mailer, baseUrl: () => BASE_URL };
      const worker = createNoticeMailer({ ...mailing, random: (size) => new Uint8Array(size) });
      await worker.runOnce();
      await worker.runOnce();
      return sent;
    },
    members: createMembers(runtime, { storage, secretBox: testSecretBox() }),
    isOwnerKeyGood: async () => (await authenticate({ token: apiKey, address: null })) !== null,
    async add(given: Partial<Member> = {}) {
      const member = newMember(organizationId, given);
      await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.insertMember(member));
      return member;
    },
    async actions() {
      const entries = await database.kernel(database.reader).readAuditChain(organizationId, 0, 50);
      return entries.map(({ action, actor }) => `${action} by ${actor.id}`);
    },
  };
}

function statusOf(member: Member): readonly unknown[] {
  const { status, suspendedAt } = member;
  return [status, suspendedAt.admin !== null, suspendedAt.scim !== null];
}

for (const target of sampleTargets(targets)) {
  describe(`${target.name}: provisioning of members`, () => {
    test('a provisioned member is active, and its e-mail is taken from then on', async (t) => {
      const { provisioning, call, actions } = await createWorld(t, target);
      const input = { email: 'ann@example.com', name: 'Ann', role: 'editor' } as const;
      const ann = await provisioning.add(call, input);
      assert.deepEqual([ann.status, ann.role], ['active', 'editor']);
      assert.deepEqual(await provisioning.find(call, ann.id), ann);
      assert.deepEqual(await provisioning.findByEmail(call, 'ANN@example.com'), ann);
      assert.equal(await provisioning.findByEmail(call, 'bob@example.com'), null);
      const again = provisioning.add(call, { ...input, email: 'Ann@Example.com' });
      await assert.rejects(again, { kind: 'already_exists' });
      await assert.rejects(provisioning.add(call, { ...input, role: 'owner' }), {
        kind: 'forbidden',
      });
      assert.deepEqual((await actions()).slice(1), ['member.added by sct_1']);
    });

    test('provisioning finds a member by each writing of its mailbox', async (t) => {
      const { provisioning, storage, call } = await createWorld(t, target);
      const input = { name: null, role: 'viewer' } as const;
      const rene = await provisioning.add(call, {
        ...input,
        email: 'Re\u0301ne@xn--bcher-kva.example',
      });
      for (const email of ['r\u00e9ne@b\u00fccher.example', 'R\u00c9NE@BU\u0308CHER.EXAMPLE']) {
        assert.deepEqual(await provisioning.findByEmail(call, email), rene);
        const [account] = await storage.findAccountsByEmail(email);
        assert.equal(account?.member.id, rene.id);
        await assert.rejects(provisioning.add(call, { ...input, email }), {
          kind: 'already_exists',
        });
      }
      assert.equal(await provisioning.findByEmail(call, 'rene@b\u00fccher.example'), null);
    });

    test('provisioning activates a pending member and revokes its invitation', async (t) => {
      const { provisioning, members, storage, call, owner, actions } = await createWorld(t, target);
      const input = { email: 'ann@example.com', name: null, role: 'viewer' } as const;
      const { member, invitation } = await members.invite(owner, input);
      const active = await provisioning.activate(call, member.id);
      assert.equal(active.status, 'active');
      const ended = await storage.findInvitation(member.organizationId, invitation.id);
      assert.ok(ended?.revokedAt);
      assert.equal(ended.sealedToken, null);
      assert.deepEqual(await provisioning.activate(call, member.id), active);
      const audited = (await actions()).filter((each) => each.startsWith('member.activated'));
      assert.equal(audited.length, 1);
    });

    test('each party ends its own suspension only; a member is active when neither suspends it', async (t) => {
      const { provisioning, members, call, owner, add } = await createWorld(t, target);
      const { id } = await add();
      await members.suspend(owner, id);
      const { member } = await provisioning.suspend(call, id);
      assert.deepEqual(statusOf(member), ['suspended', true, true]);
      const byScim = await provisioning.reactivate(call, id);
      assert.deepEqual(statusOf(byScim), ['suspended', true, false]);
      assert.deepEqual(statusOf(await members.reactivate(owner, id)), ['active', false, false]);
      await provisioning.suspend(call, id);
      await assert.rejects(members.reactivate(owner, id), {
        kind: 'conflict',
        message: /identity provider/,
      });
      await members.suspend(owner, id);
      const byAdmin = await members.reactivate(owner, id);
      assert.deepEqual(statusOf(byAdmin), ['suspended', false, true]);
      assert.deepEqual(statusOf(await provisioning.reactivate(call, id)), ['active', false, false]);
    });

    test('a member with a password keeps its e-mail until an owner confirms the new one', async (t) => {
      const world = await createWorld(t, target);
      const { provisioning, members, storage, call, owner, add, notified, mailed } = world;
      const member = await add({ email: 'ann@example.com', role: 'admin' });
      const { organizationId, id } = member;
      await storage.transaction(OUTSIDE_REQUEST, (tx) =>
        tx.setPasswordHash({ organizationId, memberId: id }, 'hash'),
      );
      const changes = { email: 'mallory@example.net', name: 'Ann', role: 'editor' } as const;
      const kept = await provisioning.update(call, id, changes);
      assert.deepEqual([kept.email, kept.name, kept.role], ['ann@example.com', 'Ann', 'editor']);
      assert.deepEqual(await storage.findAccountsByEmail('mallory@example.net'), []);
      const [notice] = notified;
      assert.equal(notice?.to, 'owners');
      assert.match(notice.text, /ann@example\.com to mallory@example\.net/);
      const respelled = await provisioning.update(call, id, { email: 'Ann@example.com' });
      assert.equal(respelled.email, 'Ann@example.com');
      assert.equal(notified.length, 1);
      const admin = testContext({ organizationId, memberId: id }, 'admin');
      await assert.rejects(members.changeEmail(admin, id, 'mallory@example.net'), {
        kind: 'forbidden',
      });
      assert.deepEqual(await mailed(), []);
      const confirmed = await members.changeEmail(owner, id, 'ann.new@example.com');
      assert.equal(confirmed.email, 'ann.new@example.com');
      assert.deepEqual(await mailed(), ['Ann@example.com']);
    });

    test('a member who accepted an invitation keeps its e-mail until an owner confirms the new one', async (t) => {
      const { provisioning, storage, call, add, notified, mailed } = await createWorld(t, target);
      const invited = await add({ email: 'ann@example.com' });
      const invitation = newInvitation(invited, { acceptedAt: invited.createdAt });
      await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.insertInvitation(invitation));
      const kept = await provisioning.update(call, invited.id, { email: 'mallory@example.net' });
      assert.equal(kept.email, 'ann@example.com');
      assert.equal(notified.length, 1);
      const unused = await add({ email: 'bob@example.com' });
      const changed = await provisioning.update(call, unused.id, { email: 'robert@example.com' });
      assert.equal(changed.email, 'robert@example.com');
      assert.deepEqual(await mailed(), ['bob@example.com']);
    });

    test('a repeated suspension keeps its first time and is recorded once', async (t) => {
      const { provisioning, call, clock, add, actions } = await createWorld(t, target);
      const { id } = await add();
      const first = await provisioning.suspend(call, id);
      await clock.advance(1_000);
      assert.deepEqual(await provisioning.suspend(call, id), first);
      assert.deepEqual((await actions()).slice(1), ['member.suspended by sct_1']);
    });

    test('sessions of a suspended member end and stay ended after its reactivation', async (t) => {
      const { provisioning, storage, call, add } = await createWorld(t, target);
      const member = await add();
      const session = newSession(member);
      await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.insertSession(session));
      await provisioning.suspend(call, member.id);
      await provisioning.reactivate(call, member.id);
      assert.equal(await storage.identifySession(session.id), null);
    });

    test('a changed e-mail is that of the member from then on, except for a role above the caller', async (t) => {
      const { provisioning, call, ownerId, add } = await createWorld(t, target);
      const { id } = await add({ email: 'ann@example.com' });
      const renamed = await provisioning.update(call, id, { email: 'Ann.New@example.com' });
      assert.equal(renamed.email, 'Ann.New@example.com');
      assert.equal((await provisioning.findByEmail(call, 'ann.new@example.com'))?.id, id);
      const owner = await provisioning.update(call, ownerId, { email: 'x@example.com', name: 'O' });
      assert.notEqual(owner.email, 'x@example.com');
      assert.equal(owner.name, 'O');
      const taken = provisioning.update(call, id, { email: owner.email.toUpperCase() });
      await assert.rejects(taken, { kind: 'already_exists' });
    });

    test('the admins are told once when the last owner is suspended', async (t) => {
      const { provisioning, notified, call, ownerId, add } = await createWorld(t, target);
      const second = await add({ role: 'owner' });
      await provisioning.suspend(call, second.id);
      assert.deepEqual(notified, []);
      await provisioning.suspend(call, ownerId);
      await provisioning.suspend(call, ownerId);
      assert.deepEqual(
        notified.map(({ to }) => to),
        ['admins'],
      );
    });

    test('the last owner can be suspended by provisioning, keeps the owner role, and cannot be removed', async (t) => {
      const world = await createWorld(t, target);
      const { provisioning, members, call, owner, ownerId, isOwnerKeyGood, add } = world;
      assert.equal(await isOwnerKeyGood(), true);
      await assert.rejects(members.suspend(owner, ownerId), { kind: 'conflict' });
      await assert.rejects(provisioning.remove(call, ownerId), { kind: 'conflict' });
      const { member, isLastOwner } = await provisioning.suspend(call, ownerId);
      assert.deepEqual([member.role, member.status, isLastOwner], ['owner', 'suspended', true]);
      assert.equal(await isOwnerKeyGood(), false);
      await assert.rejects(provisioning.remove(call, ownerId), { kind: 'conflict' });
      await provisioning.reactivate(call, ownerId);
      assert.equal(await isOwnerKeyGood(), true);
      const second = await add({ role: 'owner' });
      assert.equal((await provisioning.suspend(call, second.id)).isLastOwner, false);
      await provisioning.remove(call, second.id);
      assert.equal(await provisioning.find(call, second.id), null);
    });

    test('provisioning updates name and role, and keeps the role of an owner', async (t) => {
      const { provisioning, call, ownerId, add } = await createWorld(t, target);
      const { id } = await add({ role: 'viewer' });
      const changed = await provisioning.update(call, id, { name: 'Ann', role: 'admin' });
      assert.deepEqual([changed.name, changed.role], ['Ann', 'admin']);
      const owner = await provisioning.update(call, ownerId, { name: 'Own', role: 'member' });
      assert.deepEqual([owner.name, owner.role], ['Own', 'owner']);
      await assert.rejects(provisioning.update(call, id, { role: 'owner' }), {
        kind: 'forbidden',
      });
    });

    test('provisioning by an owner keeps the role of the last owner', async (t) => {
      const { provisioning, owner, ownerId, add } = await createWorld(t, target);
      const call = { context: owner };
      const demote = () => provisioning.update(call, ownerId, { role: 'viewer' });
      await assert.rejects(demote(), { kind: 'conflict' });
      const renamed = await provisioning.update(call, ownerId, { name: 'Own', role: 'owner' });
      assert.deepEqual([renamed.name, renamed.role], ['Own', 'owner']);
      await add({ role: 'owner' });
      assert.equal((await demote()).role, 'viewer');
    });

    test("provisioning changes join the caller's transaction and are rolled back with it", async (t) => {
      const { provisioning, storage, call, add, actions } = await createWorld(t, target);
      const member = await add();
      const undone = storage.transaction(OUTSIDE_REQUEST, async ({ session }) => {
        const joined = { ...call, session };
        await provisioning.suspend(joined, member.id);
        assert.equal((await provisioning.find(joined, member.id))?.status, 'suspended');
        throw new Error('undone');
      });
      await assert.rejects(undone, /undone/);
      assert.deepEqual(await provisioning.find(call, member.id), member);
      assert.equal((await actions()).length, 1);
    });

    test('members of another organization are not found by provisioning', async (t) => {
      const { provisioning, owner } = await createWorld(t, target);
      const foreign = await createWorld(t, target);
      const { id } = await foreign.add();
      const call = { context: owner };
      assert.equal(await provisioning.find(call, id), null);
      const changes: ReadonlyArray<() => Promise<unknown>> = [
        () => provisioning.activate(call, id),
        () => provisioning.update(call, id, { name: 'x' }),
        () => provisioning.suspend(call, id),
        () => provisioning.reactivate(call, id),
        () => provisioning.remove(call, id),
      ];
      for (const change of changes) await assert.rejects(change, { kind: 'not_found' });
    });

    test('provisioning can remove a pending member, but neither suspend nor reactivate it', async (t) => {
      const { provisioning, members, call, owner } = await createWorld(t, target);
      const input = { email: 'ann@example.com', name: null, role: 'viewer' } as const;
      const { member } = await members.invite(owner, input);
      await assert.rejects(provisioning.suspend(call, member.id), { kind: 'conflict' });
      await assert.rejects(provisioning.reactivate(call, member.id), { kind: 'conflict' });
      await provisioning.remove(call, member.id);
      assert.equal(await provisioning.find(call, member.id), null);
    });
  });
}
