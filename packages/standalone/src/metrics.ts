import {
  type Clock,
  type Database,
  type KernelOperations,
  type MetricDefinition,
  systemClock,
} from '@probity/core';
import { OUTBOX_QUEUE, RETENTION_QUEUE } from '@probity/core/internal';
import { HTTP_METRICS } from '@probity/core/koa';
import { SCAN_STAGES } from '@probity/governance';
import { MAIL_QUEUE, PASSWORD_RESET_QUEUE } from '@probity/platform';
import { DELIVERY_QUEUE, WEBHOOK_ATTEMPT_DURATION, WEBHOOK_ATTEMPTS } from '@probity/webhooks';
import { createPrometheus, type Prometheus } from './prometheus.ts';

const QUEUES = [OUTBOX_QUEUE, DELIVERY_QUEUE, MAIL_QUEUE, PASSWORD_RESET_QUEUE, RETENTION_QUEUE];

/** A gauge that has one value for every queue. */
interface QueueGauge {
  readonly metric: MetricDefinition;
  read(reads: KernelOperations, queue: string, clock: Clock): Promise<number>;
}

const QUEUE_GAUGES: readonly QueueGauge[] = [
  {
    metric: queueGauge(
      'probity_jobs_pending',
      'Background jobs stored and not finished, by queue.',
    ),
    read: (reads, queue) => reads.countJobs(queue),
  },
  {
    metric: queueGauge(
      'probity_jobs_failed',
      'Background jobs that were given up and are kept for a retry, by queue.',
    ),
    read: (reads, queue) => reads.countFailedJobs(queue),
  },
  {
    metric: queueGauge(
      'probity_jobs_oldest_age_seconds',
      'How long ago the oldest pending job was due, 0 when none is overdue, by queue.',
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

/** Creates the program's metrics. */
export function createMetrics(database: Database): Prometheus {
  const prometheus = createPrometheus();
  const { metrics } = prometheus;
  prometheus.declare([...HTTP_METRICS, SCAN_STAGES, WEBHOOK_ATTEMPTS, WEBHOOK_ATTEMPT_DURATION]);
  const reads = database.kernel(database.reader);
  for (const { metric, read } of QUEUE_GAUGES) {
    metrics.gauge(metric, () =>
      Promise.all(
        QUEUES.map(async (queue) => ({
          labels: { queue },
          value: await read(reads, queue, systemClock),
        })),
      ),
    );
  }
  return prometheus;
}
