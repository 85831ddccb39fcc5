import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Role } from '@probity/core';
import { ROLES } from '@probity/core';
import { isAtLeast } from '@probity/core/internal';
import { targets } from '../support.ts';
import type { MemberWorld, WireMember } from './world.ts';
import { createMemberWorld, errorOf } from './world.ts';

interface WireList {
  readonly members: readonly WireMember[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly has_more: boolean;
}

async function listMembers(world: MemberWorld, query = ''): Promise<WireList> {
  const response = await world.send('GET', world.membersPath + query);
  assert.equal(response.status, 200);
  return (await response.json()) as WireList;
}

async function findMember(world: MemberWorld, id: string): Promise<WireMember | undefined> {
  return (await listMembers(world)).members.find((member) => member.id === id);
}

async function statusOf(world: MemberWorld, id: string): Promise<string | undefined> {
  return (await findMember(world, id))?.status;
}

for (const target of targets) {
  describe(`${target.name}: members`, () => {
    test('a new member is pending, and its invitation is mailed', async (t) => {
      const world = await createMemberWorld(t, target);
      const response = await world.send('POST', world.membersPath, {
        body: { email: 'Ann@Example.com', name: ' Ann Lee ✓ ', role: 'editor' },
      });
      assert.equal(response.status, 201);
      const member = (await response.json()) as WireMember;
      assert.deepEqual(member, {
        id: member.id,
        email: 'Ann@Example.com',
        name: 'Ann Lee ✓',
        role: 'editor',
        status: 'pending_invite',
        created_at: '2026-01-01T00:00:00.000Z',
        last_login: null,
        mfa_enabled: false,
        invitation_sent_at: '2026-01-01T00:00:00.000Z',
      });
      assert.match(member.id, /^mem_/);
      const { invitation_sent_at: _, ...listed } = member;
      assert.deepEqual(await findMember(world, member.id), listed);
      await world.mailWorker.runOnce();
      assert.deepEqual(
        world.mails.map(({ to }) => to),
        ['Ann@Example.com'],
      );
    });

    test('members are listed page by page, oldest first, with the total', async (t) => {
      const world = await createMemberWorld(t, target);
      for (const email of ['a@example.com', 'b@example.com']) {
        await world.clock.advance(1_000);
        await world.invite(email);
      }
      const page = await listMembers(world, '?limit=1&offset=1');
      const { members, ...info } = page;
      assert.deepEqual(
        members.map(({ email }) => email),
        ['a@example.com'],
      );
      assert.deepEqual(info, { total: 3, limit: 1, offset: 1, has_more: true });
      assert.equal((await listMembers(world, '?limit=1&offset=2')).has_more, false);
    });

    test('inviting the e-mail of an existing member in any case is 409 and stores nothing', async (t) => {
      const world = await createMemberWorld(t, target);
      await world.invite('ann@example.com');
      const again = world.send('POST', world.membersPath, {
        body: { email: 'ANN@EXAMPLE.COM', role: 'viewer' },
      });
      assert.deepEqual(await errorOf(again), [409, 'conflict']);
      assert.equal((await listMembers(world)).total, 2);
      assert.equal(await world.mailWorker.runOnce(), 1);
    });

    test('inviting a mailbox of a member in another writing is 409', async (t) => {
      const world = await createMemberWorld(t, target);
      await world.invite('r\u00e9ne@b\u00fccher.example');
      for (const email of [
        're\u0301ne@b\u00fccher.example',
        'R\u00c9NE@xn--bcher-kva.example',
        're\u0301ne@bu\u0308cher.example',
      ]) {
        const again = world.send('POST', world.membersPath, { body: { email, role: 'viewer' } });
        assert.deepEqual(await errorOf(again), [409, 'conflict'], email);
      }
      assert.equal((await listMembers(world)).total, 2);
    });

    test('inviting a member with bad fields names all of them and stores nothing', async (t) => {
      const world = await createMemberWorld(t, target);
      const ann = { email: 'ann@example.com', role: 'viewer' };
      const bodies: ReadonlyArray<readonly [object, ...string[]]> = [
        [{}, 'email', 'role'],
        [{ ...ann, email: 'ann' }, 'email'],
        [{ ...ann, email: ' ann@example.com' }, 'email'],
        [{ ...ann, email: 'ann@example.com\r\nBcc: eve@example.com' }, 'email'],
        [{ ...ann, email: 'Ann <ann@example.com>' }, 'email'],
        [{ ...ann, email: 'ann@example.com,eve@example.com' }, 'email'],
        [{ ...ann, email: `${'a'.repeat(250)}@example.com` }, 'email'],
        [{ ...ann, role: 'root' }, 'role'],
        [{ ...ann, name: ' ' }, 'name'],
        [{ ...ann, name: 'x'.repeat(201) }, 'name'],
        [{ ...ann, name: 'Ann\nLee' }, 'name'],
        [{ ...ann, name: 'Ann\u202eeel' }, 'name'],
        [{ ...ann, status: 'active' }, 'status'],
        [{ ...ann, id: 'mem_own' }, 'id'],
      ];
      for (const [body, ...fields] of bodies) {
        const response = await world.send('POST', world.membersPath, { body });
        const answer = (await response.json()) as { details: Array<{ field: string }> };
        assert.equal(response.status, 400, JSON.stringify(body));
        assert.deepEqual(answer.details.map(({ field }) => field).sort(), fields);
      }
      assert.equal((await listMembers(world)).total, 1);
    });

    test('members cannot grant a role above their own', async (t) => {
      const world = await createMemberWorld(t, target);
      const admin = await world.join('admin@example.com', 'admin');
      const member = await world.join('member@example.com', 'member');
      for (const role of ROLES) {
        const body = { email: `${role}@new.example`, role };
        const added = await world.send('POST', world.membersPath, { token: admin.key, body });
        assert.equal(added.status, role === 'owner' ? 403 : 201, role);
        const path = `${world.membersPath}/${member.id}`;
        const changed = await world.send('PATCH', path, { token: admin.key, body: { role } });
        assert.equal(changed.status, role === 'owner' ? 403 : 200, role);
      }
    });

    test('members cannot change, suspend or remove a member above their own role', async (t) => {
      const world = await createMemberWorld(t, target);
      const owner = await world.join('owner2@example.com', 'owner');
      const { key: token } = await world.join('admin@example.com', 'admin');
      const path = `${world.membersPath}/${owner.id}`;
      const refused = [
        world.send('PATCH', path, { token, body: { role: 'viewer' } }),
        world.send('POST', `${path}/suspend`, { token }),
        world.send('POST', `${path}/reactivate`, { token }),
        world.send('DELETE', path, { token }),
      ];
      for (const each of refused) assert.deepEqual(await errorOf(each), [403, 'forbidden']);
      assert.equal(await statusOf(world, owner.id), 'active');
    });

    test("a changed role is returned, audited, and limits the member's API keys from then on", async (t) => {
      const world = await createMemberWorld(t, target);
      const { id, key } = await world.join('ann@example.com', 'admin');
      const path = `${world.membersPath}/${id}`;
      assert.equal((await world.send('GET', world.invitationsPath, { token: key })).status, 200);
      const response = await world.send('PATCH', path, { body: { role: 'member' } });
      assert.equal(response.status, 200);
      const changed = (await response.json()) as WireMember;
      assert.equal(changed.role, 'member');
      assert.deepEqual(await findMember(world, id), changed);
      assert.equal((await world.send('GET', world.invitationsPath, { token: key })).status, 403);
      const again = await world.send('PATCH', path, { body: { role: 'member' } });
      assert.deepEqual(await again.json(), changed);
      const entries = (await world.audited()).filter(({ target }) => target.id === id);
      assert.deepEqual(
        entries.map(({ action }) => action),
        ['member.role_changed', 'member.invited'],
      );
      assert.deepEqual(
        [entries[0]?.before, entries[0]?.after],
        [{ role: 'admin' }, { role: 'member' }],
      );
    });

    test('only the role of a member can be updated', async (t) => {
      const world = await createMemberWorld(t, target);
      const { id } = await world.invite('ann@example.com');
      for (const field of ['email', 'status', 'id', 'mfa_enabled', 'created_at', 'nonsense']) {
        const response = await world.send('PATCH', `${world.membersPath}/${id}`, {
          body: { role: 'viewer', [field]: 'x' },
        });
        const answer = (await response.json()) as { details: Array<{ field: string }> };
        assert.equal(response.status, 400);
        assert.deepEqual(
          answer.details.map((detail) => detail.field),
          [field],
        );
      }
      const empty = world.send('PATCH', `${world.membersPath}/${id}`, { body: {} });
      assert.deepEqual(await errorOf(empty), [400, 'invalid_request']);
    });

    test('the last active owner can be neither demoted, suspended nor removed', async (t) => {
      const world = await createMemberWorld(t, target);
      const { ownerId } = world.organization;
      const path = `${world.membersPath}/${ownerId}`;
      const second = await world.join('second@example.com', 'owner');
      const secondPath = `${world.membersPath}/${second.id}`;
      await world.invite('pending@example.com', 'owner');
      assert.equal((await world.send('POST', `${secondPath}/suspend`)).status, 200);
      const refused = () => [
        world.send('PATCH', path, { body: { role: 'admin' } }),
        world.send('POST', `${path}/suspend`),
        world.send('DELETE', path),
      ];
      for (const each of refused()) assert.deepEqual(await errorOf(each), [409, 'conflict']);
      assert.equal((await world.send('PATCH', path, { body: { role: 'owner' } })).status, 200);
      assert.equal((await world.send('POST', `${secondPath}/reactivate`)).status, 200);
      const demoted = await world.send('PATCH', path, { body: { role: 'admin' } });
      assert.equal(demoted.status, 200);
    });

    test('the API keys of a suspended member are refused at once, and work again after reactivation', async (t) => {
      const world = await createMemberWorld(t, target);
      const { id, key } = await world.join('ann@example.com', 'editor');
      const path = `${world.membersPath}/${id}`;
      const use = async () => (await world.send('GET', '/roles', { token: key })).status;
      const change = async (action: string) =>
        (await world.send('POST', `${path}/${action}`)).json() as Promise<WireMember>;
      assert.equal(await use(), 200);
      assert.equal((await change('suspend')).status, 'suspended');
      assert.equal(await use(), 401);
      assert.equal((await change('suspend')).status, 'suspended');
      assert.equal((await change('reactivate')).status, 'active');
      assert.equal(await use(), 200);
      const actions = (await world.audited()).map(({ action }) => action);
      assert.deepEqual(actions.slice(0, 2), ['member.reactivated', 'member.suspended']);
    });

    test('a pending member can be neither suspended nor activated by other members', async (t) => {
      const world = await createMemberWorld(t, target);
      const { id } = await world.invite('ann@example.com');
      for (const action of ['suspend', 'reactivate']) {
        const sent = world.send('POST', `${world.membersPath}/${id}/${action}`);
        assert.deepEqual(await errorOf(sent), [409, 'conflict']);
      }
      assert.equal(await statusOf(world, id), 'pending_invite');
    });

    test('removing a member refuses its keys at once and frees its e-mail', async (t) => {
      const world = await createMemberWorld(t, target);
      const { id, key } = await world.join('ann@example.com', 'editor');
      const path = `${world.membersPath}/${id}`;
      const removed = await world.send('DELETE', path);
      assert.deepEqual([removed.status, await removed.text()], [204, '']);
      assert.equal((await world.send('GET', '/roles', { token: key })).status, 401);
      assert.equal((await listMembers(world)).total, 1);
      assert.deepEqual(await errorOf(world.send('DELETE', path)), [404, 'not_found']);
      const again = world.send('PATCH', path, { body: { role: 'viewer' } });
      assert.deepEqual(await errorOf(again), [404, 'not_found']);
      const [entry] = await world.audited();
      assert.equal(entry?.action, 'member.removed');
      assert.equal(entry?.actor.id, world.organization.ownerId);
      assert.deepEqual(entry?.before, {
        email: 'ann@example.com',
        name: null,
        role: 'editor',
        status: 'active',
      });
      await world.invite('ANN@example.com');
    });

    test('removing a pending member revokes its invitation', async (t) => {
      const world = await createMemberWorld(t, target);
      const { id } = await world.invite('ann@example.com');
      const token = await world.receiveToken('ann@example.com');
      assert.equal((await world.send('DELETE', `${world.membersPath}/${id}`)).status, 204);
      const invitation = await world.invitationOf('ann@example.com');
      assert.equal(invitation.status, 'revoked');
      assert.deepEqual(await errorOf(world.accept(token)), [409, 'conflict']);
      const resend = `${world.invitationsPath}/${invitation.id}/resend`;
      assert.deepEqual(await errorOf(world.send('POST', resend)), [409, 'conflict']);
    });

    test('every member sees the members and may leave; roles below admin cannot remove others', async (t) => {
      const world = await createMemberWorld(t, target);
      const other = await world.invite('other@example.com', 'viewer');
      for (const role of ROLES) {
        const { id, key: token } = await world.join(`${role}@new.example`, role);
        const list = await world.send('GET', world.membersPath, { token });
        assert.equal(list.status, 200, role);
        if (!isAtLeast(role, 'admin')) {
          for (const victim of [other.id, 'mem_none']) {
            const sent = world.send('DELETE', `${world.membersPath}/${victim}`, { token });
            assert.deepEqual(await errorOf(sent), [403, 'forbidden'], role);
          }
        }
        const left = await world.send('DELETE', `${world.membersPath}/${id}`, { token });
        assert.equal(left.status, 204, role);
        assert.equal((await world.send('GET', '/roles', { token })).status, 401, role);
      }
    });

    test('a key with a lower role than its member may not remove that member', async (t) => {
      const world = await createMemberWorld(t, target);
      const { id } = await world.join('owner2@example.com', 'owner');
      const token = await world.keyOf(id, 'viewer' satisfies Role);
      const sent = world.send('DELETE', `${world.membersPath}/${id}`, { token });
      assert.deepEqual(await errorOf(sent), [403, 'forbidden']);
    });

    test('members of another organization can be neither seen nor changed', async (t) => {
      const world = await createMemberWorld(t, target);
      const { id } = await world.invite('ann@example.com');
      const { apiKey: token, organizationId } = await world.bootstrap('Other');
      for (const base of [world.membersPath, `/organizations/${organizationId}/members`]) {
        const sent = [
          world.send('PATCH', `${base}/${id}`, { token, body: { role: 'viewer' } }),
          world.send('POST', `${base}/${id}/suspend`, { token }),
          world.send('DELETE', `${base}/${id}`, { token }),
        ];
        for (const each of sent) assert.deepEqual(await errorOf(each), [404, 'not_found']);
      }
      const foreign = world.send('GET', world.membersPath, { token });
      assert.deepEqual(await errorOf(foreign), [404, 'not_found']);
      assert.equal(await statusOf(world, id), 'pending_invite');
    });
  });
}
