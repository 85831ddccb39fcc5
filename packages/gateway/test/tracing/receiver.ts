import assert from 'node:assert/strict';
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { gunzipSync } from 'node:zlib';
import { addressOf } from '@probity/core/testing';
import type { TestLifetime } from '@probity/test-support';
import protobuf from 'protobufjs';

/** A span as a receiver reads it. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first of a trace. */
  readonly parentSpanId: string;
  readonly traceState: string;
  readonly name: string;
  readonly kind: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly failed: boolean;
  readonly resource: Readonly<Record<string, unknown>>;
}

/** A request of an exporter. */
interface ReceivedExport {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body, unpacked. */
  readonly bytes: Buffer;
}

/** An OTLP/HTTP receiver. */
export interface Receiver {
  readonly url: string;
  readonly exports: ReceivedExport[];
  readonly spans: ReceivedSpan[];
  /** Answers by `answer` from now on; the spans are read before. */
  answer(answer: (response: ServerResponse, request: IncomingMessage) => void): void;
  /** Resolves when a span is there that `test` accepts. */
  waitFor(test: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan>;
  named(name: string): ReceivedSpan[];
}

/** The messages of opentelemetry.proto that a receiver of traces reads, by their numbers. */
const SCHEMA = `
syntax = "proto3";
message Request { repeated ResourceSpans resource_spans = 1; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
message Resource { repeated KeyValue attributes = 1; }
message ScopeSpans { Scope scope = 1; repeated Span spans = 2; }
message Scope { string name = 1; string version = 2; }
message KeyValue { string key = 1; Value value = 2; }
message Value {
  oneof value {
    string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; List array_value = 5;
  }
}
message List { repeated Value values = 1; }
message Span {
  bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; bytes parent_span_id = 4;
  string name = 5; int32 kind = 6; fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8;
  repeated KeyValue attributes = 9; Status status = 15;
}
message Status { string message = 2; int32 code = 3; }
message Response { PartialSuccess partial_success = 1; }
message PartialSuccess { int64 rejected_spans = 1; string error_message = 2; }
`;
const { root } = protobuf.parse(SCHEMA, { keepCase: true });
const REQUEST = root.lookupType('Request');
const RESPONSE = root.lookupType('Response');
const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];

/** An answer that rejects spans. */
export function partialSuccess(rejected: number, message: string): Uint8Array {
  const partial_success = { rejected_spans: rejected, error_message: message };
  return RESPONSE.encode(RESPONSE.fromObject({ partial_success })).finish();
}

/** Starts a receiver, which is closed after the test. */
export async function startReceiver(
  t: TestLifetime,
  tls?: { readonly key: string; readonly cert: string },
): Promise<Receiver> {
  const exports: ReceivedExport[] = [];
  const spans: ReceivedSpan[] = [];
  const waiting = new Set<() => void>();
  let answer: Parameters<Receiver['answer']>[0] = (response) => {
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  };
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { headers } = request;
    const bytes = headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
    exports.push({ path: request.url ?? '', headers, bytes });
    spans.push(...decode(bytes));
    for (const look of waiting) look();
    answer(response, request);
  };
  const listener = (request: IncomingMessage, response: ServerResponse) =>
    void take(request, response).catch((error: unknown) => response.destroy(error as Error));
  const server: Server = tls ? createTlsServer(tls, listener) : createServer(listener);
  const url = await addressOf(t, server.listen(0, '127.0.0.1'));
  return {
    url: tls ? url.replace('http', 'https') : url,
    exports,
    spans,
    answer(next) {
      answer = next;
    },
    waitFor: (test) =>
      new Promise((resolve) => {
        const look = () => {
          const found = spans.find(test);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    named: (name) => spans.filter((span) => span.name === name),
  };
}

/** The spans of a request, or none where it is no message of the protocol. */
function decode(bytes: Uint8Array): ReceivedSpan[] {
  const request = REQUEST.toObject(REQUEST.decode(bytes), {
    bytes: String,
    longs: String,
    defaults: true,
    arrays: true,
  }) as WireRequest;
  return request.resource_spans.flatMap(({ resource, scope_spans }) =>
    scope_spans.flatMap(({ spans }) =>
      spans.map((span) => ({
        traceId: hex(span.trace_id),
        spanId: hex(span.span_id),
        parentSpanId: hex(span.parent_span_id),
        traceState: span.trace_state,
        name: span.name,
        kind: KINDS[span.kind] ?? '',
        startMs: Number(span.start_time_unix_nano) / 1e6,
        endMs: Number(span.end_time_unix_nano) / 1e6,
        attributes: toRecord(span.attributes),
        failed: span.status?.code === 2,
        resource: toRecord(resource.attributes),
      })),
    ),
  );
}

interface WireAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface WireSpan {
  readonly trace_id: string;
  readonly span_id: string;
  readonly parent_span_id: string;
  readonly trace_state: string;
  readonly name: string;
  readonly kind: number;
  readonly start_time_unix_nano: string;
  readonly end_time_unix_nano: string;
  readonly attributes: readonly WireAttribute[];
  readonly status: { readonly code: number } | null;
}

interface WireRequest {
  readonly resource_spans: readonly {
    readonly resource: { readonly attributes: readonly WireAttribute[] };
    readonly scope_spans: readonly { readonly spans: readonly WireSpan[] }[];
  }[];
}

function toRecord(attributes: readonly WireAttribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, toPlain(value)]));
}

function toPlain(value: Readonly<Record<string, unknown>>): unknown {
  if (value.int_value !== undefined) return Number(value.int_value);
  if (value.array_value !== undefined) {
    const { values } = value.array_value as { values: Readonly<Record<string, unknown>>[] };
    return values.map(toPlain);
  }
  return value.string_value ?? value.bool_value ?? value.double_value;
}

function hex(base64: string): string {
  return Buffer.from(base64, 'base64').toString('hex');
}

/** The spans directly below one, in the order of their beginnings. */
export function below({ spans }: Receiver, parent: ReceivedSpan): ReceivedSpan[] {
  return spans
    .filter(({ parentSpanId }) => parentSpanId === parent.spanId)
    .sort((left, right) => left.startMs - right.startMs);
}

/** Says that none of the texts stands in what was exported, plain, encoded or cut. */
export function assertAbsent({ exports }: Receiver, texts: readonly string[]): void {
  assert.ok(exports.length > 0);
  for (const { bytes } of exports) {
    for (const text of texts) assert.ok(!bytes.includes(text), `${text} was exported`);
  }
}
