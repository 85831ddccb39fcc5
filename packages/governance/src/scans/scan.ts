import type { CallContext, Runtime, TransactionScope } from '@probity/core';
import { requireContext, requireKnownOptions } from '@probity/core/internal';
import type { Pipeline, Redactor, ScanSignal } from '@probity/pipeline';
import { alertFactsOf } from '../alerts/alert-rules.ts';
import type { Alert } from '../alerts/types.ts';
import type { Applicable, Judgment } from '../policies/judge.ts';
import type { PolicySets } from '../policies/policy-sets.ts';
import { requireEnforced, selectPolicies, withDefaults } from '../policies/select.ts';
import type { ResolvedPolicy } from '../policies/types.ts';
import type { GovernanceStorage, GovernanceTransaction } from '../storage.ts';
import type { ScanContent, ScannedContent } from './content.ts';
import { scanContent, toContent } from './content.ts';
import { hashContent, NO_HASHES } from './content-hash.ts';
import type { ScanMaterials } from './material.ts';
import { SCAN_STAGES } from './metrics.ts';
import { definitionsOf, toScanRecord, toScanStages } from './record.ts';
import type { ScanRedaction } from './restoration.ts';
import { createScanRedaction } from './restoration.ts';
import type {
  RedactedContent,
  Scan,
  ScanFinding,
  ScanOutcome,
  ScanRequest,
  ScanStage,
  SkippedPart,
} from './types.ts';

/** The decision on a scan, before anything is stored. */
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
  /** The content with each redacted value replaced; null when no policy redacts anything. */
  readonly redacted: RedactedContent | null;
  /** The tokens in `redacted` with their values, sealed; null without tokens. */
  readonly redactionMap: string | null;
}

/** The pipeline and the policies that decide on a scan. */
export interface ScanDecision {
  readonly pipeline: Pipeline;
  /** Which policies apply. */
  readonly policies: readonly Applicable[];
  /** Whether the record is stored; of others the texts are not hashed. Default true. */
  readonly isStored?: boolean | undefined;
  /** Cancels the scan; default the context's. */
  readonly signal?: ScanSignal | undefined;
}

/** Dependencies of a service that scans and stores. */
export interface ScanOptions {
  readonly storage: GovernanceStorage;
  readonly pipeline: Pipeline;
  readonly sets: PolicySets;
  readonly materials: ScanMaterials;
}

/** A request that is about to be scanned. */
interface RequestedScan {
  readonly context: CallContext;
  readonly request: Omit<ScanRequest, 'response'>;
  readonly redaction: ScanRedaction;
}

/** A scan that has begun, with the policies that it is judged by. */
export interface BegunScan extends RequestedScan {
  readonly chosen: readonly ResolvedPolicy[];
  /** With the knowledge and the protected texts of the organization. */
  readonly scan: Pipeline['scan'];
}

/** A content with the decision on it. */
export interface JudgedContent {
  readonly content: ScanContent;
  readonly scanned: ScannedContent;
  readonly judgment: Judgment;
}

/** A scan that is decided and not stored yet. */
export interface PreparedScan {
  readonly outcome: ScanOutcome;
  /** Stores the record with its alert and events, in one transaction of the scope. */
  store(scope: TransactionScope): Promise<void>;
}

/**
 * Scans content and decides by policy, without storing anything.
 * @throws what {@link Scans.scan} throws
 */
export type PrepareScan = (context: CallContext, request: ScanRequest) => Promise<PreparedScan>;

type Facilities = Pick<Runtime, 'clock' | 'ids' | 'secretBox'>;

const REQUEST_MEMBERS = [
  ...['prompt', 'response', 'messages', 'context'],
  ...['policyIds', 'metadata', 'aiSystemId', 'redaction'],
];

/** @throws TypeError for a wrong context, and for an unknown member of `request` */
export function requireScanRequest(context: CallContext, request: ScanRequest): void {
  requireContext('scan', context);
  requireKnownOptions('scan', request, REQUEST_MEMBERS);
}

/**
 * Scans content and decides by policies, without storing anything. The signal cancels it.
 *
 * @throws TypeError for a text that is not a string, and for an unknown member of `request`
 * @throws ProbityError `validation_failed` for a style of redaction that is not available, with every fault of
 *   messages, and for messages together with a prompt or a response
 * @throws ScanCanceledError when the signal aborts
 */
export async function decideScan(
  facilities: Facilities,
  context: CallContext,
  request: ScanRequest,
  { pipeline, policies, isStored = true, signal = context.signal }: ScanDecision,
): Promise<DecidedScan> {
  requireScanRequest(context, request);
  const redaction = redactionOf(facilities, context, request);
  const { redactor } = redaction;
  const judged = await judgeContent(await toContent(request), pipeline.scan, {
    ...{ policies, redactor, signal },
  });
  return toDecidedScan(facilities, { context, request, redaction }, judged, pipeline, isStored);
}

/** Creates the function that scans and decides for a service. */
export function createPrepareScan(runtime: Runtime, options: ScanOptions): PrepareScan {
  return async (context, request) => {
    const begun = await beginScan(runtime, options, context, request);
    const { signal } = context;
    const { redactor } = begun.redaction;
    const judged = await judgeContent(await toContent(request), begun.scan, {
      ...{ policies: begun.chosen, redactor, signal },
    });
    return concludeScan(runtime, options, begun, judged);
  };
}

/**
 * Chooses the policies and how values are replaced.
 * @throws ProbityError `validation_failed` for policies or a redaction that do not exist, and for policies none of which is
 *   enforced
 */
export async function beginScan(
  runtime: Runtime,
  { sets, materials }: ScanOptions,
  context: CallContext,
  request: Omit<ScanRequest, 'response'>,
): Promise<BegunScan> {
  const { organizationId, keyId } = context.principal;
  const policies = await sets.current(organizationId);
  const policyIds = withDefaults(policies, request.policyIds, context.principal);
  const chosen = selectPolicies(policies, policyIds, keyId);
  if (policyIds !== null) requireEnforced(chosen);
  const redaction = redactionOf(runtime, context, request);
  const scan = await materials.scanOf(organizationId);
  return { context, request: { ...request, policyIds }, chosen, redaction, scan };
}

/** Scans a content and judges it by the policies. */
export async function judgeContent(
  content: ScanContent,
  scan: Pipeline['scan'],
  {
    policies,
    redactor,
    signal,
  }: {
    readonly policies: readonly Applicable[];
    readonly redactor: Redactor;
    readonly signal?: ScanSignal | undefined;
  },
): Promise<JudgedContent> {
  const scanned = await scanContent(content, scan, signal ? { signal } : {});
  return { content, scanned, judgment: scanned.judge(policies, redactor) };
}

/** Prepares the outcome of a scan with its alert and events, and reports the stages that did not finish. */
export async function concludeScan(
  runtime: Runtime,
  { storage, pipeline, sets }: ScanOptions,
  begun: BegunScan,
  judged: JudgedContent,
): Promise<PreparedScan> {
  const { context, chosen } = begun;
  const decided = await toDecidedScan(runtime, begun, judged, pipeline, true);
  const { scan, findings, stages, skipped, redacted, redactionMap } = decided;
  const alert = toAlert(runtime, { ...scan, findings }, pipeline);
  report(runtime, context, scan.id, stages);
  await runtime.tenants?.ensure(context.principal.organizationId, context);
  await sets.ensureStored(context, chosen);
  const acted = toAction(judged.judgment, scan);
  return {
    outcome: { scan, stages, skipped, redacted, redactionMap, alert },
    store: (scope) =>
      storage.transaction(scope, (tx) => store(runtime, tx, context, { scan, alert, acted })),
  };
}

function redactionOf(
  facilities: Facilities,
  context: CallContext,
  { redaction }: Pick<ScanRequest, 'redaction'>,
): ScanRedaction {
  return createScanRedaction(facilities, context, redaction ?? 'placeholder');
}

/** Makes the record of a content that was judged. */
async function toDecidedScan(
  { clock, ids }: Facilities,
  { context, request, redaction }: RequestedScan,
  { content, scanned, judgment }: JudgedContent,
  pipeline: Pipeline,
  isStored: boolean,
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

/** Counts the stages, and logs those that did not examine everything. */
function report(
  { logger, metrics }: Runtime,
  { principal, requestId }: CallContext,
  scanId: string,
  stages: readonly ScanStage[],
): void {
  for (const { name, status, durationMs } of stages) {
    metrics.count(SCAN_STAGES, { stage: name, status });
    if (status === 'ok' || status === 'not_covered') continue;
    const { organizationId } = principal;
    const fields = { scanId, organizationId, requestId, stage: name, status, durationMs };
    logger.warn('A stage of a scan did not finish', fields);
  }
}

/** The alert that a scan with all its findings raises, if any. */
function toAlert({ ids }: Runtime, scan: Scan, pipeline: Pipeline): Alert | null {
  const facts = alertFactsOf(scan, definitionsOf(pipeline));
  if (!facts) return null;
  return {
    id: ids.next('alr'),
    organizationId: scan.organizationId,
    ...facts,
    status: 'open',
    scanId: scan.id,
    aiSystemId: scan.aiSystemId,
    createdAt: scan.createdAt,
    acknowledgedAt: null,
    acknowledgedBy: null,
    assigneeId: null,
    resolvedAt: null,
    resolvedBy: null,
    resolution: null,
  };
}

/** Effect of a policy on the content. */
interface PolicyActed {
  readonly policyId: string;
  readonly reason: string;
  readonly action: 'block' | 'redact';
}

function toAction({ decision }: Judgment, { violation }: Scan): PolicyActed | null {
  if (violation) {
    const { policyId, reason } = violation;
    return { policyId, reason, action: 'block' };
  }
  const { redaction } = decision;
  return redaction ? { ...redaction, action: 'redact' } : null;
}

interface StoredOutcome {
  readonly scan: Scan;
  readonly alert: Alert | null;
  readonly acted: PolicyActed | null;
}

async function store(
  { emit }: Runtime,
  tx: GovernanceTransaction,
  context: CallContext,
  { scan, alert, acted }: StoredOutcome,
): Promise<void> {
  await tx.insertScan(scan);
  if (alert) {
    const { id: alertId, severity, type, message } = alert;
    await tx.insertAlert(alert);
    await emit(tx, context, 'alert.created', { alertId, severity, type, message });
  }
  if (acted) {
    const { policyId, reason: violationReason, action } = acted;
    const data = { policyId, violationReason, scanId: scan.id, action };
    await emit(tx, context, 'policy.violated', data);
  }
}
