import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '@probity/test-support';
import { RETRY_PROFILES, readWebhookRetry } from '../../src/index.ts';

const PROFILE = {
  delaysMs: [1_000, 60_000],
  maxAttempts: 4,
  jitter: 0.1,
  disableAfterFailures: 4,
  maxAgeMs: 3_600_000,
  maxRetryAfterMs: 60_000,
};

test('a retry setting is the name of a built-in profile or a file with one', (t) => {
  const file = join(temporaryFolder(t).path, 'retry.json');
  const read = (content: unknown) => {
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return () => readWebhookRetry(file);
  };
  assert.equal(readWebhookRetry('standard'), RETRY_PROFILES.standard);
  assert.equal(readWebhookRetry('resilient'), RETRY_PROFILES.resilient);
  assert.deepEqual(read(PROFILE)(), PROFILE);
  const { jitter: _, ...plain } = PROFILE;
  assert.deepEqual(read(plain)(), { ...plain, jitter: 0 });
  assert.throws(
    () => readWebhookRetry('/none/standrad'),
    /must be standard, resilient or the path/,
  );
  assert.throws(() => readWebhookRetry('toString'), /must be standard, resilient or the path/);
  assert.throws(read('{"delaysMs": '), /retry\.json is not valid JSON/);
  for (const [change, message] of [
    [{ delaysMs: [] }, /delaysMs must be a non-empty list/],
    [{ delaysMs: [1_000, 1e12] }, /delaysMs must be a non-empty list/],
    [{ maxAgeMs: 1e300 }, /maxAgeMs must be a number from 0 to/],
    [{ delaysMs: ['1s'] }, /delaysMs\[0\]/],
    [{ maxAttempts: 0 }, /maxAttempts must be a positive integer/],
    [{ maxAttempts: undefined }, /maxAttempts/],
    [{ disableAfterFailures: 1.5 }, /disableAfterFailures must be a positive integer/],
    [{ maxAgeMs: -1 }, /maxAgeMs must be a number from 0 to/],
    [{ maxRetryAfterMs: -1 }, /maxRetryAfterMs must be a number from 0 to/],
    [{ jitter: 1 }, /jitter must be at least 0 and below 1/],
    [{ delays: [1] }, /Unrecognized key: "delays"/],
  ] as const) {
    assert.throws(read({ ...PROFILE, ...change }), message);
  }
});
