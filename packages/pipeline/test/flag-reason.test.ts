import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Policy } from '../src/index.ts';
import { createGuard, createPipeline, defineStage, guardStream } from '../src/index.ts';

async function* partsOf(text: string): AsyncGenerator<string> {
  for (const part of text.match(/.{1,9}/gs) ?? []) yield part;
}

const PHONE = 'Call +49 170 1234567 or write to maria.keller@example.org.';
const FLAGGED = 'pii_scanner flagged phone_number, email';
const policyOf = (...rules: Policy['rules']): Policy[] => [{ id: 'own', name: 'Own', rules }];

test('a flagged text, conversation and stream have the reason with stage and types', async () => {
  const guard = createGuard();
  const text = await guard.check({ response: PHONE });
  assert.deepEqual([text.verdict, text.reason, text.violation], ['flagged', FLAGGED, null]);
  const messages = [{ role: 'assistant', content: PHONE }];
  assert.equal((await guard.check({ messages })).reason, FLAGGED);
  const stream = guardStream(partsOf(PHONE), { guard });
  for await (const _ of stream);
  assert.deepEqual(
    [(await stream.result).verdict, (await stream.result).reason],
    ['flagged', FLAGGED],
  );
});

test('the guard gives no reason for an allowed text, and the violation for a blocked one', async () => {
  const guard = createGuard();
  assert.equal((await guard.check({ response: 'We open at nine.' })).reason, null);
  const blocked = await guard.check({ response: `${PHONE} SSN 536-22-8145.` });
  assert.deepEqual([blocked.verdict, blocked.reason], ['blocked', blocked.violation?.reason]);
});

test('the reason of a redacted text names the redacted and the flagged types', async () => {
  const rules = [
    { stage: 'pii_scanner', types: ['email'], action: 'redact' },
    { stage: 'pii_scanner', types: ['phone_number'], action: 'flag' },
  ] as const;
  const { verdict, reason } = await createGuard({ policies: policyOf(...rules) }).check({
    response: PHONE,
  });
  assert.equal(verdict, 'flagged');
  assert.deepEqual(reason?.split('; ').sort(), [
    'pii_scanner flagged phone_number',
    'pii_scanner redacted email',
  ]);
});

test('a redacting rule flags its findings in a passage and replaces nothing there', async () => {
  const guard = createGuard({ policies: policyOf({ stage: 'pii_scanner', action: 'redact' }) });
  const { reason, response } = await guard.check({ response: 'Yes.', context: [PHONE] });
  assert.deepEqual([reason, response], [FLAGGED, 'Yes.']);
});

test('several stages and one that did not finish are all in the reason', async () => {
  const broken = defineStage({
    name: 'broken_scanner',
    types: ['broken'],
    reads: ['response'],
    run() {
      throw new Error('the index is gone');
    },
  });
  const pipeline = createPipeline({ stages: [{ name: 'pii_scanner' }, broken] });
  const { verdict, reason } = await createGuard({ pipeline }).check({ response: PHONE });
  assert.equal(verdict, 'flagged');
  assert.equal(reason, `${FLAGGED}; broken_scanner did not finish: the index is gone`);
});

test('the reason names a score that no finding explains', async () => {
  const scoring = defineStage({
    name: 'own_scanner',
    types: ['own'],
    reads: ['response'],
    run: ({ setScore }) => setScore(0.4),
  });
  const pipeline = createPipeline({ stages: [scoring] });
  const policies = policyOf({ stage: 'own_scanner', threshold: 0.1, action: 'flag' });
  const { verdict, reason } = await createGuard({ pipeline, policies }).check({ response: PHONE });
  assert.deepEqual(
    [verdict, reason],
    ['flagged', "own_scanner score above the policy's threshold"],
  );
});
