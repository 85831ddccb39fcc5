import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding, Policy, PolicyRule, ScanResult } from '../src/index.ts';
import { builtInPolicyRules, evaluatePolicies } from '../src/index.ts';

const INPUT = {
  prompt: 'card 4111111111111111',
  response: 'again 4111 1111 1111 1111, a@b.example',
};

function finding(
  stage: Finding['stage'],
  type: string,
  score: number,
  place: Partial<Finding> = {},
): Finding {
  return { stage, type, score, field: 'response', start: 0, end: 4, reason: 'r', ...place };
}

const NO_SCORES = {
  pii: null,
  injection: null,
  toxicity: null,
  hallucination: null,
  truth: null,
  contamination: null,
};

function resultOf(findings: Finding[], change: Partial<ScanResult> = {}): ScanResult {
  const scores = NO_SCORES;
  const nothingLeftOut = { findingsTruncated: false, omitted: [] };
  return {
    stages: [],
    findings,
    ...nothingLeftOut,
    scores,
    failedClosed: [],
    durationMs: 1,
    ...change,
  };
}

function policyOf(id: string, ...rules: PolicyRule[]): Policy {
  return { id, name: id, enabled: true, rules };
}

const scoresOf = (change: Partial<ScanResult['scores']>) => ({
  scores: { ...NO_SCORES, pii: 0, injection: 0, ...change },
});

describe('evaluatePolicies', () => {
  const email = finding('pii_scanner', 'email', 0.9);
  const card = finding('pii_scanner', 'credit_card', 0.98);
  const attack = finding('injection_scanner', 'sql_injection', 0.8);
  const builtIn = policyOf('pol', ...builtInPolicyRules());

  it('evaluatePolicies allows a scan without findings', () => {
    const decision = evaluatePolicies([builtIn], resultOf([]), INPUT);
    assert.deepEqual(decision, { verdict: 'allowed', findings: [], policyIds: ['pol'] });
  });

  const verdicts: [string, ScanResult, string, string?][] = [
    ['flags an e-mail address', resultOf([email], scoresOf({ pii: 0.45 })), 'flagged'],
    ['blocks a card number', resultOf([card], scoresOf({ pii: 0.93 })), 'blocked', 'PII_DETECTED'],
    [
      'blocks an injection',
      resultOf([attack], scoresOf({ injection: 0.8 })),
      'blocked',
      'INJECTION_ATTEMPT_DETECTED',
    ],
    [
      'names injection before personal data',
      resultOf([card, attack], scoresOf({ pii: 0.93 })),
      'blocked',
      'INJECTION_ATTEMPT_DETECTED',
    ],
    [
      'names personal data before the rest',
      resultOf([finding('toxicity_scanner', 'violence', 0.9), card], scoresOf({ pii: 0.93 })),
      'blocked',
      'PII_DETECTED',
    ],
    [
      'blocks toxicity',
      resultOf([finding('toxicity_scanner', 'violence', 0.7)]),
      'blocked',
      'POLICY_BLOCKED',
    ],
    [
      'blocks a toxicity score without a finding',
      resultOf([], scoresOf({ toxicity: 0.7 })),
      'blocked',
      'POLICY_BLOCKED',
    ],
    ['ignores a low score without a finding', resultOf([], scoresOf({ toxicity: 0.2 })), 'allowed'],
    [
      'flags a hallucination',
      resultOf([finding('hallucination_detector', 'unsupported', 0.9)]),
      'flagged',
    ],
    [
      'blocks where a stage failed closed',
      resultOf([], { failedClosed: ['pii_scanner'] }),
      'blocked',
      'POLICY_BLOCKED',
    ],
  ];
  for (const [name, result, verdict, code] of verdicts) {
    it(`evaluatePolicies with the built-in rules ${name}`, () => {
      const decision = evaluatePolicies([builtIn], result, INPUT);
      assert.equal(decision.verdict, verdict);
      assert.equal(decision.violation?.code, code);
    });
  }

  it('evaluatePolicies blocks a failed-closed stage without any policy', () => {
    const decision = evaluatePolicies([], resultOf([], { failedClosed: ['truth_scan'] }), INPUT);
    assert.equal(decision.verdict, 'blocked');
    assert.equal(decision.violation?.policyId, null);
  });

  it('evaluatePolicies lets the first matching rule of a policy decide', () => {
    const policy = policyOf(
      'a',
      { stage: 'pii_scanner', types: ['email'], action: 'allow' },
      { stage: 'pii_scanner', action: 'block' },
    );
    assert.equal(evaluatePolicies([policy], resultOf([email]), INPUT).verdict, 'allowed');
    assert.equal(evaluatePolicies([policy], resultOf([card]), INPUT).verdict, 'blocked');
  });

  it('evaluatePolicies lets the strictest policy win, in either order, and names it', () => {
    const mild = policyOf('mild', { stage: 'pii_scanner', action: 'flag' });
    const strict = policyOf('strict', { stage: 'pii_scanner', action: 'block' });
    for (const policies of [
      [mild, strict],
      [strict, mild],
    ]) {
      const { violation } = evaluatePolicies(policies, resultOf([email]), INPUT);
      assert.equal(violation?.policyId, 'strict');
    }
  });

  it('evaluatePolicies leaves out a disabled policy', () => {
    const off = { ...policyOf('off', { stage: 'pii_scanner', action: 'block' }), enabled: false };
    const decision = evaluatePolicies([off], resultOf([email]), INPUT);
    assert.deepEqual([decision.verdict, decision.policyIds], ['allowed', []]);
  });

  it('evaluatePolicies compares a typed rule with type risk times confidence', () => {
    const rule = { stage: 'pii_scanner', types: ['email'], action: 'block' } as const;
    const verdictAt = (threshold: number) =>
      evaluatePolicies([policyOf('p', { ...rule, threshold })], resultOf([email]), INPUT).verdict;
    assert.equal(verdictAt(0.45), 'blocked');
    assert.equal(verdictAt(0.46), 'allowed');
  });

  it('evaluatePolicies redacts with the same placeholder for the same value in both texts', () => {
    const marks = [
      finding('pii_scanner', 'credit_card', 0.9, { field: 'prompt', start: 5, end: 21 }),
      finding('pii_scanner', 'credit_card', 0.9, { start: 6, end: 25 }),
      finding('pii_scanner', 'email', 0.9, { start: 27, end: 38 }),
    ];
    const policy = policyOf('r', { stage: 'pii_scanner', action: 'redact' });
    const { verdict, redacted } = evaluatePolicies([policy], resultOf(marks), INPUT);
    assert.equal(verdict, 'flagged');
    assert.deepEqual(redacted, {
      prompt: 'card [CREDIT_CARD_1]',
      response: 'again [CREDIT_CARD_1], [EMAIL_1]',
    });
  });

  it('evaluatePolicies merges overlapping redactions under the more certain type', () => {
    const marks = [
      finding('pii_scanner', 'phone_number', 0.6, { start: 0, end: 8 }),
      finding('pii_scanner', 'ssn', 0.9, { start: 4, end: 12 }),
    ];
    const policy = policyOf('r', { stage: 'pii_scanner', action: 'redact' });
    const { redacted } = evaluatePolicies([policy], resultOf(marks), { response: '0123456789abc' });
    assert.deepEqual(redacted, { prompt: null, response: '[SSN_1]c' });
  });
});
