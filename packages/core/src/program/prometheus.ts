import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
} from 'prom-client';
import type { GaugeSample, MetricDefinition } from '../metrics.ts';
import type { ExposedMetrics } from './metrics.ts';

/** Metrics in the text exposition format, and its media type. */
export interface RenderedText {
  readonly contentType: string;
  readonly body: string;
}

/** The values of all metrics of a process at one time: data, to be sent to another process. */
export type MetricsSnapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** Metrics that Prometheus collects. */
export interface Prometheus extends ExposedMetrics {
  /** All metrics in the text exposition format, and its media type. */
  render(): Promise<RenderedText>;
  /** What {@link renderMerged} makes one text of, with the snapshots of other processes. */
  snapshot(): Promise<MetricsSnapshot>;
}

/** Renders what several processes of one program count: sums, and of gauges what their definitions say. */
export async function renderMerged(snapshots: readonly MetricsSnapshot[]): Promise<RenderedText> {
  const merged = AggregatorRegistry.aggregate([...snapshots]);
  return { contentType: merged.contentType, body: await merged.metrics() };
}

/** Adds up what processes that have ended counted: their counters and histograms, as one snapshot. */
export async function mergeEnded(snapshots: readonly MetricsSnapshot[]): Promise<MetricsSnapshot> {
  const merged = await AggregatorRegistry.aggregate([...snapshots]).getMetricsAsJSON();
  return merged.filter(({ type }) => isCounted(String(type)));
}

function isCounted(type: string): boolean {
  return type === 'counter' || type === 'histogram';
}

/** Creates metrics on a separate registry, including those of the process. */
export function createPrometheus(): Prometheus {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counters = new Map<string, Counter>();
  const histograms = new Map<string, Histogram>();

  function counterOf(definition: MetricDefinition): Counter {
    const existing = counters.get(definition.name);
    if (existing) return existing;
    const counter = new Counter(configurationOf(definition, registry));
    counters.set(definition.name, counter);
    return counter;
  }

  function histogramOf(definition: MetricDefinition): Histogram {
    const existing = histograms.get(definition.name);
    if (existing) return existing;
    const { buckets } = definition;
    const configuration = configurationOf(definition, registry);
    const histogram = new Histogram({
      ...configuration,
      ...(buckets ? { buckets: [...buckets] } : {}),
    });
    histograms.set(definition.name, histogram);
    return histogram;
  }

  return {
    metrics: {
      count: (definition, labels, by = 1) => counterOf(definition).inc(labels, by),
      observe: (definition, labels, value) => histogramOf(definition).observe(labels, value),
      gauge(definition, read) {
        // Of two programs in a process the last one counts.
        registry.removeSingleMetric(definition.name);
        new Gauge({
          ...configurationOf(definition, registry),
          aggregator: definition.merge ?? 'sum',
          async collect() {
            const samples: readonly GaugeSample[] = await read();
            this.reset();
            for (const { labels, value } of samples) this.set(labels, value);
          },
        });
      },
    },
    declare(definitions) {
      for (const definition of definitions) {
        if (definition.kind === 'counter') counterOf(definition);
        if (definition.kind === 'histogram') histogramOf(definition);
      }
    },
    async render() {
      return { contentType: registry.contentType, body: await registry.metrics() };
    },
    snapshot: () => registry.getMetricsAsJSON(),
  };
}

function configurationOf({ name, help, labels }: MetricDefinition, registry: Registry) {
  return { name, help, labelNames: [...labels], registers: [registry] };
}
