import type { CallContext, Page, PageOf, Runtime } from '@probity/core';
import { notFound } from '@probity/core';
import type { Pipeline } from '@probity/pipeline';
import { alertFactsOf } from '../alerts/alert-rules.ts';
import type { Alert } from '../alerts/types.ts';
import type { Judgment } from '../policies/judge.ts';
import type { PolicySets } from '../policies/policy-sets.ts';
import { selectPolicies } from '../policies/select.ts';
import type { GovernanceStorage, GovernanceTransaction } from '../storage.ts';
import { decideScan, requireScanRequest } from './decide-scan.ts';
import { SCAN_STAGES } from './metrics.ts';
import { definitionsOf } from './record.ts';
import type { Scan, ScanFilter, ScanOutcome, ScanRequest, ScanStage } from './types.ts';

/** Scans content by the organization's policies. */
export interface Scans {
  /**
   * Scans the response of a model, decides by policy and stores the outcome with its alert and
   * events, in one transaction. A blocked scan is an outcome, not an error. The context's signal
   * cancels the scan; nothing is stored then.
   *
   * @throws TypeError for a text that is not a string, and for an unknown member of `request`
   * @throws ProbityError `validation_failed` when `policyIds` is empty or names an unknown policy
   * @throws ScanCanceledError when the context's signal aborts
   */
  scan(context: CallContext, request: ScanRequest): Promise<ScanOutcome>;
  /**
   * The stored records of scans, newest first.
   */
  list(context: CallContext, filter: ScanFilter, page: Page): Promise<PageOf<Scan>>;
  /**
   * The stored record of a scan.
   * @throws ProbityError `not_found` when the organization has no such scan, or no longer has it
   */
  get(context: CallContext, id: string): Promise<Scan>;
}

/** Dependencies of the service beside a runtime. */
export interface ScanOptions {
  readonly storage: GovernanceStorage;
  readonly pipeline: Pipeline;
  readonly sets: PolicySets;
}

/** Creates the scan service. Unfinished stages are logged as warnings, without text. */
export function createScans(runtime: Runtime, options: ScanOptions): Scans {
  const { storage, pipeline, sets } = options;
  return {
    async scan(context, request) {
      requireScanRequest(context, request);
      const { organizationId, keyId } = context.principal;
      const all = await sets.current(organizationId);
      const policies = selectPolicies(all, request.policyIds, keyId);
      const decided = await decideScan(runtime, context, request, { pipeline, policies });
      const { scan, findings, judgment, stages, redacted, redactionMap } = decided;
      const alert = toAlert(runtime, { ...scan, findings }, pipeline);
      report(runtime, context, scan.id, stages);
      await runtime.tenants?.ensure(organizationId, context);
      await sets.ensureStored(context, policies);
      const acted = toAction(judgment, scan);
      await storage.transaction(context, (tx) =>
        store(runtime, tx, context, { scan, alert, acted }),
      );
      return { scan, stages, redacted, redactionMap, alert };
    },

    list: ({ principal }, filter, page) =>
      storage.listScans(principal.organizationId, filter, page),

    async get({ principal }, id) {
      const scan = await storage.findScan(principal.organizationId, id);
      if (!scan) throw notFound('scan');
      return scan;
    },
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
