import type { Clock } from '../clock.ts';
import { HTTP_METRICS } from '../http/metrics.ts';
import type { MetricDefinition, Metrics } from '../metrics.ts';
import type { Capability } from '../runtime/capability.ts';
import type { Database, KernelOperations } from '../storage/database.ts';
import { queuesOf } from './background.ts';

/** A gauge with one value per queue. */
interface QueueGauge {
  readonly metric: MetricDefinition;
  read(reads: KernelOperations, queue: string, clock: Clock): Promise<number>;
}

/** The largest value of a gauge that counts, so that a collection costs little in a long backlog. */
const MAX_COUNTED = 10_000;

const QUEUE_GAUGES: readonly QueueGauge[] = [
  {
    metric: queueGauge(
      'probity_jobs_pending',
      'Unfinished background jobs, at most 10000, by queue.',
    ),
    read: (reads, queue) => reads.countJobs(queue, MAX_COUNTED),
  },
  {
    metric: queueGauge(
      'probity_jobs_failed',
      'Background jobs that failed permanently and are stored for a manual retry, at most 10000, by queue.',
    ),
    read: (reads, queue) => reads.countFailedJobs(queue, MAX_COUNTED),
  },
  {
    metric: queueGauge(
      'probity_jobs_oldest_age_seconds',
      'Seconds since the oldest pending job could be claimed (0 when none is overdue), by queue.',
    ),
    async read(reads, queue, clock) {
      const dueAt = await reads.oldestDueAt(queue);
      const ageMs = dueAt ? clock.now().getTime() - dueAt.getTime() : 0;
      return Math.max(0, ageMs) / 1_000;
    },
  },
];

function queueGauge(name: string, help: string): MetricDefinition {
  return { name, kind: 'gauge', help, labels: ['queue'] };
}

/** All metrics of a program: those of its routers, its capabilities and its queues. */
export function metricsOf(capabilities: readonly Capability[]): MetricDefinition[] {
  return [
    ...HTTP_METRICS,
    ...capabilities.flatMap(({ metrics = [] }) => metrics),
    ...QUEUE_GAUGES.map(({ metric }) => metric),
  ];
}

/** Metrics that a program exposes: the receiver of reports, and the registration of definitions. */
export interface ExposedMetrics {
  readonly metrics: Metrics;
  /** Registers metrics, so that those not yet reported are exposed as well. */
  declare(definitions: readonly MetricDefinition[]): void;
}

/** Exposes the metrics of a program; gauges of queues are read from the database on collection. */
export function exposeMetrics(
  { declare, metrics }: ExposedMetrics,
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  capabilities: readonly Capability[],
): void {
  declare(metricsOf(capabilities));
  exposeQueues(metrics, { database, clock }, capabilities);
}

/** Registers the gauges of the queues, which are read from the database on collection. */
export function exposeQueues(
  metrics: Metrics,
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  capabilities: readonly Capability[],
): void {
  const queues = queuesOf(capabilities);
  const reads = database.kernel(database.reader);
  for (const { metric, read } of QUEUE_GAUGES) {
    metrics.gauge(metric, () =>
      Promise.all(
        queues.map(async (queue) => ({
          labels: { queue },
          value: await read(reads, queue, clock),
        })),
      ),
    );
  }
}
