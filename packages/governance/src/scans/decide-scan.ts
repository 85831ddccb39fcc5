import type { CallContext, Runtime } from '@probity/core';
import { requireContext, requireKnownOptions } from '@probity/core/internal';
import type { Pipeline, RedactedTexts, ScanInput } from '@probity/pipeline';
import type { Applicable, Judgment } from '../policies/judge.ts';
import { judge } from '../policies/judge.ts';
import { toScanFindings, toScanRecord, toScanStages } from './record.ts';
import { createScanRedaction } from './restoration.ts';
import type { Scan, ScanFinding, ScanRequest, ScanStage } from './types.ts';

/** What is decided on a scan, before anything is stored. */
export interface DecidedScan {
  /** The record of the scan. */
  readonly scan: Scan;
  /** All findings; the record lists the most severe ones. */
  readonly findings: readonly ScanFinding[];
  readonly judgment: Judgment;
  /** The stages in running order. */
  readonly stages: readonly ScanStage[];
  /** The texts with what is redacted replaced; null when no policy redacts anything. */
  readonly redacted: RedactedTexts | null;
  /** The tokens in `redacted` with their values, sealed; null without tokens. */
  readonly redactionMap: string | null;
}

/** What decides on scans. */
export interface ScanDecision {
  readonly pipeline: Pipeline;
  /** Which policies apply. */
  readonly policies: readonly Applicable[];
}

const REQUEST_MEMBERS = [
  'prompt',
  'response',
  'context',
  'policyIds',
  'metadata',
  'aiSystemId',
  'redaction',
];

/**
 * Scans content and decides by policies, without storing anything. The context's signal cancels it.
 *
 * @throws TypeError for a text that is not a string, and for an unknown member of `request`
 * @throws ProbityError `validation_failed` for a style of redaction that is not available
 * @throws ScanCanceledError when the context's signal aborts
 */
export async function decideScan(
  { clock, ids, secretBox }: Pick<Runtime, 'clock' | 'ids' | 'secretBox'>,
  context: CallContext,
  request: ScanRequest,
  { pipeline, policies }: ScanDecision,
): Promise<DecidedScan> {
  requireScanRequest(context, request);
  const redaction = createScanRedaction({ secretBox }, context, request.redaction ?? 'placeholder');
  const input = toScanInput(request);
  const { signal } = context;
  const result = await pipeline.scan(input, signal ? { signal } : {});
  const judgment = judge(policies, result, input, redaction.redactor);
  const { decision } = judgment;
  const findings = toScanFindings(decision.findings);
  const scan = await toScanRecord(
    {
      id: ids.next('scn'),
      context,
      input,
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
  const redacted = decision.redacted ?? null;
  const redactionMap = redacted && redaction.seal();
  return { scan, findings, judgment, stages: toScanStages(result), redacted, redactionMap };
}

/** @throws TypeError for what is no context, and for an unknown member of `request` */
export function requireScanRequest(context: CallContext, request: ScanRequest): void {
  requireContext('scan', context);
  requireKnownOptions('scan', request, REQUEST_MEMBERS);
}

/** The texts of a request. The pipeline checks their types: a dropped text would not be scanned. */
function toScanInput({ prompt, response, context }: ScanRequest): ScanInput {
  const passages = typeof context === 'string' ? [context] : context;
  return {
    response,
    ...(prompt === undefined || prompt === null ? {} : { prompt }),
    ...(passages === undefined || passages === null ? {} : { context: passages }),
  };
}
