import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Policy } from '@probity/pipeline';
import { builtInPolicyRules, createPipeline } from '@probity/pipeline';
import { sampleTargets } from '@probity/test-support/combinations';
import { blockedScan, passedScan } from '../../src/scans/schemas.ts';
import { createApi } from '../api.ts';
import { BENIGN, createWorld, targets } from '../world.ts';

const KNOWLEDGE = [
  { id: 'nug_boat', claim: 'The night boat leaves from the northern pier.' },
  { id: 'nug_pilots', claim: 'Harbour pilots must renew their licence every five years.' },
];
const SECRET =
  'The vault of the harbour office opens only on the second Monday of March, at nine, for the auditor.';

/** Every stage of the specification, with knowledge and protected texts. */
const everything = () =>
  createPipeline({
    stages: [
      { name: 'truth_scan', options: { knowledge: KNOWLEDGE } },
      { name: 'pii_scanner' },
      { name: 'injection_scanner' },
      { name: 'toxicity_scanner' },
      { name: 'contamination_check', options: { protected: [SECRET] } },
      { name: 'hallucination_detector' },
      { name: 'output_truth_scanner', options: { knowledge: KNOWLEDGE } },
    ],
  });
/** Blocks content that repeats protected text. */
const strict: Policy = {
  id: 'pol_strict',
  name: 'Strict',
  enabled: true,
  rules: [
    { stage: 'contamination_check', threshold: 0.5, action: 'block' },
    ...builtInPolicyRules(),
  ],
};

test('a scan against knowledge and protected texts returns their scores and the matching statement', async (t) => {
  const { postScan } = await createApi(t, { pipeline: everything() });
  const { status, body } = await postScan({ response: `${KNOWLEDGE[0]?.claim} ${BENIGN}` });
  assert.equal(status, 200);
  assert.doesNotThrow(() => passedScan.parse(body));
  const { verdict, scores, findings } = body.data;
  assert.deepEqual(Object.keys(scores), [
    'pii',
    'injection',
    'toxicity',
    'hallucination',
    'truth',
    'contamination',
  ]);
  assert.deepEqual([verdict, scores.contamination], ['allowed', 0]);
  assert.ok(scores.truth < 0.7);
  const [{ stage, type, nugget, nuggetId, action }] = findings;
  assert.deepEqual(
    [stage, type, nugget, nuggetId, action],
    ['output_truth_scanner', 'supported', 0, 'nug_boat', 'allow'],
  );
});

test('a scan that repeats protected text is blocked by policy, and the answer omits the text', async (t) => {
  const { postScan } = await createApi(t, { pipeline: everything(), policies: [strict] });
  const { status, body } = await postScan({ response: `As told: ${SECRET}` });
  assert.equal(status, 403);
  assert.doesNotThrow(() => blockedScan.parse(body));
  const { error, governance } = body;
  assert.deepEqual([error.code, governance.policy_id], ['POLICY_BLOCKED', 'pol_strict']);
  assert.ok(governance.scores.contamination >= 0.5);
  assert.ok(!JSON.stringify(body).includes('second Monday'));
});

for (const target of sampleTargets(targets)) {
  test(`${target.name}: a scan against knowledge is stored with all scores and the statement`, async (t) => {
    const { scans, context } = await createWorld(t, { target, pipeline: everything() });
    const { scan } = await scans.scan(context, { response: KNOWLEDGE[0]?.claim ?? '' });
    const stored = await scans.get(context, scan.id);
    assert.deepEqual(stored.scores, scan.scores);
    assert.deepEqual(stored.findings, scan.findings);
    assert.deepEqual([stored.scores.contamination, stored.findings[0]?.nuggetId], [0, 'nug_boat']);
  });
}
