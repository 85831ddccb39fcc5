import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../src/until.ts';

test('waiting ends as soon as it is so, and asks no more', async () => {
  let asked = 0;
  await until(async () => {
    asked += 1;
    return asked === 3;
  }, 'asked three times');
  assert.equal(asked, 3);
});

test('waiting for what never comes fails, naming it, and so does a question that fails', async () => {
  await assert.rejects(
    until(() => false, 'pigs fly', 20),
    /within 20 ms: pigs fly/,
  );
  const failing = until(() => Promise.reject(new Error('no answer')), 'it answers');
  await assert.rejects(failing, /no answer/);
});
