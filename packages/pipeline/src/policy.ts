import type { RedactedTexts } from './redaction.ts';
import { redactInput } from './redaction.ts';
import { severityOf } from './risk.ts';
import type { Finding, FindingGroup, ScanInput, ScanResult, Scores, StageName } from './types.ts';

/** What a rule does with what it matches, from the mildest to the strictest. */
export type PolicyAction = 'allow' | 'flag' | 'redact' | 'block';

/**
 * One rule. Without `types` it holds for every finding of the stage, and on `pii_scanner` its
 * threshold is compared with the combined risk `scores.pii`. With `types` the finding's own value is
 * compared: type risk times confidence for personal data, the confidence elsewhere. Without
 * `threshold` everything matches.
 */
export interface PolicyRule {
  readonly stage: StageName;
  readonly types?: readonly string[] | undefined;
  readonly threshold?: number | undefined;
  readonly action: PolicyAction;
}

/** A named list of rules; the order of the rules matters, the order of policies does not. */
export interface Policy {
  readonly id: string;
  readonly name: string;
  /** Default true. */
  readonly enabled?: boolean | undefined;
  readonly rules: readonly PolicyRule[];
}

/** Why a scan was blocked, as the specification's error table names it. */
export type ViolationCode = 'INJECTION_ATTEMPT_DETECTED' | 'PII_DETECTED' | 'POLICY_BLOCKED';

/** The policy that blocked; `policyId` is null where no policy but a failed-closed stage did. */
export interface Violation {
  readonly policyId: string | null;
  readonly code: ViolationCode;
  readonly reason: string;
}

/** A finding with the action that the policies decided on. */
export interface DecidedFinding extends Finding {
  readonly action: PolicyAction;
}

/** The decision over one scan. `violation` is present exactly when the verdict is `blocked`. */
export interface PolicyDecision {
  readonly verdict: 'allowed' | 'flagged' | 'blocked';
  readonly findings: readonly DecidedFinding[];
  readonly violation?: Violation;
  /** Present when a finding outside of the context is to be redacted and the scan is not blocked. */
  readonly redacted?: RedactedTexts;
  /** The enabled policies, in the order given. */
  readonly policyIds: readonly string[];
}

const STRICTNESS: Readonly<Record<PolicyAction, number>> = {
  allow: 0,
  flag: 1,
  redact: 2,
  block: 3,
};
const CODE_ORDER: readonly ViolationCode[] = [
  'INJECTION_ATTEMPT_DETECTED',
  'PII_DETECTED',
  'POLICY_BLOCKED',
];
const SCORE_STAGES: readonly (readonly [StageName, keyof Scores])[] = [
  ['injection_scanner', 'injection'],
  ['pii_scanner', 'pii'],
  ['toxicity_scanner', 'toxicity'],
  ['hallucination_detector', 'hallucination'],
  ['secrets_scanner', 'secrets'],
  ['terms_scanner', 'terms'],
];

interface Decision {
  readonly action: PolicyAction;
  readonly policyId: string | null;
  readonly stage: StageName;
  /** Present where the stage did not finish, rather than find something. */
  readonly unfinished?: true;
}

/**
 * Decides what happens with a scanned input. Pure.
 *
 * Within a policy the first rule that matches a finding decides on it; across policies the strictest
 * action wins (block, redact, flag, allow); a finding that no rule matches is allowed. A stage's
 * score that no finding explains is judged like a finding, by rules with a threshold and no types. A stage
 * that did not finish flags, as no rule can allow what was not looked at, and blocks with
 * POLICY_BLOCKED where it is in `failedClosed`, whatever the policies. Of several blocking reasons the
 * violation names injection before personal data before the rest. Redaction makes a verdict
 * `flagged`. Findings that the scan did not list (`result.omitted`) are decided on like the others;
 * where one of them would have to be redacted, the scan is blocked, as its place is not known.
 */
export function evaluatePolicies(
  policies: readonly Policy[],
  result: ScanResult,
  input: ScanInput,
): PolicyDecision {
  const enabled = policies.filter((policy) => policy.enabled !== false);
  const decide = createDecider(enabled, result.scores);
  const decisions = result.findings.map(decide);
  const all = [
    ...decisions,
    ...result.omitted.map((group) => withoutPlace(decide(group))),
    ...decideScores(enabled, result),
    ...decideUnfinished(result),
  ];
  const findings = result.findings.map((finding, index) => ({
    ...finding,
    action: decisions[index]?.action ?? 'allow',
  }));
  const blocking = all.filter(({ action }) => action === 'block');
  const policyIds = enabled.map(({ id }) => id);
  if (blocking.length > 0) {
    return { verdict: 'blocked', findings, violation: toViolation(blocking, result), policyIds };
  }
  const verdict = all.some(({ action }) => action !== 'allow') ? 'flagged' : 'allowed';
  const marked = findings.filter(({ action, field }) => action === 'redact' && field !== 'context');
  if (marked.length === 0) return { verdict, findings, policyIds };
  return { verdict, findings, redacted: redactInput(input, marked), policyIds };
}

/** Decides by stage, type and score, each only once: a scan may have many thousand alike. */
function createDecider(policies: readonly Policy[], scores: Scores) {
  const known = new Map<string, Decision>();
  return (found: Finding | FindingGroup): Decision => {
    const { stage, type, score } = found;
    const key = `${stage} ${score} ${type}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const made = strictest(policies, stage, (rule) => matchesFinding(rule, found, scores));
    known.set(key, made);
    return made;
  };
}

/** What is not listed cannot be redacted. */
function withoutPlace(decision: Decision): Decision {
  return decision.action === 'redact' ? { ...decision, action: 'block' } : decision;
}

function strictest(
  policies: readonly Policy[],
  stage: StageName,
  matches: (rule: PolicyRule) => boolean,
): Decision {
  let decision: Decision = { action: 'allow', policyId: null, stage };
  for (const { id, rules } of policies) {
    const rule = rules.find((candidate) => candidate.stage === stage && matches(candidate));
    if (rule !== undefined && STRICTNESS[rule.action] > STRICTNESS[decision.action]) {
      decision = { action: rule.action, policyId: id, stage };
    }
  }
  return decision;
}

function matchesFinding(
  rule: PolicyRule,
  finding: Finding | FindingGroup,
  scores: Scores,
): boolean {
  const { types, threshold = 0 } = rule;
  if (types !== undefined && !types.includes(finding.type)) return false;
  if (finding.stage === 'pii_scanner' && types === undefined) {
    return (scores.pii ?? 0) >= threshold;
  }
  return severityOf(finding.stage, finding) >= threshold;
}

function decideScores(
  policies: readonly Policy[],
  { findings, omitted, scores }: ScanResult,
): Decision[] {
  const explained = new Set<StageName>();
  for (const { stage } of findings) explained.add(stage);
  for (const { stage } of omitted) explained.add(stage);
  return SCORE_STAGES.flatMap(([stage, key]) => {
    const score = scores[key];
    if (score === undefined || score === null || score === 0 || explained.has(stage)) return [];
    const matches = (rule: PolicyRule) =>
      rule.types === undefined && rule.threshold !== undefined && score >= rule.threshold;
    return [strictest(policies, stage, matches)];
  });
}

function decideUnfinished({ stages, failedClosed }: ScanResult): Decision[] {
  const unfinished = stages.filter(({ status }) => status !== 'ok').map(({ stage }) => stage);
  return [...new Set([...failedClosed, ...unfinished])].map((stage) => ({
    action: failedClosed.includes(stage) ? 'block' : 'flag',
    policyId: null,
    stage,
    unfinished: true,
  }));
}

function toViolation(blocking: readonly Decision[], result: ScanResult): Violation {
  const rankOf = (decision: Decision) => CODE_ORDER.indexOf(codeOf(decision));
  const first = blocking.reduce((held, next) => (rankOf(next) < rankOf(held) ? next : held));
  return { policyId: first.policyId, code: codeOf(first), reason: reasonOf(first, result) };
}

function codeOf({ stage, unfinished }: Decision): ViolationCode {
  if (unfinished) return 'POLICY_BLOCKED';
  if (stage === 'injection_scanner') return 'INJECTION_ATTEMPT_DETECTED';
  return stage === 'pii_scanner' ? 'PII_DETECTED' : 'POLICY_BLOCKED';
}

function reasonOf({ stage, unfinished }: Decision, result: ScanResult): string {
  if (unfinished) return `${stage} did not finish and is configured to fail closed`;
  const types = new Set<string>();
  for (const found of result.findings) if (found.stage === stage) types.add(found.type);
  for (const group of result.omitted) if (group.stage === stage) types.add(group.type);
  return types.size === 0
    ? `${stage} score above the policy's threshold`
    : `${stage} found ${[...types].join(', ')}`;
}

/**
 * The rules of the policy that every organization starts with: personal-data risk from 0.6,
 * injection from 0.5, toxicity from 0.7, secrets and terms from 0.8 block; a hallucination from 0.8 and every
 * weaker finding flag, except a claim that the knowledge base supports. A fresh copy at each call.
 */
export function builtInPolicyRules(): PolicyRule[] {
  return [
    { stage: 'pii_scanner', threshold: 0.6, action: 'block' },
    { stage: 'injection_scanner', threshold: 0.5, action: 'block' },
    { stage: 'toxicity_scanner', threshold: 0.7, action: 'block' },
    { stage: 'secrets_scanner', threshold: 0.8, action: 'block' },
    { stage: 'terms_scanner', threshold: 0.8, action: 'block' },
    { stage: 'hallucination_detector', threshold: 0.8, action: 'flag' },
    { stage: 'pii_scanner', action: 'flag' },
    { stage: 'injection_scanner', action: 'flag' },
    { stage: 'toxicity_scanner', action: 'flag' },
    { stage: 'hallucination_detector', action: 'flag' },
    { stage: 'truth_scan', types: ['contradicted'], action: 'flag' },
    { stage: 'contamination_check', action: 'flag' },
    { stage: 'output_truth_scanner', types: ['contradicted'], action: 'flag' },
    { stage: 'secrets_scanner', action: 'flag' },
    { stage: 'terms_scanner', action: 'flag' },
  ];
}
