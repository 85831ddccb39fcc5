/** A metric that a package reports, following the Prometheus conventions for names and units. */
export interface MetricDefinition {
  /** `probity_<what>_<unit>`, with the suffix `_total` for a counter. */
  readonly name: string;
  readonly kind: 'counter' | 'histogram' | 'gauge';
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds of a histogram's buckets, in the unit of the name. */
  readonly buckets?: readonly number[];
  /** What a gauge is over several processes of one program; default the sum. */
  readonly merge?: 'sum' | 'max' | 'average';
}

/** Values of a metric's labels. */
export type MetricLabels = Readonly<Record<string, string | number>>;

/** One sample of a gauge. */
export interface GaugeSample {
  readonly labels: MetricLabels;
  readonly value: number;
}

/** Receives the metrics of services; a program connects it to Prometheus or another system. */
export interface Metrics {
  /** Adds `by`, 1 by default, to a counter. */
  count(metric: MetricDefinition, labels: MetricLabels, by?: number): void;
  /** Adds an observation to a histogram, in the unit of its name. */
  observe(metric: MetricDefinition, labels: MetricLabels, value: number): void;
  /** Registers the function that reads a gauge; called whenever metrics are collected. */
  gauge(metric: MetricDefinition, read: () => Promise<readonly GaugeSample[]>): void;
}

/** Discards all metrics. */
export const silentMetrics: Metrics = Object.freeze({
  count: () => undefined,
  observe: () => undefined,
  gauge: () => undefined,
});
