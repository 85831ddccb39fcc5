import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Mail, OwnerNotice } from '@probity/core';
import { createLogger, OUTSIDE_REQUEST } from '@probity/core';
import { countJobs } from '@probity/core/testing';
import type { TestLifetime } from '@probity/test-support';
import { createTestClock } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import type { MailLimits } from '../../src/mails/limits.ts';
import { DEFAULT_MAIL_LIMITS } from '../../src/mails/limits.ts';
import {
  addressNoticeJob,
  createNoticeMailer,
  createOwnerNotices,
  NOTICE_QUEUE,
} from '../../src/mails/owner-notices.ts';
import { bootstrapOrganization } from '../../src/organizations/bootstrap.ts';
import { newMember } from '../../src/testing/records.ts';
import type { PlatformTarget } from '../../src/testing/targets.ts';
import { BASE_URL, targets, testRuntime } from '../support.ts';

const NOTICE = { subject: 'A webhook was disabled', text: 'https://a.example answered 500.' };

/** An organization with two active owners, one that is suspended, and an admin. */
async function createWorld(t: TestLifetime, target: PlatformTarget, mailLimits?: MailLimits) {
  const { storage, database, dispose } = await target.open();
  t.after(dispose);
  const clock = createTestClock();
  const lines: string[] = [];
  const logger = createLogger({ write: (line) => lines.push(line), clock });
  const runtime = testRuntime({ database, clock, logger });
  const { organizationId } = await bootstrapOrganization(
    runtime,
    { storage },
    { organizationName: 'Acme', ownerEmail: 'owner@example.com', plan: 'starter' },
  );
  await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
    for (const member of [
      { email: 'second@example.com', role: 'owner' },
      { email: 'away@example.com', role: 'owner', status: 'suspended' },
      { email: 'admin@example.com', role: 'admin' },
    ] as const) {
      await tx.insertMember(newMember(organizationId, member));
    }
  });
  const mails: Mail[] = [];
  const unreachable = new Set<string>();
  const worker = createNoticeMailer({
    ...runtime,
    storage,
    mailLimits,
    mailer: {
      async send(mail) {
        if (unreachable.has(mail.to)) throw new Error('451 try later');
        mails.push(mail);
      },
    },
    baseUrl: () => BASE_URL,
    random: (size) => new Uint8Array(size),
  });
  const notices = createOwnerNotices(runtime);
  const send = (notice: Partial<OwnerNotice> = {}) =>
    storage.transaction(OUTSIDE_REQUEST, (tx) =>
      notices.send(tx, { organizationId, ...NOTICE, ...notice }),
    );
  const waiting = () => countJobs(database, NOTICE_QUEUE);
  return {
    runtime,
    organizationId,
    storage,
    notices,
    clock,
    lines,
    mails,
    unreachable,
    worker,
    send,
    waiting,
  };
}

for (const target of sampleTargets(targets)) {
  describe(`${target.name}: notices to owners`, () => {
    test('a notice to an address is mailed to it alone, within the limit of its mailbox', async (t) => {
      const limits = { ...DEFAULT_MAIL_LIMITS, recipient: { requests: 1, windowSeconds: 86_400 } };
      const { worker, mails, storage, organizationId, runtime, lines } = await createWorld(
        t,
        target,
        limits,
      );
      const notice = { organizationId, address: 'ann.old@example.com', ...NOTICE };
      for (let round = 0; round < 2; round += 1) {
        await storage.transaction(OUTSIDE_REQUEST, (tx) =>
          tx.enqueueJobs([addressNoticeJob(runtime, notice)]),
        );
        await worker.runOnce();
        await worker.runOnce();
      }
      assert.deepEqual(
        mails.map(({ to }) => to),
        ['ann.old@example.com'],
      );
      assert.match(mails[0]?.text ?? '', /as a former address of a member of "Acme"/);
      assert.equal(lines.filter((line) => line.includes('notices are not mailed')).length, 1);
      assert.doesNotMatch(lines.join(), /ann\.old/);
    });

    test('a notice is mailed to each active owner once', async (t) => {
      const { worker, mails, send, waiting } = await createWorld(t, target);
      await send();
      await worker.runOnce();
      assert.deepEqual(mails.map(({ to }) => to).sort(), [
        'owner@example.com',
        'second@example.com',
      ]);
      const [mail] = mails;
      assert.equal(mail?.subject, NOTICE.subject);
      assert.ok(mail?.text.startsWith(`${NOTICE.text}\n`));
      assert.match(mail?.text ?? '', /as an owner of "Acme"/);
      assert.equal(await waiting(), 0);
    });

    test('a notice to admins is mailed to the active admins, and to no owner', async (t) => {
      const { worker, mails, send } = await createWorld(t, target);
      await send({ to: 'admins' });
      await worker.runOnce();
      assert.deepEqual(
        mails.map(({ to }) => to),
        ['admin@example.com'],
      );
      assert.match(mails[0]?.text ?? '', /as an admin of "Acme"/);
    });

    test('a notice of a transaction that is rolled back is not mailed', async (t) => {
      const { organizationId, storage, notices, worker, mails } = await createWorld(t, target);
      const failing = storage.transaction(OUTSIDE_REQUEST, async (tx) => {
        await notices.send(tx, { organizationId, ...NOTICE });
        throw new Error('undone');
      });
      await assert.rejects(failing, /undone/);
      await worker.runOnce();
      assert.deepEqual(mails, []);
    });

    test('an owner who cannot be mailed to keeps nothing from the others', async (t) => {
      const { worker, mails, unreachable, send, clock } = await createWorld(t, target);
      unreachable.add('owner@example.com');
      await send();
      await worker.runOnce();
      assert.deepEqual(
        mails.map(({ to }) => to),
        ['second@example.com'],
      );
      unreachable.clear();
      await clock.advance(30_000);
      await worker.runOnce();
      assert.deepEqual(
        mails.map(({ to }) => to),
        ['second@example.com', 'owner@example.com'],
      );
    });

    test('an owner who is none any more when the mail is sent gets none', async (t) => {
      const { organizationId, storage, worker, mails, unreachable, send, clock } =
        await createWorld(t, target);
      unreachable.add('second@example.com');
      await send();
      await worker.runOnce();
      unreachable.clear();
      const second = await storage.findMemberByEmail(organizationId, 'second@example.com');
      await storage.transaction(OUTSIDE_REQUEST, (tx) =>
        tx.updateMember(organizationId, second?.id ?? '', { role: 'member' }),
      );
      await clock.advance(30_000);
      await worker.runOnce();
      assert.deepEqual(
        mails.map(({ to }) => to),
        ['owner@example.com'],
      );
    });

    test('notices of an organization are limited, and one above the limit is logged', async (t) => {
      const notice = { requests: 3, windowSeconds: 86_400 };
      const limits = { ...DEFAULT_MAIL_LIMITS, notice };
      const { worker, mails, send, lines, clock } = await createWorld(t, target, limits);
      await send();
      await send();
      await worker.runOnce();
      assert.equal(mails.length, 3);
      assert.equal(lines.filter((line) => line.includes('notices are not mailed')).length, 1);
      await clock.advance(86_400_000);
      await send();
      await worker.runOnce();
      assert.equal(mails.length, 5);
    });
  });
}
