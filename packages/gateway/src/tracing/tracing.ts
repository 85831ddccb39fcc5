import type { CallContext } from '@probity/core';

/** Values of a span's attributes; those that are undefined are left out. */
export type SpanAttributes = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

/** How a span begins. */
export interface SpanStart {
  /** Default: work inside of the gateway. */
  readonly kind?: 'client';
  readonly attributes?: SpanAttributes;
  /** How many milliseconds ago it began; default 0. */
  readonly agoMs?: number;
}

/** A piece of work, as traces show it. No attribute has a text that was scanned, a key or a user's name. */
export interface TraceSpan extends NonNullable<CallContext['trace']> {
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** Whether it is exported: nothing needs to be worked out for one that is not. */
  readonly isRecorded: boolean;
  /** Whether calls of models are described with the names of OpenTelemetry's conventions for generative AI. */
  readonly hasGenAi: boolean;
  /** What goes on to models and MCP servers. */
  readonly headers: Readonly<Record<string, string>>;
  /** Begins a piece of it. */
  child(name: string, start?: SpanStart): TraceSpan;
  set(attributes: SpanAttributes): void;
  rename(name: string): void;
  /** Marks it as failed; `type` is a word of a closed set, never the text of an error. */
  fail(type: string): void;
  /** Ends it; idempotent. `agoMs`: how many milliseconds ago it ended. */
  end(agoMs?: number): void;
}

/** What begins traces under one configuration. */
export interface Tracing {
  /**
   * Begins the span of a request, as a part of the trace that its headers name.
   *
   * @param header the value of a header of the request
   */
  start(
    name: string,
    header: (name: string) => string | undefined,
    attributes: SpanAttributes,
  ): TraceSpan | undefined;
}

/** The span of a call; undefined where traces are off. */
export function spanOf({ trace }: Pick<CallContext, 'trace'>): TraceSpan | undefined {
  return trace as TraceSpan | undefined;
}

/** The fields by which log records and traces are joined. */
export function traceFields(
  span: TraceSpan | undefined,
): { readonly trace_id: string; readonly span_id: string } | undefined {
  return span && { trace_id: span.traceId, span_id: span.spanId };
}
