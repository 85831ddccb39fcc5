import type { Finding } from '@probity/pipeline';
import { BUILT_IN_STAGES } from '@probity/pipeline';
import type { ScanOutcomeName, ScanSummary } from '../scanner/scan-summary.ts';
import { GATEWAY_POLICY_ID } from '../snapshot/policy.ts';
import type { GatewaySnapshot } from '../snapshot/snapshot.ts';
import type { StagePlan } from '../snapshot/stage-plan.ts';
import { byteOffsets } from './byte-offsets.ts';

/** The texts of a scan, in which findings have their places. */
export interface ScannedTexts {
  readonly prompt: string;
  readonly response: string;
  readonly context: readonly string[];
}

const MAX_FINDINGS = 1_000;

const VERDICTS: Readonly<Record<ScanOutcomeName, string>> = {
  allowed: 'VERDICT_ALLOWED',
  bypassed: 'VERDICT_ALLOWED',
  flagged: 'VERDICT_FLAGGED',
  redacted: 'VERDICT_REDACTED',
  blocked: 'VERDICT_BLOCKED',
};

const TARGETS: Readonly<Record<string, string>> = {
  prompt: 'TARGET_PROMPT',
  response: 'TARGET_RESPONSE',
  context: 'TARGET_CONTEXT',
};

/** `ScanResponse`. */
export function toScanResponse(
  requestId: string,
  summary: ScanSummary,
  texts: ScannedTexts,
  { snapshot, durationMs }: { readonly snapshot: GatewaySnapshot; readonly durationMs: number },
): object {
  const { outcome, violation, scores, redacted, scannedAt, isDegraded } = summary;
  const isJudged = outcome !== 'allowed' && outcome !== 'bypassed';
  return {
    request_id: requestId,
    verdict: VERDICTS[outcome],
    policy_id: isJudged ? GATEWAY_POLICY_ID : '',
    violation_reason: violation?.reason ?? '',
    code: violation?.code ?? '',
    findings: toFindings(mostSevere(summary.findings), texts),
    stages: snapshot.stages.map((plan) => toStageResult(plan, summary)),
    scores: {
      pii_risk: scores.pii ?? 0,
      injection_score: scores.injection ?? 0,
      toxicity_score: scores.toxicity ?? 0,
      hallucination_score: scores.hallucination ?? 0,
    },
    redacted_prompt: redacted?.prompt ?? '',
    redacted_response: redacted?.response ?? '',
    duration_us: Math.round(durationMs * 1_000),
    config_hash: snapshot.hash,
    degraded: isDegraded,
    scanned_at: toTimestamp(scannedAt),
  };
}

/** `Finding`s, with the bytes of their places. */
export function toFindings(findings: readonly Finding[], texts: ScannedTexts): object[] {
  const offsets = new Map<string, ReadonlyMap<number, number>>();
  const bytesOf = ({ field, contextIndex = 0 }: Finding) => {
    const key = `${field} ${contextIndex}`;
    const isSame = (other: Finding) =>
      other.field === field && (other.contextIndex ?? 0) === contextIndex;
    const text = field === 'context' ? (texts.context[contextIndex] ?? '') : textOf(field, texts);
    const known =
      offsets.get(key) ??
      byteOffsets(
        text,
        findings.filter(isSame).flatMap(({ start, end }) => [start, end]),
      );
    offsets.set(key, known);
    return known;
  };
  return findings.map((finding) => {
    const bytes = bytesOf(finding);
    const { stage, type, field, contextIndex = 0, start, end, score, reason, nuggetId } = finding;
    return {
      ...{ stage, type, score },
      target: TARGETS[field] ?? 'TARGET_UNSPECIFIED',
      context_index: contextIndex,
      byte_start: bytes.get(start) ?? 0,
      byte_end: bytes.get(end) ?? 0,
      utf16_start: start,
      utf16_end: end,
      severity: severityOf(stage, type),
      detail: reason,
      evidence_ids: nuggetId === undefined ? [] : [nuggetId],
    };
  });
}

function textOf(field: string, { prompt, response }: ScannedTexts): string {
  return field === 'prompt' ? prompt : response;
}

const RANKS = ['low', 'medium', 'high', 'critical'];

function severityOf(stage: string, type: string): string {
  const severities = BUILT_IN_STAGES.find(({ name }) => name === stage)?.severities;
  const byType: Readonly<Record<string, string>> = severities?.byType ?? {};
  return byType[type] ?? severities?.otherwise ?? 'medium';
}

function mostSevere<Each extends Finding>(findings: readonly Each[]): readonly Each[] {
  if (findings.length <= MAX_FINDINGS) return findings;
  const rank = ({ stage, type }: Finding) => RANKS.indexOf(severityOf(stage, type));
  return [...findings].sort((a, b) => rank(b) - rank(a)).slice(0, MAX_FINDINGS);
}

function toStageResult(plan: StagePlan, { bypass, stages, scores }: ScanSummary): object {
  const { name, enabled, failOpen, threshold } = plan;
  const ran = stages.find((stage) => stage.name === name);
  const score = BUILT_IN_STAGES.find((stage) => stage.name === name)?.score ?? '';
  const status = () => {
    if (bypass !== null) return 'STAGE_SKIPPED_ALLOWLIST';
    if (!enabled) return 'STAGE_SKIPPED_DISABLED';
    if (ran === undefined)
      return stages.length > 0 ? 'STAGE_SKIPPED_DISABLED' : 'STAGE_NOT_REACHED';
    if (ran.status === 'ok' || ran.status === 'not_covered') return 'STAGE_RAN';
    if (ran.status === 'failed') return failOpen ? 'STAGE_FAILED_OPEN' : 'STAGE_FAILED_CLOSED';
    return ran.status === 'timeout' ? 'STAGE_TIMED_OUT' : 'STAGE_NOT_REACHED';
  };
  return {
    stage: name,
    status: status(),
    score: (ran && scores[score]) ?? 0,
    threshold: threshold ?? 0,
    duration_us: Math.round((ran?.durationMs ?? 0) * 1_000),
    error: ran?.status === 'failed' ? 'the stage failed' : '',
  };
}

/** `google.protobuf.Timestamp`. */
export function toTimestamp(date: Date): object {
  const ms = date.getTime();
  return { seconds: Math.floor(ms / 1_000), nanos: (ms % 1_000) * 1_000_000 };
}
