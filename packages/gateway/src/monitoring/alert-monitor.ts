import type { Clock, Logger } from '@probity/core';
import type { GatewayConfig } from '../config/read-config.ts';

/** One request, as alerts see it. */
interface MonitoredRequest {
  readonly isError: boolean;
  readonly durationMs: number;
  /** Findings of personal data. */
  readonly pii: number;
}

/** Requests that are told together. */
export interface MonitoredRequests {
  requests: number;
  errors: number;
  pii: number;
  /** Of some of them. */
  readonly durations: number[];
}

/** Which alerts are active. */
export type ActiveAlerts = Readonly<Record<AlertName, boolean>>;

/** The alerts of `monitoring.alerts`. */
type AlertName = 'error_rate' | 'latency' | 'pii_spike';

/** Watches the last 60 seconds. */
export interface AlertMonitor {
  record(request: MonitoredRequest): void;
  /** Which alerts are active now. */
  active(): ActiveAlerts;
}

/** A monitor that also takes requests of other processes. */
export interface SharedAlertMonitor extends AlertMonitor {
  recordAll(requests: MonitoredRequests): void;
}

/** Dependencies of a monitor. */
export interface AlertMonitorOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** The thresholds in force. */
  readonly thresholds: () => GatewayConfig['monitoring']['alerts'];
}

const WINDOW_SECONDS = 60;
/** Fewer requests say nothing about a share. */
const LEAST_REQUESTS = 20;
/** An alert ends below this share of its threshold, so that it does not come and go. */
const END_SHARE = 0.8;
/** Durations that are kept of one second. */
const KEPT_DURATIONS = 500;

interface Second {
  readonly at: number;
  requests: number;
  errors: number;
  pii: number;
  readonly durations: number[];
}

/**
 * Creates a monitor: an alert begins when its value is above the threshold, which writes a log record
 * `alert`, and ends below 80 % of it.
 */
export function createAlertMonitor(options: AlertMonitorOptions): SharedAlertMonitor {
  const { clock, logger, thresholds } = options;
  let seconds: Second[] = [];
  const state: Record<AlertName, boolean> = { error_rate: false, latency: false, pii_spike: false };
  let checkedAt = Number.NEGATIVE_INFINITY;
  const check = () => {
    const now = Math.floor(clock.monotonicMs() / 1_000);
    seconds = seconds.filter(({ at }) => at > now - WINDOW_SECONDS);
    checkedAt = clock.monotonicMs();
    const limits = thresholds();
    const limit: Record<AlertName, number> = {
      error_rate: limits.error_rate_threshold,
      latency: limits.latency_threshold_ms,
      pii_spike: limits.pii_detection_spike,
    };
    const gauges = gaugesOf(seconds);
    for (const name of Object.keys(state) as AlertName[]) {
      const gauge = gauges[name];
      const isActive =
        gauge.isAbove(limit[name]) || (state[name] && gauge.isFrom(limit[name] * END_SHARE));
      if (isActive === state[name]) continue;
      state[name] = isActive;
      const fields = {
        alert: name,
        active: isActive,
        value: gauge.value(),
        threshold: limit[name],
      };
      logger[isActive ? 'warn' : 'info']('alert', fields);
    }
  };
  const recordAll = ({ requests, errors, pii, durations }: MonitoredRequests) => {
    const now = Math.floor(clock.monotonicMs() / 1_000);
    let second = seconds.at(-1);
    if (second?.at !== now) {
      second = { at: now, requests: 0, errors: 0, pii: 0, durations: [] };
      seconds.push(second);
    }
    second.requests += requests;
    second.pii += pii;
    second.errors += errors;
    second.durations.push(...durations.slice(0, KEPT_DURATIONS - second.durations.length));
    // The 95th percentile sorts; ten times a second is often enough under load.
    if (clock.monotonicMs() - checkedAt >= 100 || second.requests <= LEAST_REQUESTS) check();
  };
  return {
    record({ isError, durationMs, pii }) {
      recordAll({ requests: 1, errors: isError ? 1 : 0, pii, durations: [durationMs] });
    },
    recordAll,
    active() {
      check();
      return { ...state };
    },
  };
}

/** A value that is compared much more often than it is shown. */
interface Gauge {
  isAbove(limit: number): boolean;
  isFrom(limit: number): boolean;
  value(): number;
}

function gaugesOf(seconds: readonly Second[]): Record<AlertName, Gauge> {
  const sum = (of: (second: Second) => number) =>
    seconds.reduce((total, second) => total + of(second), 0);
  const requests = sum((second) => second.requests);
  const errors = sum((second) => second.errors);
  return {
    error_rate: gaugeOf(requests < LEAST_REQUESTS ? 0 : errors / requests),
    latency: percentileOf(seconds.map(({ durations }) => durations)),
    pii_spike: gaugeOf(sum((second) => second.pii)),
  };
}

function gaugeOf(value: number): Gauge {
  return {
    isAbove: (limit) => value > limit,
    isFrom: (limit) => value >= limit,
    value: () => value,
  };
}

/** The 95th percentile: to count is enough to compare it, and to sort 30,000 durations takes ten milliseconds. */
function percentileOf(lists: readonly (readonly number[])[]): Gauge {
  const count = lists.reduce((total, list) => total + list.length, 0);
  const rank = Math.ceil(count * 0.95) - 1;
  const isReached = (test: (duration: number) => boolean) => {
    let reached = 0;
    for (const list of lists) for (const duration of list) if (test(duration)) reached++;
    return count > 0 && reached >= count - rank;
  };
  return {
    isAbove: (limit) => isReached((duration) => duration > limit),
    isFrom: (limit) => isReached((duration) => duration >= limit),
    value: () => lists.flat().sort((a, b) => a - b)[rank] ?? 0,
  };
}
