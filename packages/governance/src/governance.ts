import type { CallContext, Clock, Ids, KernelOperations, Logger } from '@probity/core';
import { notFound, silentLogger } from '@probity/core';
import { eventOf } from '@probity/core/internal';
import type {
  DecidedFinding,
  Pipeline,
  Policy,
  PolicyDecision,
  ScanInput,
  ScanResult,
  Scores,
} from '@probity/pipeline';
import { evaluatePolicies } from '@probity/pipeline';
import { alertFactsOf, bySeverity } from './alert-rules.ts';
import { hashContent } from './content-hash.ts';
import { BUILT_IN_POLICY, BUILT_IN_POLICY_ID, selectPolicies } from './policies.ts';
import type { GovernanceStorage, GovernanceWrites } from './storage.ts';
import type {
  Alert,
  Scan,
  ScanFinding,
  ScanOutcome,
  ScanRequest,
  ScanScores,
  ScanStage,
} from './types.ts';
import { MAX_FINDINGS } from './types.ts';

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
  /** Gets a warning about every stage that did not finish, never any text; default silent. */
  readonly logger?: Logger;
  /** Is told how every stage of every scan ended, for metrics. */
  readonly observeStage?: (stage: ScanStage) => void;
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
      const findings = decision.findings.map(withoutReason);
      const hashes = await hashContent(input);
      const scan: Scan = {
        id: ids.next('scn'),
        ...callerOf(context),
        ...outcomeOf({ ...decision, findings }, result, pipeline),
        ...hashes,
        metadata: request.metadata ?? {},
        createdAt: clock.now(),
      };
      const alert = alertOf({ ...scan, findings }, ids);
      const stages = stagesOf(result);
      report(dependencies, context, scan.id, stages);
      await storage.transaction(context, (tx) => store(tx, context, ids, scan, alert));
      return { scan, stages, redacted: decision.redacted ?? null, alert };
    },

    async getScan({ principal }, id) {
      const scan = await storage.findScan(principal.organizationId, id);
      if (!scan) throw notFound('scan');
      return scan;
    },
  };
}

function stagesOf({ stages }: ScanResult): ScanStage[] {
  return stages.map(({ stage, status, durationMs }) => ({
    name: stage,
    status,
    durationMs: toMicroseconds(durationMs),
  }));
}

function toMicroseconds(durationMs: number): number {
  return Math.round(durationMs * 1_000) / 1_000;
}

/** Makes visible what was not looked at to the end. */
function report(
  { logger = silentLogger, observeStage }: GovernanceDependencies,
  { principal, requestId }: CallContext,
  scanId: string,
  stages: readonly ScanStage[],
): void {
  for (const stage of stages) {
    observeStage?.(stage);
    if (stage.status === 'ok') continue;
    const { name, status, durationMs } = stage;
    const { organizationId } = principal;
    const fields = { scanId, organizationId, requestId, stage: name, status, durationMs };
    logger.warn('A stage of a scan did not finish', fields);
  }
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

type StoredDecision = Omit<PolicyDecision, 'findings'> & {
  readonly findings: readonly ScanFinding[];
};

function outcomeOf(
  { verdict, findings, violation, policyIds }: StoredDecision,
  { scores, omitted, durationMs }: ScanResult,
  pipeline: Pipeline,
) {
  return {
    verdict,
    scores: scoresOf(scores, pipeline),
    findings: mostSevere(findings),
    findingCount: omitted.reduce((sum, { count }) => sum + count, findings.length),
    policyIds,
    // A stage that failed closed blocks without any policy's doing.
    violation: violation
      ? { ...violation, policyId: violation.policyId ?? BUILT_IN_POLICY_ID }
      : null,
    durationMs: toMicroseconds(durationMs),
  };
}

/** Four of every scan, and those of the stages that compare with something where they are on. */
function scoresOf(scores: Scores, { stages }: Pipeline): ScanScores {
  const { pii, injection, toxicity, hallucination, truth, contamination } = scores;
  const checksTruth = stages.includes('truth_scan') || stages.includes('output_truth_scanner');
  return {
    pii,
    injection,
    toxicity,
    hallucination,
    ...(checksTruth ? { truth } : {}),
    ...(stages.includes('contamination_check') ? { contamination } : {}),
  };
}

/** A text of nothing but e-mail addresses has more findings than a row or an answer should hold. */
function mostSevere(findings: readonly ScanFinding[]): readonly ScanFinding[] {
  if (findings.length <= MAX_FINDINGS) return findings;
  return [...findings].sort(bySeverity).slice(0, MAX_FINDINGS);
}

/** A scan here has no system text to find anything in. */
function withoutReason({ reason: _, ...finding }: DecidedFinding): ScanFinding {
  return finding as ScanFinding;
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
  tx: GovernanceWrites & KernelOperations,
  context: CallContext,
  ids: Ids,
  scan: Scan,
  alert: Alert | null,
): Promise<void> {
  await tx.insertScan(scan);
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
