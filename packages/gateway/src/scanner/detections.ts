import type { Metrics } from '@probity/core';
import { BUILT_IN_STAGES } from '@probity/pipeline';
import { METRICS } from '../metrics/definitions.ts';
import type { ScanSummary } from './scan-summary.ts';

/** How many findings of each kind a scan has, as log records show them. */
export interface Detections {
  readonly pii: number;
  readonly injection: number;
  readonly toxicity: number;
}

const TYPES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  BUILT_IN_STAGES.map(({ name, types }) => [name, new Set(types)]),
);

/** Counts the findings of a scan, listed or not, for the log and in the metrics. */
export function countDetections(
  { findings, omitted }: Pick<ScanSummary, 'findings' | 'omitted'>,
  metrics: Metrics,
): Detections {
  const counts = new Map<string, number>();
  const add = (stage: string, type: string, count: number) => {
    counts.set(stage, (counts.get(stage) ?? 0) + count);
    countOne(metrics, stage, TYPES.get(stage)?.has(type) ? type : 'other', count);
  };
  for (const { stage, type } of findings) add(stage, type, 1);
  for (const { stage, type, count } of omitted) add(stage, type, count);
  return {
    pii: counts.get('pii_scanner') ?? 0,
    injection: counts.get('injection_scanner') ?? 0,
    toxicity: counts.get('toxicity_scanner') ?? 0,
  };
}

function countOne(metrics: Metrics, stage: string, type: string, count: number): void {
  if (stage === 'pii_scanner') metrics.count(METRICS.pii, { type }, count);
  if (stage === 'injection_scanner') metrics.count(METRICS.injections, { type }, count);
  if (stage === 'toxicity_scanner') metrics.count(METRICS.toxicity, { category: type }, count);
  const isContradiction = stage.includes('truth') && type === 'contradicted';
  if (stage === 'hallucination_detector' || isContradiction) {
    metrics.count(METRICS.hallucinations, {}, count);
  }
}
