import type { Clock } from '@probity/core';
import type { Primary, PrimaryPart, Workers } from '../cluster/part.ts';
import type {
  ActiveAlerts,
  AlertMonitor,
  MonitoredRequests,
  SharedAlertMonitor,
} from './alert-monitor.ts';

const PART = 'alerts';
/** How long a request waits for others, and how many durations of them are told. */
const BATCH_MS = 100;
const MAX_DURATIONS = 50;
/** How often the primary looks whether an alert has ended, without any request. */
const LOOK_MS = 1_000;

/** The part of the primary that watches the requests of all processes, and tells them which alerts are active. */
export function createAlertPart(
  clock: Clock,
  monitor: SharedAlertMonitor,
  workers: Workers,
): PrimaryPart {
  let told = JSON.stringify(monitor.active());
  const publish = () => {
    const active = monitor.active();
    const now = JSON.stringify(active);
    if (now === told) return;
    told = now;
    workers.tell(PART, active);
  };
  let isOver = false;
  const look = () => {
    if (isOver) return;
    publish();
    clock.setTimer(look, LOOK_MS);
  };
  return {
    name: PART,
    start: look,
    take(message) {
      monitor.recordAll(message as MonitoredRequests);
      publish();
    },
    answer: () => monitor.active(),
    close() {
      isOver = true;
    },
  };
}

/** The monitor as one of several serving processes uses it. */
export async function connectAlerts(clock: Clock, primary: Primary): Promise<AlertMonitor> {
  let active = await primary.call<ActiveAlerts>(PART, null);
  primary.handle(PART, (message) => {
    active = message as ActiveAlerts;
  });
  let waiting: MonitoredRequests | null = null;
  const send = () => {
    primary.tell(PART, waiting);
    waiting = null;
  };
  return {
    record({ isError, durationMs, pii }) {
      if (waiting === null) {
        waiting = { requests: 0, errors: 0, pii: 0, durations: [] };
        clock.setTimer(send, BATCH_MS);
      }
      waiting.requests += 1;
      waiting.pii += pii;
      if (isError) waiting.errors += 1;
      if (waiting.durations.length < MAX_DURATIONS) waiting.durations.push(durationMs);
    },
    active: () => ({ ...active }),
  };
}
