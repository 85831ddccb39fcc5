import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScanFinding, ScanViolation } from '../../src/index.ts';
import { alertFactsOf, severityOf } from '../../src/index.ts';

function finding(
  stage: ScanFinding['stage'],
  type: string,
  changes: Partial<ScanFinding> = {},
): ScanFinding {
  const action = 'flag' as const;
  return { stage, type, score: 0.9, field: 'response', start: 0, end: 4, action, ...changes };
}

const email = finding('pii_scanner', 'email');
const ssn = finding('pii_scanner', 'ssn', { action: 'block', field: 'prompt' });
const hallucination = finding('hallucination_detector', 'contradiction');
const injection = finding('injection_scanner', 'prompt_injection', { action: 'block' });
const toxic = finding('toxicity_scanner', 'insult', { action: 'block' });

const blockedBy = (code: ScanViolation['code']): ScanViolation => ({
  policyId: 'pol_builtin',
  code,
  reason: 'toxicity_scanner score above the policy\u2019s threshold',
});

interface Case {
  name: string;
  findings: readonly ScanFinding[];
  violation?: ScanViolation;
  expected: readonly [type: string, severity: string, message?: RegExp] | null;
}

const CASES: readonly Case[] = [
  { name: 'a scan without findings', findings: [], expected: null },
  {
    name: 'personal data',
    findings: [email],
    expected: ['pii', 'low', /^Personal data \(email\) in response; the scan was flagged\.$/],
  },
  {
    name: 'a hallucination',
    findings: [hallucination],
    expected: ['hallucination', 'medium', /^Possible hallucination/],
  },
  {
    name: 'a scan with several types of personal data, graded by the most severe,',
    findings: [email, ssn],
    violation: blockedBy('PII_DETECTED'),
    expected: ['pii', 'critical', /\(email, ssn\) in response, prompt; the scan was blocked/],
  },
  {
    name: 'personal data beside a worse injection',
    findings: [email, injection],
    violation: blockedBy('INJECTION_ATTEMPT_DETECTED'),
    expected: ['injection', 'high'],
  },
  {
    name: 'an injection that only flags',
    findings: [{ ...injection, action: 'flag' }],
    expected: null,
  },
  {
    name: 'toxic content that is blocked',
    findings: [toxic],
    violation: blockedBy('POLICY_BLOCKED'),
    expected: ['toxicity', 'medium', /^Toxic content \(insult\)/],
  },
  {
    name: 'a score that no finding explains',
    findings: [],
    violation: blockedBy('POLICY_BLOCKED'),
    expected: ['policy', 'high', /^Policy violation: toxicity_scanner score above/],
  },
  {
    name: 'personal data that a policy allows',
    findings: [{ ...email, action: 'allow' }],
    expected: null,
  },
];

for (const { name, findings, violation, expected } of CASES) {
  test(`${name} raises ${expected ? `one alert of type ${expected[0]}, ${expected[1]}` : 'no alert'}`, () => {
    const verdict = violation ? 'blocked' : 'flagged';
    const facts = alertFactsOf({ findings, verdict, violation: violation ?? null });
    assert.deepEqual(facts && [facts.type, facts.severity], expected?.slice(0, 2) ?? null);
    if (facts && expected?.[2]) assert.match(facts.message, expected[2]);
  });
}

const cases = [
  ['pii_scanner', 'ssn', 'critical'],
  ['pii_scanner', 'credit_card', 'critical'],
  ['pii_scanner', 'bank_account', 'high'],
  ['pii_scanner', 'passport', 'high'],
  ['pii_scanner', 'phone_number', 'medium'],
  ['pii_scanner', 'email', 'low'],
  ['pii_scanner', 'ip_address', 'low'],
  ['pii_scanner', 'loyalty_card', 'medium'],
  ['pii_scanner', 'constructor', 'medium'],
  ['injection_scanner', 'prompt_injection', 'high'],
  ['injection_scanner', 'command_injection', 'critical'],
  ['hallucination_detector', 'contradiction', 'medium'],
] as const;
for (const [stage, type, severity] of cases) {
  test(`a finding ${type} of ${stage} is of severity ${severity}`, () => {
    assert.equal(severityOf({ stage, type }), severity);
  });
}
