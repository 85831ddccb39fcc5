/** A metric that a package reports, by the conventions of Prometheus for names and units. */
export interface MetricDefinition {
  /** `probity_<what>_<unit>`, a counter's with `_total` at the end. */
  readonly name: string;
  readonly kind: 'counter' | 'histogram' | 'gauge';
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds of a histogram's buckets, in the unit of the name. */
  readonly buckets?: readonly number[];
}

/** Values of a metric's labels. */
export type MetricLabels = Readonly<Record<string, string | number>>;

/** One value of a gauge. */
export interface GaugeSample {
  readonly labels: MetricLabels;
  readonly value: number;
}

/** What services report to; a program puts Prometheus or another system behind it. */
export interface Metrics {
  /** Adds `by`, 1 by default, to a counter. */
  count(metric: MetricDefinition, labels: MetricLabels, by?: number): void;
  /** Adds an observation to a histogram, in the unit of its name. */
  observe(metric: MetricDefinition, labels: MetricLabels, value: number): void;
  /** Registers the function that reads a gauge; it is called whenever metrics are collected. */
  gauge(metric: MetricDefinition, read: () => Promise<readonly GaugeSample[]>): void;
}

/** Reports nothing. */
export const silentMetrics: Metrics = Object.freeze({
  count: () => undefined,
  observe: () => undefined,
  gauge: () => undefined,
});
