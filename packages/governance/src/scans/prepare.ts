import type { CallContext, Runtime, TransactionScope } from '@probity/core';
import type { Pipeline, Redactor, ScanInput } from '@probity/pipeline';
import { alertFactsOf } from '../alerts/alert-rules.ts';
import type { Alert } from '../alerts/types.ts';
import type { Judgment } from '../policies/judge.ts';
import { judge } from '../policies/judge.ts';
import type { PolicySets } from '../policies/policy-sets.ts';
import { selectPolicies } from '../policies/select.ts';
import type { GovernanceStorage, GovernanceTransaction } from '../storage.ts';
import { SCAN_STAGES } from './metrics.ts';
import { definitionsOf, toScanFindings, toScanRecord, toScanStages } from './record.ts';
import { createScanRedaction } from './restoration.ts';
import type { Scan, ScanOutcome, ScanRequest, ScanStage } from './types.ts';

/** A scan that is decided and not stored yet. */
export interface PreparedScan {
  readonly outcome: ScanOutcome;
  /** Stores the record with its alert and events, in one transaction of the scope. */
  store(scope: TransactionScope): Promise<void>;
}

/** What a scan of the package itself may ask for besides its request. */
interface ScanExtras {
  /** The instructions of the model's operator; default none. */
  readonly system?: string | undefined;
  /** Wraps what replaces redacted values, to see the parts that it is asked for. */
  wrapRedactor?(redactor: Redactor): Redactor;
}

/**
 * Scans content and decides by policy, without storing anything.
 * @throws what {@link Scans.scan} throws
 */
export type PrepareScan = (
  context: CallContext,
  request: ScanRequest,
  extras?: ScanExtras,
) => Promise<PreparedScan>;

/** Dependencies beside a runtime. */
export interface ScanOptions {
  readonly storage: GovernanceStorage;
  readonly pipeline: Pipeline;
  readonly sets: PolicySets;
}

const asIs = (redactor: Redactor): Redactor => redactor;

/** Creates what scans and decides. Unfinished stages are logged as warnings, without text. */
export function createPrepareScan(runtime: Runtime, options: ScanOptions): PrepareScan {
  const { ids, clock } = runtime;
  const { storage, pipeline, sets } = options;
  return async (context, request, { system, wrapRedactor = asIs } = {}) => {
    const { organizationId, keyId } = context.principal;
    const all = await sets.current(organizationId);
    const chosen = selectPolicies(all, request.policyIds, keyId);
    const redaction = createScanRedaction(runtime, context, request.redaction ?? 'placeholder');
    const input = { ...toScanInput(request), ...(system === undefined ? {} : { system }) };
    const { signal } = context;
    const result = await pipeline.scan(input, signal ? { signal } : {});
    const judgment = judge(chosen, result, input, wrapRedactor(redaction.redactor));
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
    const alert = toAlert(runtime, { ...scan, findings }, pipeline);
    const stages = toScanStages(result);
    report(runtime, context, scan.id, stages);
    await runtime.tenants?.ensure(organizationId, context);
    await sets.ensureStored(context, chosen);
    const acted = toAction(judgment, scan);
    const redacted = decision.redacted ?? null;
    return {
      outcome: { scan, stages, redacted, redactionMap: redacted && redaction.seal(), alert },
      store: (scope) =>
        storage.transaction(scope, (tx) => store(runtime, tx, context, { scan, alert, acted })),
    };
  };
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
