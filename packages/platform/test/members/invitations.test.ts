import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { systemRandom } from '@probity/core';
import { mintToken } from '@probity/core/internal';
import { sampleTargets } from '@probity/test-support/combinations';
import { targets } from '../support.ts';
import type { WireInvitation, WireMember } from './world.ts';
import { createMemberWorld, errorOf } from './world.ts';

const DAY_MS = 86_400_000;

for (const target of sampleTargets(targets)) {
  describe(`${target.name}: invitations`, () => {
    test('invitations are listed with their status, page by page, without their tokens', async (t) => {
      const world = await createMemberWorld(t, target);
      await world.invite('ann@example.com', 'viewer');
      await world.clock.advance(1_000);
      await world.invite('bob@example.com', 'admin');
      const response = await world.send('GET', `${world.invitationsPath}?limit=1`);
      const list = (await response.json()) as { invitations: WireInvitation[] };
      assert.deepEqual(list, {
        invitations: [
          {
            id: list.invitations[0]?.id,
            email: 'ann@example.com',
            role: 'viewer',
            sent_at: '2026-01-01T00:00:00.000Z',
            expires_at: '2026-01-08T00:00:00.000Z',
            status: 'pending',
          },
        ],
        total: 2,
        limit: 1,
        offset: 0,
        has_more: true,
      });
      assert.match(list.invitations[0]?.id ?? '', /^inv_/);
    });

    test('accepting an invitation makes the member active, with the name that it gives', async (t) => {
      const world = await createMemberWorld(t, target);
      const { id, email } = await world.invite('ann@example.com', 'editor');
      const response = await world.accept(await world.receiveToken(email), { name: 'Ann Lee' });
      assert.equal(response.status, 200);
      const member = (await response.json()) as WireMember;
      assert.deepEqual(member, {
        id,
        email,
        name: 'Ann Lee',
        role: 'editor',
        status: 'active',
        created_at: '2026-01-01T00:00:00.000Z',
        last_login: null,
        mfa_enabled: false,
        organization_id: world.organization.organizationId,
      });
      const invitation = await world.invitationOf(email);
      assert.equal(invitation.status, 'accepted');
      const [entry] = await world.audited();
      assert.equal(entry?.action, 'invitation.accepted');
      assert.deepEqual(entry?.actor, { type: 'member', id, credential_id: invitation.id });
    });

    test('accepting an invitation without a name keeps the name given by the inviter', async (t) => {
      const world = await createMemberWorld(t, target);
      const body = { email: 'ann@example.com', name: 'Ann', role: 'viewer' };
      await world.send('POST', world.membersPath, { body });
      const response = await world.accept(await world.receiveToken(body.email));
      assert.equal(((await response.json()) as WireMember).name, 'Ann');
    });

    test('an invitation token works once', async (t) => {
      const world = await createMemberWorld(t, target);
      const { email } = await world.invite('ann@example.com');
      const token = await world.receiveToken(email);
      assert.equal((await world.accept(token)).status, 200);
      assert.deepEqual(await errorOf(world.accept(token)), [409, 'conflict']);
    });

    test('unknown and mistyped invitation tokens and tokens of other kinds are not found', async (t) => {
      const world = await createMemberWorld(t, target);
      const unknown = mintToken('pin_', systemRandom);
      for (const token of [unknown, `${unknown}x`, '', 'pin_', world.organization.apiKey]) {
        assert.deepEqual(await errorOf(world.accept(token)), [404, 'not_found'], token);
      }
      for (const body of [{}, { token: 5 }, { token: unknown, secret: 'x' }]) {
        const response = await fetch(`${world.url}/v1/invitations/accept`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        assert.deepEqual(await errorOf(response), [400, 'invalid_request']);
      }
    });

    test('an invitation expires after exactly seven days', async (t) => {
      const world = await createMemberWorld(t, target);
      const { email, id } = await world.invite('ann@example.com');
      const token = await world.receiveToken(email);
      await world.clock.advance(7 * DAY_MS - 1);
      assert.equal((await world.invitationOf(email)).status, 'pending');
      await world.clock.advance(1);
      assert.equal((await world.invitationOf(email)).status, 'expired');
      assert.deepEqual(await errorOf(world.accept(token)), [409, 'conflict']);
      const member = await world.storage.findMember(world.organization.organizationId, id);
      assert.equal(member?.status, 'pending_invite');
    });

    test('resending an invitation renews token and expiry; the former token is unknown', async (t) => {
      const world = await createMemberWorld(t, target);
      const { email } = await world.invite('ann@example.com');
      const former = await world.receiveToken(email);
      await world.clock.advance(8 * DAY_MS);
      const { id } = await world.invitationOf(email);
      const response = await world.send('POST', `${world.invitationsPath}/${id}/resend`);
      assert.equal(response.status, 200);
      assert.deepEqual(await response.json(), {
        id,
        email,
        role: 'editor',
        sent_at: '2026-01-09T00:00:00.000Z',
        expires_at: '2026-01-16T00:00:00.000Z',
        status: 'pending',
      });
      const token = await world.receiveToken(email);
      assert.notEqual(token, former);
      assert.deepEqual(await errorOf(world.accept(former)), [404, 'not_found']);
      assert.equal((await world.accept(token)).status, 200);
      const actions = (await world.audited()).map(({ action }) => action);
      assert.deepEqual(actions.slice(0, 3), [
        'invitation.accepted',
        'invitation.resent',
        'member.invited',
      ]);
    });

    test('an accepted invitation can be neither resent nor revoked', async (t) => {
      const world = await createMemberWorld(t, target);
      const { email } = await world.invite('ann@example.com');
      await world.accept(await world.receiveToken(email));
      const path = `${world.invitationsPath}/${(await world.invitationOf(email)).id}`;
      assert.deepEqual(await errorOf(world.send('POST', `${path}/resend`)), [409, 'conflict']);
      assert.deepEqual(await errorOf(world.send('DELETE', path)), [409, 'conflict']);
      assert.equal((await world.invitationOf(email)).status, 'accepted');
    });

    test('revoking an invitation removes the pending member, once, and invalidates the token', async (t) => {
      const world = await createMemberWorld(t, target);
      const { email, id: memberId } = await world.invite('ann@example.com');
      const token = await world.receiveToken(email);
      const { id } = await world.invitationOf(email);
      const revoke = () => world.send('DELETE', `${world.invitationsPath}/${id}`);
      const revoked = await revoke();
      assert.deepEqual([revoked.status, await revoked.text()], [204, '']);
      assert.equal((await world.invitationOf(email)).status, 'revoked');
      const { organizationId } = world.organization;
      assert.equal(await world.storage.findMember(organizationId, memberId), null);
      assert.deepEqual(await errorOf(world.accept(token)), [409, 'conflict']);
      assert.deepEqual(await errorOf(revoke()), [409, 'conflict']);
      const [entry] = await world.audited();
      assert.equal(entry?.action, 'invitation.revoked');
      assert.deepEqual(entry?.before, { member_id: memberId, email, role: 'editor' });
      await world.invite(email);
    });

    test('a role changed while pending is shown by the invitation and given to the member', async (t) => {
      const world = await createMemberWorld(t, target);
      const { email, id } = await world.invite('ann@example.com', 'admin');
      await world.send('PATCH', `${world.membersPath}/${id}`, { body: { role: 'viewer' } });
      assert.equal((await world.invitationOf(email)).role, 'viewer');
      const response = await world.accept(await world.receiveToken(email));
      assert.equal(((await response.json()) as WireMember).role, 'viewer');
    });

    test("an owner's invitation can be neither resent nor revoked by an admin", async (t) => {
      const world = await createMemberWorld(t, target);
      const { key: token } = await world.join('admin@example.com', 'admin');
      const { email } = await world.invite('owner2@example.com', 'owner');
      const path = `${world.invitationsPath}/${(await world.invitationOf(email)).id}`;
      const sent = [
        world.send('POST', `${path}/resend`, { token }),
        world.send('DELETE', path, { token }),
      ];
      for (const each of sent) assert.deepEqual(await errorOf(each), [403, 'forbidden']);
    });

    test('invitations of another organization can be neither seen, resent nor revoked', async (t) => {
      const world = await createMemberWorld(t, target);
      const { email } = await world.invite('ann@example.com');
      const { id } = await world.invitationOf(email);
      const { apiKey: token, organizationId } = await world.bootstrap('Other');
      const own = `/organizations/${organizationId}/invitations`;
      for (const base of [world.invitationsPath, own]) {
        const sent = [
          world.send('POST', `${base}/${id}/resend`, { token }),
          world.send('DELETE', `${base}/${id}`, { token }),
        ];
        for (const each of sent) assert.deepEqual(await errorOf(each), [404, 'not_found']);
      }
      const list = await world.send('GET', own, { token });
      assert.equal(((await list.json()) as { total: number }).total, 0);
      assert.equal((await world.invitationOf(email)).status, 'pending');
    });
  });
}
