import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLogger } from '@probity/core';
import { createTestClock, until } from '@probity/test-support';
import { createTokenBudgets } from '../../src/limits/token-budgets.ts';

/** Budgets over a ledger that takes settlements, with what it was given at a time. */
function createWorld(onSettle: (ids: readonly string[]) => void | Promise<void>) {
  const clock = createTestClock();
  const taken: string[][] = [];
  const messages: string[] = [];
  const budgets = createTokenBudgets({
    ...{ clock, logger: { ...silentLogger, error: (message) => void messages.push(message) } },
    ledger: {
      reserve: async () => null,
      async settle(settlements) {
        const ids = settlements.map(({ id }) => id);
        await onSettle(ids);
        taken.push(ids);
      },
      forgetBefore: async () => undefined,
    },
  });
  return { clock, taken, messages, budgets };
}

test('a settlement that the ledger does not take holds up no other one', async () => {
  const { clock, taken, budgets } = createWorld((ids) => {
    if (ids.includes('refused')) throw new Error('out of range');
  });
  for (const id of ['first', 'refused', 'other', 'third']) budgets.settle(id, 1);
  const settled = () => taken.flat();
  await until(async () => {
    await clock.advance(1_000);
    return settled().length === 3;
  }, 'all others are settled');
  assert.deepEqual(settled(), ['first', 'other', 'third']);
});

test('settlements that come while the ledger takes others are taken together', async () => {
  const { taken, budgets } = createWorld(() => new Promise(setImmediate));
  for (let at = 0; at < 1_200; at++) budgets.settle(`call-${at}`, 1);
  await budgets.close();
  assert.deepEqual(
    taken.map((ids) => ids.length),
    [1, 500, 500, 199],
  );
});

test('the end waits for what is owed, and not for a ledger that hangs', async () => {
  const { clock, messages, budgets } = createWorld(async () => {
    await clock.advance(30_000);
    throw new Error('timed out');
  });
  budgets.settle('call', 1);
  await budgets.close();
  assert.equal(clock.monotonicMs(), 30_000);
  assert.equal(messages.at(-1), 'calls count with all that was reserved for them');
});
