import { type Database, type KernelOperations, systemClock } from '@probity/core';
import { OUTBOX_QUEUE, RETENTION_QUEUE } from '@probity/core/internal';
import type { RequestObservation } from '@probity/core/koa';
import type { ScanStage } from '@probity/governance';
import { MAIL_QUEUE, PASSWORD_RESET_QUEUE } from '@probity/platform';
import { DELIVERY_QUEUE } from '@probity/webhooks';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The program's metrics. */
export interface Metrics {
  /** Counts an answered request. */
  observe(observation: RequestObservation): void;
  /** Counts a stage of a scan by how it ended. */
  observeStage(stage: ScanStage): void;
  /** The metrics in the text exposition format, and its media type. */
  render(): Promise<{ contentType: string; body: string }>;
}

const QUEUES = [OUTBOX_QUEUE, DELIVERY_QUEUE, MAIL_QUEUE, PASSWORD_RESET_QUEUE, RETENTION_QUEUE];

/** What is measured of every queue. */
interface JobGauge {
  readonly name: string;
  readonly help: string;
  read(reads: KernelOperations, queue: string): Promise<number>;
}

const JOB_GAUGES: readonly JobGauge[] = [
  {
    name: 'probity_jobs_pending',
    help: 'Background jobs stored and not finished, by queue.',
    read: (reads, queue) => reads.countJobs(queue),
  },
  {
    name: 'probity_jobs_failed',
    help: 'Background jobs that were given up and are kept for a retry, by queue.',
    read: (reads, queue) => reads.countFailedJobs(queue),
  },
  {
    name: 'probity_jobs_oldest_age_seconds',
    help: 'How long ago the oldest pending job was due, 0 when none is overdue, by queue.',
    async read(reads, queue) {
      const dueAt = await reads.oldestDueAt(queue);
      const ageMs = dueAt ? systemClock.now().getTime() - dueAt.getTime() : 0;
      return Math.max(0, ageMs) / 1_000;
    },
  },
];

function createJobGauge(registry: Registry, database: Database, gauge: JobGauge): Gauge {
  const { name, help, read } = gauge;
  return new Gauge({
    name,
    help,
    labelNames: ['queue'],
    registers: [registry],
    async collect() {
      const reads = database.kernel(database.reader);
      for (const queue of QUEUES) this.set({ queue }, await read(reads, queue));
    },
  });
}

/** Registers the program's metrics on a registry of their own. */
export function createMetrics(database: Database): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'probity_http_requests_total',
    help: 'Requests answered, by method, route and status.',
    labelNames: ['method', 'path', 'status'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'probity_http_request_duration_seconds',
    help: 'Time from the request to its answer, by method and route.',
    labelNames: ['method', 'path'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
    registers: [registry],
  });
  const scanStages = new Counter({
    name: 'probity_scan_stages_total',
    help: 'Stages of scans, by stage and by how they ended.',
    labelNames: ['stage', 'status'],
    registers: [registry],
  });
  for (const gauge of JOB_GAUGES) createJobGauge(registry, database, gauge);
  return {
    observe({ method, path, status, durationMs }) {
      requests.inc({ method, path, status });
      durations.observe({ method, path }, durationMs / 1_000);
    },
    observeStage: ({ name, status }) => scanStages.inc({ stage: name, status }),
    async render() {
      return { contentType: registry.contentType, body: await registry.metrics() };
    },
  };
}
