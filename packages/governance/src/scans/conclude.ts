import type { CallContext, Runtime } from '@probity/core';
import type { Pipeline } from '@probity/pipeline';
import { alertFactsOf } from '../alerts/alert-rules.ts';
import type { Alert } from '../alerts/types.ts';
import type { Judgment } from '../policies/judge.ts';
import type { PolicySets } from '../policies/policy-sets.ts';
import { selectPolicies } from '../policies/select.ts';
import type { ResolvedPolicy } from '../policies/types.ts';
import type { GovernanceStorage, GovernanceTransaction } from '../storage.ts';
import type { ScanContent, ScannedContent } from './content.ts';
import type { ScanMaterials } from './material.ts';
import { SCAN_STAGES } from './metrics.ts';
import { definitionsOf, toScanRecord, toScanStages } from './record.ts';
import type { ScanRedaction } from './restoration.ts';
import { createScanRedaction } from './restoration.ts';
import type { Scan, ScanOutcome, ScanRequest, ScanStage } from './types.ts';

/** Dependencies of what scans beside a runtime. */
export interface ScanOptions {
  readonly storage: GovernanceStorage;
  readonly pipeline: Pipeline;
  readonly sets: PolicySets;
  readonly materials: ScanMaterials;
}

/** A scan that has begun: what it is judged by. */
export interface BegunScan {
  readonly context: CallContext;
  readonly request: Omit<ScanRequest, 'response'>;
  readonly chosen: readonly ResolvedPolicy[];
  readonly redaction: ScanRedaction;
  /** With the knowledge and the protected texts of the organization. */
  readonly scan: Pipeline['scan'];
}

/**
 * Chooses the policies and how values are replaced.
 * @throws ProbityError `validation_failed` for policies or a redaction that do not exist
 */
export async function beginScan(
  runtime: Runtime,
  { sets, materials }: ScanOptions,
  context: CallContext,
  request: Omit<ScanRequest, 'response'>,
): Promise<BegunScan> {
  const { organizationId, keyId } = context.principal;
  const chosen = selectPolicies(await sets.current(organizationId), request.policyIds, keyId);
  const redaction = createScanRedaction(runtime, context, request.redaction ?? 'placeholder');
  const scan = await materials.scanOf(organizationId);
  return { context, request, chosen, redaction, scan };
}

/** A content with the decision on it. */
export interface JudgedContent {
  readonly content: ScanContent;
  readonly scanned: ScannedContent;
  readonly judgment: Judgment;
}

/** Stores the outcome of a scan with its alert and events, in one transaction. */
export async function concludeScan(
  runtime: Runtime,
  { storage, pipeline, sets }: ScanOptions,
  { context, request, chosen, redaction }: BegunScan,
  { content, scanned, judgment }: JudgedContent,
): Promise<ScanOutcome> {
  const { result } = scanned;
  const { decision } = judgment;
  const findings = scanned.toFindings(decision.findings);
  const scan = await toScanRecord(
    {
      id: runtime.ids.next('scn'),
      context,
      content,
      metadata: request.metadata ?? {},
      aiSystemId: request.aiSystemId ?? null,
      result,
      judgment,
      namedPolicyIds: request.policyIds ? [...new Set(request.policyIds)] : null,
      findings,
      createdAt: runtime.clock.now(),
    },
    pipeline,
  );
  const alert = toAlert(runtime, { ...scan, findings }, pipeline);
  const stages = toScanStages(result);
  report(runtime, context, scan.id, stages);
  await runtime.tenants?.ensure(context.principal.organizationId, context);
  await sets.ensureStored(context, chosen);
  const acted = toAction(judgment, scan);
  await storage.transaction(context, (tx) => store(runtime, tx, context, { scan, alert, acted }));
  const redacted = scanned.redact(decision, redaction.redactor);
  const redactionMap = redacted && redaction.seal();
  return { scan, stages, skipped: scanned.skipped, redacted, redactionMap, alert };
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
    createdAt: scan.createdAt,
    resolvedAt: null,
    resolution: null,
  };
}

/** What a policy did to the content. */
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
