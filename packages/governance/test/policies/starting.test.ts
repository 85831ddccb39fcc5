import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Policy } from '@probity/pipeline';
import { BUILT_IN_POLICY } from '../../src/index.ts';
import { createApi } from '../api.ts';
import { CARD, EMAIL } from '../world.ts';

const REDACT: Policy = {
  id: 'pol_redact',
  name: 'Redact personal data',
  enabled: true,
  rules: [{ stage: 'pii_scanner', action: 'redact' }],
};
const OFF: Policy = { ...REDACT, id: 'pol_off', enabled: false };
const policies = [BUILT_IN_POLICY, REDACT, OFF];

const response = `Write to ${EMAIL}.`;

test('a redacting policy applies to prompt and response, and the answer contains both redacted texts', async (t) => {
  const { postScan } = await createApi(t, { policies });
  const { status, body } = await postScan({ prompt: `I am ${EMAIL}`, response });
  assert.equal(status, 200);
  assert.equal(body.data.verdict, 'flagged');
  assert.deepEqual(body.data.redacted, {
    prompt: 'I am [EMAIL_1]',
    response: 'Write to [EMAIL_1].',
  });
  assert.deepEqual(
    body.data.findings.map(({ action }: { action: string }) => action),
    ['redact', 'redact'],
  );
  assert.deepEqual(body.data.policyIds, ['pol_builtin', 'pol_redact']);
});

test('redacted.prompt is null without a prompt, and redacted is absent when nothing is redacted', async (t) => {
  const { postScan } = await createApi(t, { policies });
  const redacted = await postScan({ response });
  assert.equal(redacted.body.data.redacted.prompt, null);
  const flagged = await postScan({ response, policyIds: ['pol_builtin'] });
  assert.equal('redacted' in flagged.body.data, false);
});

test('a scan applies the enabled policies listed in policyIds', async (t) => {
  const { postScan } = await createApi(t, { policies });
  const leaking = { response: `Card ${CARD}` };
  assert.equal((await postScan(leaking)).status, 403);
  const redacted = await postScan({ ...leaking, policyIds: ['pol_redact', 'pol_off'] });
  assert.equal(redacted.status, 200);
  assert.equal(redacted.body.data.redacted.response, 'Card [CREDIT_CARD_1]');
  assert.deepEqual(redacted.body.data.policyIds, ['pol_redact']);
});

test('the built-in policy cannot be changed in any part', () => {
  const parts = [BUILT_IN_POLICY, BUILT_IN_POLICY.rules, ...BUILT_IN_POLICY.rules];
  const types = BUILT_IN_POLICY.rules.flatMap((rule) => (rule.types ? [rule.types] : []));
  assert.ok(types.length > 0);
  for (const part of [...parts, ...types]) assert.ok(Object.isFrozen(part), JSON.stringify(part));
});
