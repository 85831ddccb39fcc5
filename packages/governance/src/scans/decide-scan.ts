import type { CallContext, Runtime } from '@probity/core';
import { requireContext, requireKnownOptions } from '@probity/core/internal';
import type { Pipeline, ScanSignal } from '@probity/pipeline';
import type { Applicable, Judgment } from '../policies/judge.ts';
import type { ScanContent, ScannedContent } from './content.ts';
import { scanContent, toContent } from './content.ts';
import { hashContent, NO_HASHES } from './content-hash.ts';
import { toScanRecord, toScanStages } from './record.ts';
import type { ScanRedaction } from './restoration.ts';
import { createScanRedaction } from './restoration.ts';
import type {
  RedactedContent,
  Scan,
  ScanFinding,
  ScanRequest,
  ScanStage,
  SkippedPart,
} from './types.ts';

/** What is decided on a scan, before anything is stored. */
export interface DecidedScan {
  /** The record of the scan. */
  readonly scan: Scan;
  /** All findings; the record lists the most severe ones. */
  readonly findings: readonly ScanFinding[];
  readonly judgment: Judgment;
  /** The stages in running order. */
  readonly stages: readonly ScanStage[];
  /** Parts of messages that have no text. */
  readonly skipped: readonly SkippedPart[];
  /** The content with what is redacted replaced; null when no policy redacts anything. */
  readonly redacted: RedactedContent | null;
  /** The tokens in `redacted` with their values, sealed; null without tokens. */
  readonly redactionMap: string | null;
}

/** What decides on scans. */
export interface ScanDecision {
  readonly pipeline: Pipeline;
  /** Which policies apply. */
  readonly policies: readonly Applicable[];
  /** Whether the record is stored; of others the texts are not hashed. Default true. */
  readonly isStored?: boolean | undefined;
  /** Cancels the scan; default the context's. */
  readonly signal?: ScanSignal | undefined;
}

/** A content with the decision on it. */
export interface JudgedContent {
  readonly content: ScanContent;
  readonly scanned: ScannedContent;
  readonly judgment: Judgment;
}

const REQUEST_MEMBERS = [
  ...['prompt', 'response', 'messages', 'context'],
  ...['policyIds', 'metadata', 'aiSystemId', 'redaction'],
];

type Facilities = Pick<Runtime, 'clock' | 'ids' | 'secretBox'>;

/**
 * Scans content and decides by policies, without storing anything. The signal cancels it.
 *
 * @throws TypeError for a text that is not a string, and for an unknown member of `request`
 * @throws ProbityError `validation_failed` for a style of redaction that is not available, with every fault of
 *   messages, and for messages beside a prompt or a response
 * @throws ScanCanceledError when the signal aborts
 */
export async function decideScan(
  facilities: Facilities,
  context: CallContext,
  request: ScanRequest,
  { pipeline, policies, isStored, signal = context.signal }: ScanDecision,
): Promise<DecidedScan> {
  requireScanRequest(context, request);
  const style = request.redaction ?? 'placeholder';
  const redaction = createScanRedaction(facilities, context, style);
  const content = toContent(request);
  const scanned = await scanContent(content, pipeline.scan, signal ? { signal } : {});
  const judgment = scanned.judge(policies, redaction.redactor);
  const judged = { content, scanned, judgment };
  return toDecidedScan(facilities, { context, request, redaction, isStored }, judged, pipeline);
}

/** @throws TypeError for what is no context, and for an unknown member of `request` */
export function requireScanRequest(context: CallContext, request: ScanRequest): void {
  requireContext('scan', context);
  requireKnownOptions('scan', request, REQUEST_MEMBERS);
}

/** What a scan is a scan of. */
export interface RequestedScan {
  readonly context: CallContext;
  readonly request: Omit<ScanRequest, 'response'>;
  readonly redaction: ScanRedaction;
  /** See {@link ScanDecision}. */
  readonly isStored?: boolean | undefined;
}

/** Makes the record of a content that was judged. */
export async function toDecidedScan(
  { clock, ids }: Facilities,
  { context, request, redaction, isStored = true }: RequestedScan,
  { content, scanned, judgment }: JudgedContent,
  pipeline: Pipeline,
): Promise<DecidedScan> {
  const { result, skipped } = scanned;
  const { decision } = judgment;
  const findings = scanned.toFindings(decision.findings);
  const scan = toScanRecord(
    {
      id: ids.next('scn'),
      context,
      hashes: isStored ? await hashContent(content) : NO_HASHES,
      metadata: request.metadata ?? {},
      aiSystemId: request.aiSystemId ?? null,
      result,
      judgment,
      namedPolicyIds: request.policyIds ? [...new Set(request.policyIds)] : null,
      findings,
      createdAt: clock.now(),
    },
    pipeline,
  );
  const redacted = await scanned.redact(decision, redaction.redactor);
  const redactionMap = redacted && redaction.seal();
  const stages = toScanStages(result);
  return { scan, findings, judgment, stages, skipped, redacted, redactionMap };
}
