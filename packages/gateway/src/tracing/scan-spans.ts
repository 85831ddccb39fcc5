import { BUILT_IN_STAGES } from '@probity/pipeline';
import type { ScanSummary } from '../scanner/scan-summary.ts';
import type { SpanAttributes, TraceSpan } from './tracing.ts';

/** A scan as its span shows it. */
export interface TracedScan {
  readonly summary: ScanSummary;
  readonly durationMs: number;
  /** Names the configuration. */
  readonly hash: string;
}

const SCORES: ReadonlyMap<string, string> = new Map(
  BUILT_IN_STAGES.map(({ name, score }) => [name, score]),
);
const OUTCOMES = ['bypassed', 'allowed', 'flagged', 'redacted', 'blocked', 'error'];
const judged = new WeakMap<TraceSpan, number>();

/**
 * Shows a scan that has ended below the span of its request, with one span for each stage. Stages are told with their
 * duration alone: their spans are laid end to end from the beginning of the scan.
 */
export function traceScan(parent: TraceSpan, scan: TracedScan, begun?: TraceSpan): void {
  const { summary, durationMs, hash } = scan;
  judge(parent, summary.outcome, hash);
  if (!parent.isRecorded) return;
  const span = begun ?? parent.child('scan', { agoMs: durationMs });
  span.set({
    'probity.verdict': summary.outcome,
    'probity.config_hash': hash,
    'probity.degraded': summary.isDegraded,
    'probity.findings': countIn(summary),
    'probity.bypass': summary.bypass ?? undefined,
    'probity.violation.code': summary.violation?.code,
    'probity.policy_id': summary.violation?.policyId ?? undefined,
  });
  let leftMs = durationMs;
  for (const { name, ...stage } of mergedStages(summary)) {
    const part = span.child(`stage.${name}`, {
      agoMs: Math.max(0, leftMs),
      attributes: stageAttributes(name, stage, summary),
    });
    if (stage.status === 'failed' || stage.status === 'timeout') part.fail(stage.status);
    leftMs -= stage.durationMs;
    part.end(Math.max(0, leftMs));
  }
  span.end();
}

/** Shows a scan that has no result. @param type the kind of the error */
export function traceFailedScan(
  parent: TraceSpan,
  scan: { readonly type: string; readonly durationMs: number; readonly hash: string },
  begun?: TraceSpan,
): void {
  judge(parent, 'error', scan.hash);
  if (!parent.isRecorded) return;
  const span = begun ?? parent.child('scan', { agoMs: scan.durationMs });
  span.set({ 'probity.verdict': 'error', 'probity.config_hash': scan.hash });
  span.fail(scan.type);
  span.end();
}

/** Of several scans of a request the strictest verdict is that of the request. */
function judge(parent: TraceSpan, outcome: string, hash: string): void {
  if (!parent.isRecorded) return;
  const rank = OUTCOMES.indexOf(outcome);
  if (rank <= (judged.get(parent) ?? -1)) return;
  judged.set(parent, rank);
  parent.set({ 'probity.verdict': outcome, 'probity.config_hash': hash });
}

type Stage = ScanSummary['stages'][number];

/** The stages of several scans that are told as one: durations are added, what went wrong stays. */
function mergedStages({ stages }: ScanSummary): readonly Stage[] {
  const merged = new Map<string, Stage>();
  for (const stage of stages) {
    const held = merged.get(stage.name);
    if (held === undefined) merged.set(stage.name, stage);
    else {
      const isWorse = stage.status === 'failed' || stage.status === 'timeout';
      const { status } = isWorse ? stage : held;
      merged.set(stage.name, { ...held, status, durationMs: held.durationMs + stage.durationMs });
    }
  }
  return [...merged.values()];
}

function stageAttributes(
  name: string,
  { status, durationMs }: Pick<Stage, 'status' | 'durationMs'>,
  { scores, findings, omitted }: ScanSummary,
): SpanAttributes {
  const own = findings.filter(({ stage }) => stage === name).length;
  const more = omitted.filter(({ stage }) => stage === name);
  return {
    'probity.stage': name,
    'probity.stage.outcome': status,
    'probity.stage.duration_ms': Math.round(durationMs * 1_000) / 1_000,
    'probity.stage.score_band': bandOf(scores[SCORES.get(name) ?? ''] ?? null),
    'probity.stage.findings': more.reduce((total, { count }) => total + count, own),
  };
}

/** A score itself would tell texts apart. */
function bandOf(score: number | null): string {
  if (score === null) return 'none';
  if (score < 0.25) return '0.00-0.25';
  if (score < 0.5) return '0.25-0.50';
  return score < 0.75 ? '0.50-0.75' : '0.75-1.00';
}

function countIn({ findings, omitted }: ScanSummary): number {
  return omitted.reduce((total, { count }) => total + count, findings.length);
}
