import { createHash } from 'node:crypto';
import type { CallContext, Clock, Ids, KernelWrites } from '@probity/core';
import { eventOf, notFound } from '@probity/core';
import type {
  DecidedFinding,
  Pipeline,
  Policy,
  PolicyDecision,
  ScanInput,
  ScanResult,
} from '@probity/pipeline';
import { evaluatePolicies } from '@probity/pipeline';
import { alertFactsOf, bySeverity } from './alert-rules.ts';
import { BUILT_IN_POLICY, BUILT_IN_POLICY_ID, selectPolicies } from './policies.ts';
import type { GovernanceStorage, GovernanceWrites } from './storage.ts';
import type { Alert, Scan, ScanFinding, ScanOutcome, ScanRequest } from './types.ts';
import { MAX_STORED_FINDINGS } from './types.ts';

/** Scans by the organization's policies. */
export interface Governance {
  /**
   * Scans what a model answered, decides by policy and stores the outcome with its alert and
   * events, in one transaction. A blocked scan is an outcome, not an error. The context's signal
   * cancels the scan, which then leaves nothing behind.
   *
   * @throws ProbityError `validation_failed` when `policyIds` names a policy that there is not
   * @throws ScanCancelledError when the context's signal aborts
   */
  scan(context: CallContext, request: ScanRequest): Promise<ScanOutcome>;
  /**
   * The stored record of a scan.
   * @throws ProbityError `not_found` when the organization has no such scan (any more)
   */
  getScan(context: CallContext, id: string): Promise<Scan>;
}

/** What the service needs. */
export interface GovernanceDependencies {
  readonly storage: GovernanceStorage;
  readonly pipeline: Pipeline;
  readonly ids: Ids;
  readonly clock: Clock;
  /** The policies that every organization starts with; default the built-in one. */
  readonly policies?: readonly Policy[];
}

/** Creates the service over scans. */
export function createGovernance(dependencies: GovernanceDependencies): Governance {
  const { storage, pipeline, ids, clock, policies = [BUILT_IN_POLICY] } = dependencies;
  return {
    async scan(context, request) {
      const chosen = selectPolicies(policies, request.policyIds);
      const input = toScanInput(request);
      const { signal } = context;
      const result = await pipeline.scan(input, signal ? { signal } : {});
      const decision = evaluatePolicies(chosen, result, input);
      const scan: Scan = {
        id: ids.next('scn'),
        ...callerOf(context),
        ...outcomeOf(decision, result),
        ...hashesOf(input),
        metadata: request.metadata ?? {},
        createdAt: clock.now(),
      };
      const alert = alertOf(scan, ids);
      await storage.transaction((tx) => store(tx, context, ids, scan, alert), context);
      return { scan, redacted: decision.redacted ?? null, alert };
    },

    async getScan({ principal }, id) {
      const scan = await storage.findScan(principal.organizationId, id);
      if (!scan) throw notFound('scan');
      return scan;
    },
  };
}

function toScanInput({ prompt, response, context }: ScanRequest): ScanInput {
  const passages = typeof context === 'string' ? [context] : context;
  return {
    response,
    ...(typeof prompt === 'string' ? { prompt } : {}),
    ...(passages ? { context: passages } : {}),
  };
}

function callerOf({ principal }: CallContext) {
  const { organizationId, memberId, keyId } = principal;
  return { organizationId, memberId, keyId };
}

function outcomeOf(decision: PolicyDecision, { scores, durationMs }: ScanResult) {
  const { verdict, violation, policyIds } = decision;
  const findings = decision.findings.map(withoutReason);
  return {
    verdict,
    scores,
    findings,
    findingCount: findings.length,
    policyIds,
    // A stage that failed closed blocks without any policy's doing.
    violation: violation
      ? { ...violation, policyId: violation.policyId ?? BUILT_IN_POLICY_ID }
      : null,
    durationMs: Math.round(durationMs * 1_000) / 1_000,
  };
}

function withoutReason({ reason: _, ...finding }: DecidedFinding): ScanFinding {
  return finding;
}

function hashesOf({ prompt, response, context }: ScanInput) {
  return {
    promptHash: prompt === undefined ? null : sha256(prompt),
    responseHash: sha256(response),
    contextHash: context === undefined ? null : sha256(JSON.stringify(context)),
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function alertOf(scan: Scan, ids: Ids): Alert | null {
  const facts = alertFactsOf(scan);
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

async function store(
  tx: GovernanceWrites & KernelWrites,
  context: CallContext,
  ids: Ids,
  scan: Scan,
  alert: Alert | null,
): Promise<void> {
  await tx.insertScan(withStoredFindings(scan));
  const { id: scanId, violation, createdAt } = scan;
  if (alert) {
    const { id: alertId, severity, type, message } = alert;
    const data = { alertId, severity, type, message };
    await tx.insertAlert(alert);
    await tx.outbox.append(
      eventOf(context, { id: ids.next('evt'), type: 'alert.created', data, createdAt }),
    );
  }
  if (violation) {
    const { policyId, reason: violationReason } = violation;
    const data = { policyId, violationReason, scanId, action: 'block' };
    await tx.outbox.append(
      eventOf(context, { id: ids.next('evt'), type: 'policy.violated', data, createdAt }),
    );
  }
}

/** A text of nothing but e-mail addresses has more findings than a row should hold. */
function withStoredFindings(scan: Scan): Scan {
  if (scan.findings.length <= MAX_STORED_FINDINGS) return scan;
  return { ...scan, findings: [...scan.findings].sort(bySeverity).slice(0, MAX_STORED_FINDINGS) };
}
