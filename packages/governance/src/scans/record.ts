import type { CallContext } from '@probity/core';
import type { Pipeline, ScanResult, Scores, StageDefinition } from '@probity/pipeline';
import { BUILT_IN_STAGES } from '@probity/pipeline';
import { bySeverity } from '../alerts/alert-rules.ts';
import { alertsBy } from '../alerts/severities.ts';
import { BUILT_IN_POLICY_ID } from '../policies/built-in.ts';
import type { Judgment } from '../policies/judge.ts';
import type { ContentHashes } from './content-hash.ts';
import { toFacts } from './facts.ts';
import type { Scan, ScanFinding, ScanScores, ScanStage } from './types.ts';
import { MAX_FINDINGS } from './types.ts';

/** The data from which the record of a scan is built. */
export interface FinishedScan {
  readonly id: string;
  readonly context: CallContext;
  readonly hashes: ContentHashes;
  readonly metadata: Scan['metadata'];
  readonly aiSystemId: Scan['aiSystemId'];
  readonly result: ScanResult;
  readonly judgment: Judgment;
  readonly namedPolicyIds: Scan['namedPolicyIds'];
  /** All findings; the record keeps the most severe ones. */
  readonly findings: readonly ScanFinding[];
  readonly createdAt: Date;
}

/** The record of a scan: outcome, findings and hashes, never the texts. */
export function toScanRecord(scan: FinishedScan, pipeline: Pipeline): Scan {
  const { id, context, hashes, metadata, result, judgment, findings, createdAt } = scan;
  const { organizationId, memberId, keyId } = context.principal;
  const { decision, policies, monitored } = judgment;
  const { verdict, violation } = decision;
  const listed = mostSevere(findings, definitionsOf(pipeline));
  return {
    id,
    organizationId,
    memberId,
    keyId,
    verdict,
    scores: scoresOf(result.scores, pipeline),
    findings: listed,
    findingCount: result.omitted.reduce((sum, { count }) => sum + count, findings.length),
    policies,
    monitored,
    namedPolicyIds: scan.namedPolicyIds,
    facts: toFacts(result, findings, listed, decision.redaction?.policyId),
    // A stage that fails closed blocks without a policy.
    violation: violation
      ? { ...violation, policyId: violation.policyId ?? BUILT_IN_POLICY_ID }
      : null,
    durationMs: toMicroseconds(result.durationMs),
    promptHash: hashes.promptHash,
    responseHash: hashes.responseHash,
    contextHash: hashes.contextHash,
    messagesHash: hashes.messagesHash,
    metadata,
    aiSystemId: scan.aiSystemId,
    createdAt,
  };
}

/** Status and duration of each stage, in running order. */
export function toScanStages({ stages }: ScanResult): ScanStage[] {
  return stages.map(({ stage, status, durationMs }) => ({
    name: stage,
    status,
    durationMs: toMicroseconds(durationMs),
  }));
}

/** The scores of the stages that run by default, and those of the other enabled stages. */
function scoresOf(scores: Scores, pipeline: Pipeline): ScanScores {
  const given: Record<string, number | null> = {};
  for (const name of scoreNamesOf(pipeline)) given[name] = scores[name] ?? null;
  return given as ScanScores;
}

/** Of each pipeline, which does not change. */
const scoreNames = new WeakMap<Pipeline, readonly string[]>();

function scoreNamesOf(pipeline: Pipeline): readonly string[] {
  const known = scoreNames.get(pipeline);
  if (known) return known;
  const always = BUILT_IN_STAGES.filter(({ isDefault }) => isDefault);
  const listed = definitionsOf(pipeline).filter(({ isDefault }) => !isDefault);
  const names = new Set([...always, ...listed].map(({ score }) => score));
  scoreNames.set(pipeline, [...names]);
  return [...names];
}

/** Bounds rows and responses: a text of e-mail addresses alone has far too many findings. */
function mostSevere(
  findings: readonly ScanFinding[],
  definitions: readonly StageDefinition[],
): readonly ScanFinding[] {
  if (findings.length <= MAX_FINDINGS) return findings;
  return [...findings].sort(bySeverity(alertsBy(definitions))).slice(0, MAX_FINDINGS);
}

/** The definitions of a pipeline's stages; a host may have made the pipeline by hand. */
export function definitionsOf({ stages = [], definitions }: Pipeline): readonly StageDefinition[] {
  return definitions ?? BUILT_IN_STAGES.filter(({ name }) => stages.includes(name));
}

/** Milliseconds, rounded to the microsecond. */
function toMicroseconds(durationMs: number): number {
  return Math.round(durationMs * 1_000) / 1_000;
}
