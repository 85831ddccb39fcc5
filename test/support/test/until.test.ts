import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../src/until.ts';

test('until resolves as soon as the condition holds, and stops polling', async () => {
  let asked = 0;
  await until(async () => {
    asked += 1;
    return asked === 3;
  }, 'asked three times');
  assert.equal(asked, 3);
});

test('until fails with the description on a timeout, and with the error of a failing condition', async () => {
  await assert.rejects(
    until(() => false, 'pigs fly', 20),
    /within 20 ms: pigs fly/,
  );
  const failing = until(() => Promise.reject(new Error('no answer')), 'it answers');
  await assert.rejects(failing, /no answer/);
});
