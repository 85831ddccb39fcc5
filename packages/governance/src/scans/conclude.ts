import type { CallContext, Runtime, TransactionScope } from '@probity/core';
import type { Pipeline } from '@probity/pipeline';
import { alertFactsOf } from '../alerts/alert-rules.ts';
import type { Alert } from '../alerts/types.ts';
import type { Judgment } from '../policies/judge.ts';
import type { PolicySets } from '../policies/policy-sets.ts';
import { requireEnforced, selectPolicies, withDefaults } from '../policies/select.ts';
import type { ResolvedPolicy } from '../policies/types.ts';
import type { GovernanceStorage, GovernanceTransaction } from '../storage.ts';
import type { JudgedContent, RequestedScan } from './decide-scan.ts';
import { toDecidedScan } from './decide-scan.ts';
import type { ScanMaterials } from './material.ts';
import { SCAN_STAGES } from './metrics.ts';
import { definitionsOf } from './record.ts';
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
export interface BegunScan extends RequestedScan {
  readonly chosen: readonly ResolvedPolicy[];
  /** With the knowledge and the protected texts of the organization. */
  readonly scan: Pipeline['scan'];
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
  const redaction = createScanRedaction(runtime, context, request.redaction ?? 'placeholder');
  const scan = await materials.scanOf(organizationId);
  return { context, request: { ...request, policyIds }, chosen, redaction, scan };
}

/** A scan that is decided and not stored yet. */
export interface PreparedScan {
  readonly outcome: ScanOutcome;
  /** Stores the record with its alert and events, in one transaction of the scope. */
  store(scope: TransactionScope): Promise<void>;
}

/** Prepares the outcome of a scan with its alert and events, and reports the stages that did not finish. */
export async function concludeScan(
  runtime: Runtime,
  { storage, pipeline, sets }: ScanOptions,
  begun: BegunScan,
  judged: JudgedContent,
): Promise<PreparedScan> {
  const { context, chosen } = begun;
  const decided = await toDecidedScan(runtime, begun, judged, pipeline);
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
