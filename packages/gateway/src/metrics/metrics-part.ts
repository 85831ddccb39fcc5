import type { Clock } from '@probity/core';
import type { MetricsSnapshot, Prometheus } from '@probity/core/prometheus';
import { mergeEnded, renderMerged } from '@probity/core/prometheus';
import type { Primary, PrimaryPart, WorkerId, Workers } from '../cluster/part.ts';

const PART = 'metrics';
/** How often a worker tells what it has counted: what it counts afterwards is lost when it is killed. */
const TELL_MS = 1_000;
/** How long a worker that is busy is waited for; then what it told last counts. */
const PATIENCE_MS = 1_000;
/** Snapshots of ended workers that are kept before they are added up. */
const MAX_ENDED = 8;

/** The metrics of all processes. */
export interface MetricsPart extends PrimaryPart {
  readonly render: Prometheus['render'];
}

/** The part of the primary that adds up metrics; what ended workers have counted stays in the sums. */
export function createMetricsPart(
  workers: Workers,
  own: Pick<Prometheus, 'snapshot'>,
): MetricsPart {
  const last = new Map<WorkerId, MetricsSnapshot>();
  const ended: MetricsSnapshot[] = [];
  const gone = new Set<WorkerId>();
  const collect = async () => {
    const answers = workers.ask<MetricsSnapshot>(PART, null, PATIENCE_MS);
    await Promise.all(
      [...answers].map(async ([worker, answer]) => {
        const snapshot = await answer.catch(() => undefined);
        if (snapshot && !gone.has(worker)) last.set(worker, snapshot);
      }),
    );
  };
  const render = async () => {
    await collect();
    if (ended.length > MAX_ENDED) {
      const count = ended.length;
      const merged = await mergeEnded(ended);
      ended.splice(0, count, merged);
    }
    const present = await own.snapshot();
    return renderMerged([present, ...ended, ...last.values()]);
  };
  let rendering: Promise<unknown> = Promise.resolve();
  let next: ReturnType<typeof render> | null = null;
  return {
    name: PART,
    take: (message, worker) => void last.set(worker, message as MetricsSnapshot),
    leave(worker) {
      const snapshot = last.get(worker);
      last.delete(worker);
      gone.add(worker);
      if (snapshot) ended.push(counted(snapshot));
    },
    render() {
      // All that come while one is made share the next: a busy worker would hold up each of them in turn.
      next ??= rendering.then(() => {
        next = null;
        return render();
      });
      rendering = next.catch(() => undefined);
      return next;
    },
  };
}

function counted(snapshot: MetricsSnapshot): MetricsSnapshot {
  return snapshot.filter(({ type }) => ['counter', 'histogram'].includes(String(type)));
}

/** Lets the primary have the metrics of this process; returns what tells them once more, for the end. */
export function connectMetrics(
  clock: Clock,
  primary: Primary,
  { snapshot }: Pick<Prometheus, 'snapshot'>,
): () => Promise<void> {
  primary.handle(PART, snapshot);
  let isOver = false;
  const tell = async () => primary.tell(PART, await snapshot());
  const repeat = () => {
    if (isOver) return;
    void tell();
    clock.setTimer(repeat, TELL_MS);
  };
  repeat();
  return () => {
    isOver = true;
    return tell();
  };
}
