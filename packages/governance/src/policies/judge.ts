import type {
  Policy,
  PolicyDecision,
  Redactor,
  ScanInput,
  ScanResult,
  ViolationCode,
} from '@probity/pipeline';
import { evaluatePolicies } from '@probity/pipeline';
import type { AppliedPolicy, PolicyMode } from './types.ts';

/** What a policy that only monitors would have decided on a scan. */
export interface MonitoredDecision {
  readonly policyId: string;
  readonly version: number;
  readonly verdict: PolicyDecision['verdict'];
  /** Why it would have blocked or redacted: stage and types, never the matched text; else null. */
  readonly reason: string | null;
  /** The code with which it would have blocked; else null. */
  readonly code: ViolationCode | null;
}

/** The decision of several policies on one scan. */
export interface Judgment {
  /** By the policies that are enforced. */
  readonly decision: PolicyDecision;
  /** All policies that were applied, in their versions. */
  readonly policies: readonly AppliedPolicy[];
  /** One entry for each policy that only monitors. */
  readonly monitored: readonly MonitoredDecision[];
}

/** What of a policy is needed to apply it. */
export interface Applicable {
  readonly id: string;
  readonly version: number;
  readonly mode: PolicyMode;
  readonly policy: Policy;
}

/** Applies policies to the result of a scan. Policies that only monitor change no verdict. */
export function judge(
  policies: readonly Applicable[],
  result: ScanResult,
  input: ScanInput,
  redactor?: Redactor,
): Judgment {
  const enforced = policies.filter(({ mode }) => mode === 'enforce');
  const toPolicies = enforced.map(({ policy }) => policy);
  return {
    decision: evaluatePolicies(toPolicies, result, input, redactor),
    policies: policies.map(({ id, version, mode }) => ({ id, version, mode })),
    monitored: policies
      .filter(({ mode }) => mode === 'monitor')
      .map((monitor) => toMonitored(monitor, evaluatePolicies([monitor.policy], result, input))),
  };
}

function toMonitored(
  { id, version }: Applicable,
  { verdict, violation, redaction }: PolicyDecision,
): MonitoredDecision {
  const reason = violation?.reason ?? redaction?.reason ?? null;
  return { policyId: id, version, verdict, reason, code: violation?.code ?? null };
}
