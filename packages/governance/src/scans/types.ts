import type {
  DecidedFinding,
  Field,
  PolicyDecision,
  RedactionStyle,
  Scores,
  StageName,
  StageStatus,
  ViolationCode,
} from '@probity/pipeline';
import type { Alert } from '../alerts/types.ts';
import type { MonitoredDecision } from '../policies/judge.ts';
import type { AppliedPolicy } from '../policies/types.ts';
import type { ScanFacts } from './facts.ts';

/** The decision of a scan on its content. */
export type Verdict = PolicyDecision['verdict'];

/**
 * The scores returned and stored. Those of stages that do not run by default, such as `truth` and
 * `contamination`, are present only when the pipeline has these stages.
 */
export type ScanScores = Pick<Scores, 'pii' | 'injection' | 'toxicity' | 'hallucination'> &
  Partial<Pick<Scores, 'truth' | 'contamination'>> &
  Readonly<Record<string, number | null>>;

/** A finding as returned and stored: place and type, never the matched text. */
export type ScanFinding = Omit<DecidedFinding, 'reason' | 'field'> & {
  /** Offsets are those of this text; of a conversation, of the text at `path`. */
  readonly field: Exclude<Field, 'system'> | 'messages';
  /**
   * Present where `field` is `messages`: the place in the list of messages, as in JavaScript: `[2].content[0].text`.
   * Where a text is JSON, as the arguments of a tool call, it goes on within its value.
   */
  readonly path?: string;
  /** Present where the text is the name of the member at `path`, rather than its value. */
  readonly inName?: true;
};

/** A part of a message without a text that could be scanned: an image, a sound, a file. */
export interface SkippedPart {
  /** As that of findings. */
  readonly path: string;
  /** As the part says. */
  readonly type: string;
}

/** A content with replacements for what policies redact. */
export type RedactedContent =
  | { readonly prompt: string | null; readonly response: string }
  /** In their own shape; numbers that are replaced become strings. */
  | { readonly messages: readonly object[] };

/** Tags that the customer attaches to a scan. */
export type Metadata = Readonly<Record<string, string | number | boolean>>;

/** The policy that blocked a scan. */
export interface ScanViolation {
  readonly policyId: string;
  readonly code: ViolationCode;
  /** Stage and types, never the matched text. */
  readonly reason: string;
}

/** Filter of a list of scans; all given conditions must hold. */
export interface ScanFilter {
  readonly verdict?: Verdict | undefined;
  /** Scans with a finding of this stage. */
  readonly stage?: string | undefined;
  /** Scans with a finding of this type. */
  readonly type?: string | undefined;
  /** Scans to which this policy was applied. */
  readonly policyId?: string | undefined;
  readonly keyId?: string | undefined;
  readonly aiSystemId?: string | undefined;
  /** Scans made at this time or later. */
  readonly since?: Date | undefined;
  /** Scans made before this time. */
  readonly until?: Date | undefined;
}

/** The result of one stage of a scan. */
export interface ScanStage {
  readonly name: StageName;
  readonly status: StageStatus;
  /** Duration of the stage in milliseconds. */
  readonly durationMs: number;
}

/** The stored record of a scan, without its texts. */
export interface Scan {
  /** `scn_…` */
  readonly id: string;
  readonly organizationId: string;
  /** The member who requested the scan. */
  readonly memberId: string;
  readonly keyId: string;
  readonly verdict: Verdict;
  readonly scores: ScanScores;
  /** At most {@link MAX_FINDINGS}; of more findings, the most severe ones in descending order. */
  readonly findings: readonly ScanFinding[];
  /** Number of findings, listed or not. */
  readonly findingCount: number;
  /** The policies that were applied, in the versions that judged the scan. */
  readonly policies: readonly AppliedPolicy[];
  /** What policies that only monitor would have decided. */
  readonly monitored: readonly MonitoredDecision[];
  /** The policies that the scan named, with the default ones where they apply as well; null for the default ones alone. */
  readonly namedPolicyIds: readonly string[] | null;
  /** What policies need to judge the scan again, besides scores and findings. */
  readonly facts: ScanFacts | null;
  /** Present exactly when the verdict is `blocked`. */
  readonly violation: ScanViolation | null;
  readonly metadata: Metadata;
  /** The AI system that the scan is about, by its UUID in the register of evidence; null for none named. */
  readonly aiSystemId: string | null;
  /** SHA-256 of the prompt's UTF-8 in lower-case hex; null without a prompt. */
  readonly promptHash: string | null;
  /** Null for messages. */
  readonly responseHash: string | null;
  /** Over the JSON array of the passages; null without passages. */
  readonly contextHash: string | null;
  /** Over the JSON array of the messages; null for texts. */
  readonly messagesHash: string | null;
  /** Milliseconds in the pipeline, to the microsecond. */
  readonly durationMs: number;
  readonly createdAt: Date;
}

/** Whether a scan found personal data, or may have because findings are omitted. */
export function hasPersonalData({ findings, findingCount }: Scan): boolean {
  return findingCount > findings.length || findings.some(({ stage }) => stage === 'pii_scanner');
}

/** The largest number of findings returned and stored with a scan. */
export const MAX_FINDINGS = 1_000;

/** The content to scan, and options. */
export interface ScanRequest {
  readonly prompt?: string | null | undefined;
  /** Required without messages. */
  readonly response?: string | null | undefined;
  /**
   * A conversation in place of prompt and response, the oldest message first: at most 10,000, of the shapes of OpenAI's
   * chat completions or responses, of the AI SDK, or of Anthropic's API.
   */
  readonly messages?: readonly object[] | null | undefined;
  /** Retrieved passages, in the order in which the model saw them. */
  readonly context?: string | readonly string[] | null | undefined;
  /**
   * The policies to apply; absent means the default ones. Those bound to the caller's API key apply in any case, and the
   * default ones where the caller may not change policies.
   */
  readonly policyIds?: readonly string[] | null | undefined;
  readonly metadata?: Metadata | null | undefined;
  /** UUID of the AI system that the scan is about; it is stored as it is given. */
  readonly aiSystemId?: string | null | undefined;
  /** What takes the place of redacted values; default `placeholder`. Only tokens can be restored. */
  readonly redaction?: RedactionStyle | null | undefined;
}

/** The result of a scan. */
export interface ScanOutcome {
  /** The stored record. */
  readonly scan: Scan;
  /** The stages in running order; one that is not `ok` has not examined everything. */
  readonly stages: readonly ScanStage[];
  /** Parts of messages that were not scanned, at most 1,000. */
  readonly skipped: readonly SkippedPart[];
  /** The content with placeholders; null when no policy redacts anything. */
  readonly redacted: RedactedContent | null;
  /** The tokens in `redacted` with their values, sealed for `restore`; null without tokens. */
  readonly redactionMap: string | null;
  /** The alert that the scan raised, if any. */
  readonly alert: Alert | null;
}
