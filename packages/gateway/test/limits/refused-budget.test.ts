import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '@probity/test-support';
import { PROTOCOLS } from '../../src/proxy/protocols.ts';
import { reserveTokens } from '../../src/proxy/token-reservation.ts';

test('a refusal names the beginning of the next day, although the primary has asked its clock before', async () => {
  const clock = createTestClock(Date.parse('2026-03-01T23:00:00.008Z'));
  const limits = {
    budgetOf: () => ({ key: 'ci', tokens_per_day: 10, answer_tokens: 10 }),
    reserve: async () => ({ id: null, left: 0, retryAfterMs: 3_600_000, isHeld: false }),
  };
  const protocol = PROTOCOLS.find(({ operationId }) => operationId === 'createChatCompletion');
  const call = { key: 'ci', protocol, members: { messages: [] }, bytes: 10 };
  await assert.rejects(reserveTokens(limits as never, clock, call as never), {
    message: /the next day begins at 2026-03-02T00:00:00\.000Z/,
  });
});
