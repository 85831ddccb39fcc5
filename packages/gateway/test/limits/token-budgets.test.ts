import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLogger } from '@probity/core';
import { createTestClock, until } from '@probity/test-support';
import { createTokenBudgets } from '../../src/limits/token-budgets.ts';

test('a settlement that the ledger does not take holds up no other one', async () => {
  const clock = createTestClock();
  const settled: string[] = [];
  const budgets = createTokenBudgets({
    ...{ clock, logger: silentLogger },
    ledger: {
      reserve: async () => null,
      async settle(id) {
        if (id === 'refused') throw new Error('out of range');
        settled.push(id);
      },
      forgetBefore: async () => undefined,
    },
  });
  budgets.settle('refused', 1);
  budgets.settle('other', 2);
  budgets.settle('third', 3);
  await until(async () => {
    await clock.advance(1_000);
    return settled.length === 2;
  }, 'both are settled');
  assert.deepEqual(settled, ['other', 'third']);
});
