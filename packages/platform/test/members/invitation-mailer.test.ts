import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Database, Mail, SecretBox } from '@probity/core';
import { createLogger, createSecretBox } from '@probity/core';
import { isWellFormedToken } from '@probity/core/internal';
import { countJobs, testContext } from '@probity/core/testing';
import type { TestLifetime } from '@probity/test-support';
import { createTestClock } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import { createInvitationMailer } from '../../src/members/invitation-mailer.ts';
import { createInvitations } from '../../src/members/invitations.ts';
import { MAIL_QUEUE } from '../../src/members/issue.ts';
import { createMembers } from '../../src/members/members.ts';
import { bootstrapOrganization } from '../../src/organizations/bootstrap.ts';
import type { PlatformTarget } from '../../src/testing/targets.ts';
import { storedText } from '../stored-text.ts';
import { BASE_URL, targets, testPasswords, testRuntime, testSecretBox } from '../support.ts';
import { tokenIn } from './world.ts';

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

/** Creates an organization whose mails go to `send`, which may fail. */
async function createWorld(
  t: TestLifetime,
  target: PlatformTarget,
  {
    organizationName = 'Acme',
    secretBox = testSecretBox(),
  }: { organizationName?: string; secretBox?: SecretBox } = {},
) {
  const opened = await target.open();
  t.after(opened.dispose);
  const clock = createTestClock();
  const lines: string[] = [];
  const logger = createLogger({ write: (line) => lines.push(line), clock });
  const { storage, database } = opened;
  const runtime = testRuntime({ database, clock, logger });
  const organization = await bootstrapOrganization(
    runtime,
    { storage },
    { organizationName, ownerEmail: 'owner@example.com', plan: 'starter' },
  );
  const mails: Mail[] = [];
  const mailSystem = { isDown: false };
  const worker = createInvitationMailer({
    ...runtime,
    storage,
    secretBox,
    mailer: {
      async send(mail) {
        mails.push(mail);
        if (mailSystem.isDown) throw new Error(`451 try later: ${mail.text}`);
      },
    },
    baseUrl: () => BASE_URL,
    // Randomness that leaves the delays unchanged.
    random: (size) => new Uint8Array(size),
  });
  const options = { storage, secretBox: testSecretBox(), passwords: testPasswords() };
  return {
    opened,
    clock,
    storage,
    worker,
    mails,
    lines,
    mailSystem,
    owner: testContext({ ...organization, memberId: organization.ownerId }),
    members: createMembers(runtime, options),
    invitations: createInvitations(runtime, options),
    waiting: () => countJobs(opened.database, MAIL_QUEUE),
  };
}

const ann = { email: 'ann@example.com', name: null, role: 'viewer' } as const;

for (const target of sampleTargets(targets)) {
  describe(`${target.name}: mailing invitations`, () => {
    test('an invitation is mailed once, and its token is cleared', async (t) => {
      const world = await createWorld(t, target);
      const { invitation } = await world.members.invite(world.owner, ann);
      assert.equal(await world.worker.runOnce(), 1);
      assert.equal(await world.worker.runOnce(), 0);
      const [mail] = world.mails;
      assert.equal(world.mails.length, 1);
      assert.deepEqual([mail?.to, mail?.subject], ['ann@example.com', 'Invitation to Probity']);
      assert.match(mail?.text ?? '', /join "Acme" on Probity with the role viewer/);
      assert.match(mail?.text ?? '', /expires at 2026-01-08 00:00 UTC/);
      assert.ok(isWellFormedToken('pin_', tokenIn(mail)));
      const stored = await world.storage.findInvitation(invitation.organizationId, invitation.id);
      assert.deepEqual(stored, { ...invitation, sealedToken: null });
      assert.equal(await world.waiting(), 0);
    });

    test('a failed invitation mail is retried with growing delays and the same id, and logs no token', async (t) => {
      const world = await createWorld(t, target);
      world.mailSystem.isDown = true;
      await world.members.invite(world.owner, ann);
      const delays: number[] = [];
      let waitedMs = 0;
      await world.worker.runOnce();
      while (delays.length < 9) {
        const before = world.mails.length;
        await world.clock.advance(10 * SECOND_MS);
        waitedMs += 10 * SECOND_MS;
        await world.worker.runOnce();
        if (world.mails.length > before) {
          delays.push(waitedMs / SECOND_MS);
          waitedMs = 0;
        }
      }
      assert.deepEqual(delays, [30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600]);
      const database: Database = world.opened.database;
      const reads = database.kernel(database.reader);
      const { items } = await reads.listJobs({ limit: 1, offset: 0 }, MAIL_QUEUE);
      const { lastError, attempts } = items[0] ?? {};
      assert.match(lastError ?? '', /The invitation \S+ could not be mailed, because of .*451/);
      assert.ok(!lastError?.includes(tokenIn(world.mails[0]).slice(8)), 'a token was stored');
      assert.equal(attempts, 10);
      world.mailSystem.isDown = false;
      await world.clock.advance(3_600 * SECOND_MS);
      await world.worker.runOnce();
      assert.equal(await world.waiting(), 0);
      assert.equal(new Set(world.mails.map(({ id }) => id)).size, 1);
      const log = world.lines.join('');
      assert.match(log, /The invitation \S+ could not be mailed/);
      assert.ok(!log.includes(tokenIn(world.mails[0]).slice(8)), 'a token was logged');
    });

    test('an invitation that ends before its mail is sent is not mailed', async (t) => {
      const world = await createWorld(t, target);
      const revoked = await world.members.invite(world.owner, ann);
      const removed = await world.members.invite(world.owner, { ...ann, email: 'b@example.com' });
      const expired = await world.members.invite(world.owner, { ...ann, email: 'c@example.com' });
      await world.invitations.revoke(world.owner, revoked.invitation.id);
      await world.members.remove(world.owner, removed.member.id);
      await world.clock.advance(7 * DAY_MS);
      assert.equal(await world.worker.runOnce(), 3);
      assert.deepEqual([world.mails.length, await world.waiting()], [0, 0]);
      const { organizationId, id } = expired.invitation;
      assert.equal((await world.storage.findInvitation(organizationId, id))?.sealedToken, null);
    });

    test('only the latest of several invitation tokens is mailed, once', async (t) => {
      const world = await createWorld(t, target);
      const { invitation } = await world.members.invite(world.owner, ann);
      await world.invitations.resend(world.owner, invitation.id);
      await world.invitations.resend(world.owner, invitation.id);
      world.mailSystem.isDown = false;
      await world.worker.runOnce();
      const tokens = new Set(world.mails.map(tokenIn));
      assert.equal(tokens.size, 1);
      const [token = ''] = tokens;
      const call = { requestId: 'req_test_request', address: null };
      assert.equal((await world.invitations.accept(call, { token })).status, 'active');
    });

    test('an invitation token sealed under a key that is not configured waits for the key', async (t) => {
      const strange = createSecretBox([new Uint8Array(32).fill(9)]);
      const world = await createWorld(t, target, { secretBox: strange });
      await world.members.invite(world.owner, ann);
      await world.worker.runOnce();
      assert.deepEqual([world.mails.length, await world.waiting()], [0, 1]);
    });

    test("an organization's name is neither in the subject of the invitation mail nor a link", async (t) => {
      const organizationName = 'Acme\r\nBcc: eve@example.com\u2028https://evil.example/"x';
      const world = await createWorld(t, target, { organizationName });
      await world.members.invite(world.owner, ann);
      await world.worker.runOnce();
      const [mail] = world.mails;
      assert.equal(mail?.subject, 'Invitation to Probity');
      const name = `"Acme Bcc: eve example com https evil example 'x"`;
      assert.ok(mail?.text.startsWith(`You are invited to join ${name} on Probity`), mail?.text);
    });

    test("an invitation's token is not in the database, before the mail or after it", async (t) => {
      const world = await createWorld(t, target);
      await world.members.invite(world.owner, ann);
      const before = await storedText(world.opened);
      await world.worker.runOnce();
      const after = await storedText(world.opened);
      const token = tokenIn(world.mails[0]);
      for (const stored of [before, after]) {
        assert.ok(stored.includes(ann.email));
        assert.ok(!stored.includes(token.slice(4)), 'the token was stored');
      }
    });
  });
}
