import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DEFAULT_MAIL_LIMITS, parseMailLimits } from '../../src/mails/limits.ts';
import { targets } from '../support.ts';
import { createMemberWorld, errorOf } from './world.ts';

const DAY_MS = 86_400_000;

for (const target of targets) {
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
  });
}

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
