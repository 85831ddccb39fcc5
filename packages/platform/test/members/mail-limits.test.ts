import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OUTSIDE_REQUEST } from '@probity/core';
import { sampleTargets } from '@probity/test-support/combinations';
import {
  createMailCounter,
  DEFAULT_MAIL_LIMITS,
  mailboxOf,
  parseMailLimits,
} from '../../src/mails/limits.ts';
import { targets } from '../support.ts';
import { createMemberWorld, errorOf } from './world.ts';

const DAY_MS = 86_400_000;

for (const target of sampleTargets(targets)) {
  describe(`${target.name}: limits of invitations`, () => {
    test('a recipient gets ten invitations a day, whichever organizations send them', async (t) => {
      const world = await createMemberWorld(t, target);
      const other = await world.bootstrap('Other');
      const { organizationId } = world.organization;
      const body = { email: 'ann@example.com', role: 'viewer' };
      await world.send('POST', world.membersPath, { body });
      const list = await world.send('GET', `/organizations/${organizationId}/invitations`);
      const { invitations } = (await list.json()) as { invitations: Array<{ id: string }> };
      const path = `/organizations/${organizationId}/invitations/${invitations[0]?.id}/resend`;
      const sent = await Promise.all(Array.from({ length: 40 }, () => world.send('POST', path)));
      assert.equal(sent.filter(({ status }) => status === 200).length, 9);
      assert.equal(sent.filter(({ status }) => status === 429).length, 31);
      assert.equal((await world.send('POST', path)).headers.get('retry-after'), '86400');
      const otherPath = `/organizations/${other.organizationId}/members`;
      const invite = () =>
        world.send('POST', otherPath, {
          token: other.apiKey,
          body: { ...body, email: 'ANN@example.com' },
        });
      assert.deepEqual(await errorOf(invite()), [429, 'rate_limited']);
      const members = await world.send('GET', otherPath, { token: other.apiKey });
      assert.equal(((await members.json()) as { total: number }).total, 1);
      await world.clock.advance(DAY_MS);
      assert.equal((await invite()).status, 201);
    });

    test('subaddresses share the limit of their mailbox, and a domain has one in an organization', async (t) => {
      const { storage, runtime } = await createMemberWorld(t, target);
      const limits = parseMailLimits('recipient=3/86400,domain=5/86400');
      const counter = createMailCounter(runtime.clock, limits);
      const invites = (email: string, organizationId = 'org_1') =>
        storage
          .transaction(OUTSIDE_REQUEST, (tx) =>
            counter.requireInvitation(tx, organizationId, email),
          )
          .then(
            () => true,
            ({ kind }) => assert.equal(kind, 'rate_limited'),
          );
      for (const local of ['victim+1', 'Victim+2', 'vic.tim']) {
        assert.ok(await invites(`${local}@gmail.com`), local);
      }
      assert.ok(!(await invites('v.ictim+3@googlemail.com', 'org_2')));
      assert.ok(await invites('ann@gmail.com'));
      assert.ok(await invites('bob@gmail.com'));
      assert.ok(!(await invites('eve@gmail.com')));
      assert.ok(await invites('eve@gmail.com', 'org_2'));
      assert.ok(await invites('eve@example.com'));
    });
  });
}

test('addresses of one mailbox are counted as one, and others apart', () => {
  const same = ['V.ictim+a+b@GMail.com', 'victim@gmail.com', 'victim@googlemail.com'];
  assert.deepEqual([...new Set(same.map(mailboxOf))], ['victim@gmail.com']);
  assert.equal(mailboxOf('a@b\u00fccher.de'), mailboxOf('A+x@xn--bcher-kva.de'));
  assert.equal(mailboxOf('r\u00e9ne@example.com'), mailboxOf('Re\u0301ne+x@example.com'));
  assert.equal(mailboxOf('a.b@example.com'), 'a.b@example.com');
  assert.equal(mailboxOf('+a@example.com'), '+a@example.com');
});

test('limits of mails are parsed by kind, and others keep their default', () => {
  assert.deepEqual(parseMailLimits(''), DEFAULT_MAIL_LIMITS);
  assert.deepEqual(parseMailLimits('recipient=3/60, reset=1/10'), {
    ...DEFAULT_MAIL_LIMITS,
    recipient: { requests: 3, windowSeconds: 60 },
    reset: { requests: 1, windowSeconds: 10 },
  });
  for (const text of ['recipient=3', 'x=1/60', 'reset=0/60', 'reset=1/0', 'reset=1/86401']) {
    assert.throws(() => parseMailLimits(text), /is not of the form/, text);
  }
});
