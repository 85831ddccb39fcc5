import { hostname } from 'node:os';
import type { Span as ApiSpan, Context, SpanContext, Tracer } from '@opentelemetry/api';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { resourceFromAttributes } from '@opentelemetry/resources';
import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { readVersion } from '../program/version.ts';
import { openOtlpExporter } from './exporter.ts';
import type { SpanLosses } from './losses.ts';
import type { TracingSettings } from './settings.ts';
import type { SpanAttributes, SpanStart, TraceSpan, Tracing } from './tracing.ts';

/** A provider of spans with its exporter. */
export interface SpanProvider extends Tracing {
  /** Requests that are being traced. */
  readonly open: () => number;
  /** Called when the last of them has ended. */
  onIdle(listener: () => void): void;
  /** Sends what has ended by now; never rejects. */
  flush(): Promise<void>;
  /** Sends what has ended for so long, and gives up the rest, which is counted. */
  close(limitMs: number): Promise<void>;
}

const propagator = new W3CTraceContextPropagator();
const HEADERS = ['traceparent', 'tracestate'];

/** Opens a provider; nothing is registered globally, so that two gateways share a process. */
export function openSpanProvider(
  settings: TracingSettings,
  ca: string | undefined,
  losses: SpanLosses,
): SpanProvider {
  const queue = openQueue(settings, ca, losses);
  const provider = new TracerProvider({
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(settings.sampleRate) }),
    resource: resourceFromAttributes({
      'service.version': readVersion(),
      'service.instance.id': `${hostname()}:${process.pid}`,
      ...settings.resource,
    }),
    spanProcessors: [queue.processor],
  });
  const tracer = provider.getTracer('@probity/gateway', readVersion());
  let open = 0;
  let onIdle: () => void = () => undefined;
  return {
    start(name, header, attributes) {
      const context = contextOf(header, settings);
      // One clock for all spans of a trace: it does not go back when the time of the machine is set.
      const offsetMs = Date.now() - performance.now();
      const base = { tracer, settings, offsetMs };
      const span = new OtelSpan(base, context, name, { kind: SpanKind.SERVER, attributes }, () => {
        open--;
        if (open === 0) onIdle();
      });
      open++;
      return span;
    },
    open: () => open,
    onIdle(listener) {
      onIdle = listener;
    },
    flush: () => queue.processor.forceFlush().catch(() => undefined),
    async close(limitMs) {
      const timer = new AbortController();
      const late = new Promise<void>((resolve) => {
        const id = setTimeout(resolve, limitMs);
        timer.signal.addEventListener('abort', () => clearTimeout(id));
      });
      const sent = provider.shutdown().catch(() => undefined);
      await Promise.race([sent.then(queue.sent), late]);
      timer.abort();
      await queue.close();
    },
  };
}

/** A batch processor whose queue is bounded, and whose losses are counted. */
function openQueue(settings: TracingSettings, ca: string | undefined, losses: SpanLosses) {
  const exporter = openOtlpExporter(settings, ca);
  const sending = new Set<Promise<void>>();
  let waiting = 0;
  const counted: SpanExporter = {
    export(spans, done) {
      const sent = exporter.export(spans).then(({ lost, reason }) => {
        sending.delete(sent);
        waiting -= spans.length;
        if (lost > 0) losses.add(lost, reason ?? 'unknown');
        done({ code: reason === null ? ExportResultCode.SUCCESS : ExportResultCode.FAILED });
      });
      sending.add(sent);
    },
    shutdown: async () => undefined,
  };
  const batches = new BatchSpanProcessor({
    exporter: counted,
    maxQueueSize: settings.queueSize,
    maxExportBatchSize: settings.batchSize,
    scheduledDelayMillis: settings.delayMs,
    // The exporter ends by itself before.
    exportTimeoutMillis: settings.timeoutMs * 2,
  });
  const processor: SpanProcessor = {
    onStart: () => undefined,
    onEnd(span: ReadableSpan) {
      // Those that are being sent count as well: the memory is bounded whatever the receiver does.
      if (waiting >= settings.queueSize) return losses.add(1, 'queue full');
      waiting++;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  };
  return {
    processor,
    /** Resolves when nothing is being sent: what a batch processor has given away it does not wait for. */
    sent: async () => void (await Promise.all(sending)),
    close: () => exporter.close(),
  };
}

/** The trace that a request is part of: none where its `traceparent` is not as it should be. */
function contextOf(
  header: (name: string) => string | undefined,
  { propagation }: TracingSettings,
): Context {
  if (header('traceparent') === undefined) return ROOT_CONTEXT;
  const context = propagator.extract(ROOT_CONTEXT, header, {
    get: (read, name) => read(name),
    keys: () => HEADERS,
  });
  const parent = trace.getSpanContext(context);
  if (parent?.traceState === undefined || propagation === 'tracestate') return context;
  // What callers write into it is exported with every span.
  const { traceState: _, ...rest } = parent;
  return trace.setSpanContext(ROOT_CONTEXT, rest);
}

interface SpanBase {
  readonly tracer: Tracer;
  readonly settings: TracingSettings;
  /** Added to `performance.now()`, the time of day. */
  readonly offsetMs: number;
}

/** A class: one is made for each request. */
class OtelSpan implements TraceSpan {
  readonly #base: SpanBase;
  readonly #span: ApiSpan;
  readonly #spanContext: SpanContext;
  readonly #onEnd: (() => void) | undefined;
  #isOver = false;

  constructor(
    base: SpanBase,
    parent: Context,
    name: string,
    options: { kind: SpanKind; attributes: SpanAttributes; agoMs?: number | undefined },
    onEnd?: () => void,
  ) {
    const { kind, attributes, agoMs = 0 } = options;
    this.#base = base;
    this.#onEnd = onEnd;
    const startTime = base.offsetMs + performance.now() - agoMs;
    this.#span = base.tracer.startSpan(
      name,
      { kind, attributes: known(attributes), startTime },
      parent,
    );
    this.#spanContext = this.#span.spanContext();
  }

  get traceId(): string {
    return this.#spanContext.traceId;
  }

  get spanId(): string {
    return this.#spanContext.spanId;
  }

  get isRecorded(): boolean {
    return (this.#spanContext.traceFlags & TraceFlags.SAMPLED) !== 0;
  }

  get hasGenAi(): boolean {
    return this.#base.settings.hasGenAi;
  }

  get headers(): Readonly<Record<string, string>> {
    if (this.#base.settings.propagation === 'none') return {};
    const headers: Record<string, string> = {};
    propagator.inject(trace.setSpanContext(ROOT_CONTEXT, this.#spanContext), headers, {
      set(carrier, name, value) {
        carrier[name] = value;
      },
    });
    return headers;
  }

  child(name: string, { kind, attributes = {}, agoMs }: SpanStart = {}): TraceSpan {
    if (!this.isRecorded) return new UnrecordedPart(this);
    const parent = trace.setSpanContext(ROOT_CONTEXT, this.#spanContext);
    const own = kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL;
    return new OtelSpan(this.#base, parent, name, { kind: own, attributes, agoMs });
  }

  set(attributes: SpanAttributes): void {
    if (this.isRecorded) this.#span.setAttributes(known(attributes));
  }

  rename(name: string): void {
    this.#span.updateName(name);
  }

  fail(type: string): void {
    this.#span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
  }

  end(agoMs = 0): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#span.end(this.#base.offsetMs + performance.now() - agoMs);
    this.#onEnd?.();
  }
}

/** A piece of a request that is not exported: it has the names of the whole, and does nothing. */
class UnrecordedPart implements TraceSpan {
  readonly #whole: TraceSpan;
  readonly isRecorded = false;

  constructor(whole: TraceSpan) {
    this.#whole = whole;
  }

  get traceId(): string {
    return this.#whole.traceId;
  }

  get spanId(): string {
    return this.#whole.spanId;
  }

  get hasGenAi(): boolean {
    return this.#whole.hasGenAi;
  }

  get headers(): Readonly<Record<string, string>> {
    return this.#whole.headers;
  }

  child(): TraceSpan {
    return this;
  }

  set(): void {}
  rename(): void {}
  fail(): void {}
  end(): void {}
}

/** Attributes as the interface of OpenTelemetry has them. */
function known(attributes: SpanAttributes): Record<string, string | number | boolean | string[]> {
  const left: Record<string, string | number | boolean | string[]> = {};
  for (const name in attributes) {
    const value = attributes[name];
    if (value !== undefined) left[name] = typeof value === 'object' ? [...value] : value;
  }
  return left;
}
