import type { Finding, StageName } from './types.ts';

/** Actions of a rule on its matches, from the mildest to the strictest. */
export type PolicyAction = 'allow' | 'flag' | 'redact' | 'block';

/**
 * One rule. Without `types` it holds for every finding of the stage, and where the stage's score is a
 * combined risk, as that of `pii_scanner`, its threshold is compared with the score. With `types` the
 * finding's own value is compared: type risk times confidence for personal data, the confidence elsewhere. Without
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

/** Why texts were redacted: `pii_scanner found email`. Of several policies, the one of the first finding. */
export interface Redaction {
  readonly policyId: string;
  readonly reason: string;
}

/** A finding with the action that the policies decided on. */
export interface DecidedFinding extends Finding {
  readonly action: PolicyAction;
}
