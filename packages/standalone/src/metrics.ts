import type { Database, GaugeSample, MetricDefinition } from '@probity/core';
import { OUTBOX_QUEUE } from '@probity/core/internal';
import { HTTP_METRICS } from '@probity/core/koa';
import type { ScanStage } from '@probity/governance';
import { DELIVERY_QUEUE } from '@probity/webhooks';
import type { Prometheus } from './prometheus.ts';
import { createPrometheus } from './prometheus.ts';

const SCAN_STAGES: MetricDefinition = {
  name: 'probity_scan_stages_total',
  kind: 'counter',
  help: 'Stages of scans, by stage and by how they ended.',
  labels: ['stage', 'status'],
};

const JOBS_PENDING: MetricDefinition = {
  name: 'probity_jobs_pending',
  kind: 'gauge',
  help: 'Background jobs stored and not finished, by queue.',
  labels: ['queue'],
};

/** The program's metrics. */
export interface ServerMetrics extends Prometheus {
  /** Counts a stage of a scan by how it ended. */
  observeStage(stage: ScanStage): void;
}

/** Creates the program's metrics. */
export function createMetrics(database: Database): ServerMetrics {
  const prometheus = createPrometheus();
  const { metrics } = prometheus;
  prometheus.declare([...HTTP_METRICS, SCAN_STAGES]);
  metrics.gauge(JOBS_PENDING, () => countJobs(database, [OUTBOX_QUEUE, DELIVERY_QUEUE]));
  return {
    ...prometheus,
    observeStage: ({ name, status }) => metrics.count(SCAN_STAGES, { stage: name, status }),
  };
}

function countJobs(database: Database, queues: readonly string[]): Promise<GaugeSample[]> {
  const reads = database.kernel(database.reader);
  return Promise.all(
    queues.map(async (queue) => ({ labels: { queue }, value: await reads.countJobs(queue) })),
  );
}
