import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Policy } from '@probity/pipeline';
import { builtInPolicyRules, createPipeline } from '@probity/pipeline';
import { blockedScan, passedScan } from '../src/http/schemas.ts';
import { withApi } from './http-world.ts';
import { BENIGN, inWorld, targets } from './world.ts';

const KNOWLEDGE = [
  { id: 'nug_boat', claim: 'The night boat leaves from the northern pier.' },
  { id: 'nug_pilots', claim: 'Harbour pilots must renew their licence every five years.' },
];
const SECRET =
  'The vault of the harbour office opens only on the second Monday of March, at nine, for the auditor.';

/** Every stage of the specification, with something to compare with. */
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
/** Blocks what repeats protected text. */
const strict: Policy = {
  id: 'pol_strict',
  name: 'Strict',
  enabled: true,
  rules: [
    { stage: 'contamination_check', threshold: 0.5, action: 'block' },
    ...builtInPolicyRules(),
  ],
};

describe('a scan against knowledge and protected texts', () => {
  it(
    'has their scores, and names the statement that a claim is about',
    withApi(
      async ({ scan }) => {
        const { status, body } = await scan({ response: `${KNOWLEDGE[0]?.claim} ${BENIGN}` });
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
      },
      {},
      { pipeline: everything() },
    ),
  );

  it(
    'is blocked by a policy that says so, without the text in the answer',
    withApi(
      async ({ scan }) => {
        const { status, body } = await scan({ response: `As told: ${SECRET}` });
        assert.equal(status, 403);
        assert.doesNotThrow(() => blockedScan.parse(body));
        const { error, governance } = body;
        assert.deepEqual([error.code, governance.policy_id], ['POLICY_BLOCKED', 'pol_strict']);
        assert.ok(governance.scores.contamination >= 0.5);
        assert.ok(!JSON.stringify(body).includes('second Monday'));
      },
      {},
      { pipeline: everything(), policies: [strict] },
    ),
  );

  for (const target of targets) {
    it(
      `is stored with all scores and the statement (${target.name})`,
      inWorld(
        target,
        async ({ governance, context }) => {
          const { scan } = await governance.scan(context, { response: KNOWLEDGE[0]?.claim ?? '' });
          const stored = await governance.getScan(context, scan.id);
          assert.deepEqual(stored.scores, scan.scores);
          assert.deepEqual(stored.findings, scan.findings);
          assert.deepEqual(
            [stored.scores.contamination, stored.findings[0]?.nuggetId],
            [0, 'nug_boat'],
          );
        },
        { pipeline: everything() },
      ),
    );
  }
});
