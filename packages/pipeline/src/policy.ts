import { typeOf } from './known-members.ts';
import type { Pipeline } from './pipeline.ts';
import { policiesForScan } from './policy-check.ts';
import type {
  DecidedFinding,
  Policy,
  PolicyAction,
  PolicyRule,
  Redaction,
  Violation,
  ViolationCode,
} from './policy-types.ts';
import type { RedactedTexts, Redactor } from './redaction/redactor.ts';
import { redactInput, requireRedactor } from './redaction/redactor.ts';
import type { StageDefinition, StageFacts } from './stage-definition.ts';
import { severityOf } from './stage-definition.ts';
import { BUILT_IN_STAGES, builtInStage, stageFacts } from './stages.ts';
import type { Finding, FindingGroup, ScanInput, ScanResult, Scores, StageName } from './types.ts';
import { isFinished } from './unfinished.ts';

/** The decision over one scan. `violation` is present exactly when the verdict is `blocked`. */
export interface PolicyDecision {
  readonly verdict: 'allowed' | 'flagged' | 'blocked';
  readonly findings: readonly DecidedFinding[];
  readonly violation?: Violation;
  /** Present when a finding outside of the context is to be redacted and the scan is not blocked. */
  readonly redacted?: RedactedTexts;
  /** The policy that has texts redacted, and what it found; present with `redacted`. */
  readonly redaction?: Redaction;
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
interface Decision {
  readonly action: PolicyAction;
  readonly policyId: string | null;
  readonly stage: StageName;
  /** The type of the findings that it is about; absent for a score, and for a stage that did not finish. */
  readonly type?: string;
  /** Present where the stage did not finish, rather than find something. */
  readonly unfinished?: true;
}

/**
 * Decides what happens with a scanned input. Pure. Policies that `parsePolicies` has not returned are
 * checked first, against the stages of this package and those of the scan.
 *
 * Within a policy the first rule that matches a finding decides on it; across policies the strictest
 * action wins (block, redact, flag, allow); a finding that no rule matches is allowed. A stage's
 * score that no finding explains is judged like a finding, by rules with a threshold and no types. A stage
 * that did not finish flags, as no rule can allow what was not looked at, and blocks with
 * POLICY_BLOCKED where it is in `failedClosed`, whatever the policies. Of several blocking reasons the
 * violation names injection before personal data before the rest. Redaction makes a verdict
 * `flagged`. Findings that the scan did not list (`result.omitted`) are decided on like the others;
 * where one of them would have to be redacted, the scan is blocked, as its place is not known.
 *
 * @param redactor makes the replacements; by default one of its own, with placeholders
 * @throws PipelineConfigError that names the member of a policy at fault, such as `policies.0.rules.2.stage`
 * @throws TypeError for what is no result of a scan, no input or no redactor
 */
export function evaluatePolicies(
  policies: readonly Policy[],
  result: ScanResult,
  input: ScanInput,
  redactor?: Redactor,
): PolicyDecision {
  return explainPolicies(policies, result, input, redactor).decision;
}

/** A decision with its reason. */
export interface ExplainedDecision {
  readonly decision: PolicyDecision;
  /** Why it is not `allowed`: `pii_scanner flagged email`; null where it is. */
  readonly reason: string | null;
}

/** As {@link evaluatePolicies}, with the reason of a flag as well. */
export function explainPolicies(
  policies: readonly Policy[],
  result: ScanResult,
  input: ScanInput,
  redactor?: Redactor,
): ExplainedDecision {
  requireScan(result, input);
  requireRedactor('evaluatePolicies', redactor);
  const known = policiesForScan(policies, result.stages);
  const enabled = known.filter((policy) => policy.enabled !== false);
  const facts = stageFacts(result.stages);
  const decide = createDecider(enabled, result.scores, facts);
  const decisions = result.findings.map(decide);
  const all = [
    ...decisions,
    ...result.omitted.map((group) => withoutPlace(decide(group))),
    ...decideScores(enabled, result, facts),
    ...decideUnfinished(result),
  ];
  const findings = result.findings.map((finding, index) => ({
    ...finding,
    action: decisions[index]?.action ?? 'allow',
  }));
  const blocking = all.filter(({ action }) => action === 'block');
  const policyIds = enabled.map(({ id }) => id);
  if (blocking.length > 0) {
    const violation = toViolation(blocking, result, facts);
    const decision: PolicyDecision = { verdict: 'blocked', findings, violation, policyIds };
    return { decision, reason: violation.reason };
  }
  const verdict = all.some(({ action }) => action !== 'allow') ? 'flagged' : 'allowed';
  const marked = findings.filter(({ action, field }) => action === 'redact' && field !== 'context');
  const reason = flagReason(all, marked, result);
  if (marked.length === 0) return { decision: { verdict, findings, policyIds }, reason };
  const redacting = decisions.find(
    ({ action }, index) => action === 'redact' && findings[index]?.field !== 'context',
  );
  const redaction = redacting && toRedaction(redacting, marked);
  const redacted = redactInput(input, marked, redactor);
  const given = redaction && { redaction };
  const decision: PolicyDecision = { verdict, findings, redacted, ...given, policyIds };
  return { decision, reason };
}

/** Every stage that flags or redacts with its types, or why it did not finish; null where there is none. */
function flagReason(
  all: readonly Decision[],
  marked: readonly Finding[],
  { stages }: ScanResult,
): string | null {
  // A passage of the context is never replaced.
  const replaced = new Set(marked.map(({ stage, type }) => `${stage} ${type}`));
  const reasons = new Map<string, Set<string>>();
  for (const { stage, action, type, unfinished } of all) {
    if (action === 'allow') continue;
    const { status, error } = stages.find((each) => each.stage === stage) ?? {};
    const verb = replaced.has(`${stage} ${type}`) ? 'redacted' : 'flagged';
    const found =
      type === undefined ? `${stage} score above the policy's threshold` : `${stage} ${verb}`;
    const reason = unfinished ? `${stage} did not finish: ${error ?? status}` : found;
    const types = reasons.get(reason) ?? new Set();
    reasons.set(reason, type === undefined ? types : types.add(type));
  }
  if (reasons.size === 0) return null;
  return [...reasons]
    .map(([reason, types]) => (types.size === 0 ? reason : `${reason} ${[...types].join(', ')}`))
    .join('; ');
}

function toRedaction(
  { policyId, stage }: Decision,
  marked: readonly Finding[],
): Redaction | undefined {
  if (policyId === null) return undefined;
  const types = new Set(marked.filter((found) => found.stage === stage).map(({ type }) => type));
  return { policyId, reason: `${stage} found ${[...types].join(', ')}` };
}

function requireScan(result: unknown, input: unknown): void {
  const { stages, findings, omitted, scores } = (result ?? {}) as Partial<ScanResult>;
  if (![stages, findings, omitted].every(Array.isArray) || typeof scores !== 'object') {
    const got = typeOf(result);
    throw new TypeError(`evaluatePolicies: result must be what scan() gives; got ${got}.`);
  }
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return;
  const got = typeOf(input);
  throw new TypeError(`evaluatePolicies: input must be what was scanned; got ${got}.`);
}

/** What is known of the stage of a name. */
type FactsOf = (stage: StageName) => StageFacts;

/** Decides by stage, type and score, each only once: a scan may have many thousand alike. */
function createDecider(policies: readonly Policy[], scores: Scores, factsOf: FactsOf) {
  const known = new Map<string, Decision>();
  return (found: Finding | FindingGroup): Decision => {
    const { stage, type, score } = found;
    const key = `${stage} ${score} ${type}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const facts = factsOf(stage);
    const matches = (rule: PolicyRule) => matchesFinding(rule, found, facts, scores);
    const made = { ...strictest(policies, stage, matches), type };
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
  facts: StageFacts,
  scores: Scores,
): boolean {
  const { types, threshold = 0 } = rule;
  if (types !== undefined && !types.includes(finding.type)) return false;
  if (facts.scoring === 'risk' && types === undefined) {
    return (scores[facts.score] ?? 0) >= threshold;
  }
  return severityOf(facts, finding) >= threshold;
}

function decideScores(
  policies: readonly Policy[],
  { stages, findings, omitted, scores }: ScanResult,
  factsOf: FactsOf,
): Decision[] {
  const explained = new Set<StageName>();
  for (const { stage } of findings) explained.add(stage);
  for (const { stage } of omitted) explained.add(stage);
  const decided: Decision[] = [];
  const decide = (stage: StageName) => {
    const facts = factsOf(stage);
    const score = scores[facts.score] ?? 0;
    if (!facts.isScoreJudged || score === 0 || explained.has(stage)) return;
    const matches = (rule: PolicyRule) =>
      rule.types === undefined && rule.threshold !== undefined && score >= rule.threshold;
    decided.push(strictest(policies, stage, matches));
    explained.add(stage);
  };
  // Results that were put together by hand may have scores without reports.
  for (const { name } of BUILT_IN_STAGES) decide(name);
  for (const { stage } of stages) if (builtInStage(stage) === undefined) decide(stage);
  return decided;
}

function decideUnfinished({ stages, failedClosed }: ScanResult): Decision[] {
  const unfinished = stages.filter(({ status }) => !isFinished(status)).map(({ stage }) => stage);
  return [...new Set([...failedClosed, ...unfinished])].map((stage) => ({
    action: failedClosed.includes(stage) ? 'block' : 'flag',
    policyId: null,
    stage,
    unfinished: true,
  }));
}

function toViolation(
  blocking: readonly Decision[],
  result: ScanResult,
  factsOf: FactsOf,
): Violation {
  const codeOf = ({ stage, unfinished }: Decision): ViolationCode =>
    unfinished ? 'POLICY_BLOCKED' : factsOf(stage).code;
  const rankOf = (decision: Decision) => CODE_ORDER.indexOf(codeOf(decision));
  const first = blocking.reduce((held, next) => (rankOf(next) < rankOf(held) ? next : held));
  return { policyId: first.policyId, code: codeOf(first), reason: reasonOf(first, result) };
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
 * injection from 0.5 and toxicity from 0.7 block; a hallucination from 0.8 and every weaker finding
 * flag, except a claim that the knowledge base supports. A fresh copy at each call.
 *
 * @param pipeline whose further stages add the rules of their definitions, after the others; by default
 *   every finding of such a stage flags
 */
export function builtInPolicyRules(pipeline?: Pick<Pipeline, 'definitions'>): PolicyRule[] {
  if (pipeline !== undefined && !Array.isArray(pipeline?.definitions)) {
    throw new TypeError('builtInPolicyRules: pipeline must be made by createPipeline().');
  }
  const own = pipeline?.definitions ?? [];
  const builtIn = BUILT_IN_STAGES.map(
    (stage: StageDefinition) => own.find(({ name }) => name === stage.name) ?? stage,
  );
  const further = own.filter(({ name }) => builtInStage(name) === undefined);
  const rules = [...builtIn, ...further].flatMap(rulesOf);
  const [graded, rest] = [true, false].map((isGraded) =>
    rules.filter(({ threshold }) => (threshold !== undefined) === isGraded),
  ) as [PolicyRule[], PolicyRule[]];
  return [...graded, ...rest];
}

function rulesOf({ name, rules }: StageDefinition): PolicyRule[] {
  return rules.map(({ types, ...rule }) => ({
    stage: name,
    ...(types && { types: [...types] }),
    ...rule,
  }));
}
