import { fileURLToPath } from 'node:url';
import type { ServerDuplexStream, ServiceDefinition } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { validationError } from '@probity/core';
import type { Pipeline, Redactor } from '@probity/pipeline';
import { createRedactor } from '@probity/pipeline';
import { rememberScans } from '@probity/pipeline/messages';
import { keepReplaced } from '@probity/pipeline/protocols';
import type { createCallers } from '../grpc/callers.ts';
import { statusName, toFault, toServiceError } from '../grpc/errors.ts';
import type { Received } from '../grpc/wire-types.ts';
import type { CallTreatment } from '../proxy/restoration.ts';
import { chooseRestoration } from '../proxy/restoration.ts';
import type { GatewayScanner } from '../scanner/scanner.ts';
import type { GatewaySnapshot } from '../snapshot/snapshot.ts';
import { endRpc, startRpc } from '../tracing/rpc-spans.ts';
import type { TraceSpan } from '../tracing/tracing.ts';
import type { ExchangeOptions, ExchangeSide } from './exchange.ts';
import { ExchangeState } from './exchange.ts';
import { createRequestSide } from './request-side.ts';
import { createResponseSide } from './response-side.ts';
import type { Side, WireRequest, WireResponse } from './wire.ts';

/** The full name of the service. */
export const EXT_PROC_SERVICE = 'envoy.service.ext_proc.v3.ExternalProcessor';

/** One HTTP request that goes through Envoy. */
export type ExtProcCall = ServerDuplexStream<Received<WireRequest>, WireResponse>;

/** What the service needs. */
export interface ExtProcParts {
  readonly scanner: () => GatewayScanner;
  readonly callers: ReturnType<typeof createCallers>;
}

/** Loads proto/ext_proc.proto. */
export function loadExtProcService(): ServiceDefinition {
  const file = fileURLToPath(new URL('../../../proto/ext_proc.proto', import.meta.url));
  const options = { keepCase: true, longs: Number, enums: String, defaults: true, oneofs: true };
  return loadSync(file, options)[EXT_PROC_SERVICE] as ServiceDefinition;
}

/** Serves Envoy's external processing: each call is one HTTP request and the answer to it. */
export function createExtProcHandlers(parts: ExtProcParts) {
  const scans = new WeakMap<GatewayScanner, Pipeline['scan']>();
  const scanOf = (scanner: GatewayScanner) => {
    const scan = scans.get(scanner) ?? rememberScans(scanner.pipeline);
    scans.set(scanner, scan);
    return scan;
  };
  return {
    Process(call: ExtProcCall) {
      const stop = new AbortController();
      call.on('cancelled', () => stop.abort());
      const scanner = parts.scanner();
      const { snapshot, reporting } = scanner;
      const method = `${EXT_PROC_SERVICE}/Process`;
      const span = startRpc(reporting.tracing, call.metadata, method, snapshot.hash);
      const shared = { snapshot, reporting, scan: scanOf(scanner) };
      serve(call, () => optionsOf(call, parts, shared, { signal: stop.signal, span }))
        .then(() => endRpc(span, stop.signal.aborted ? 'CANCELLED' : 'OK'))
        .catch((error: unknown) => {
          endRpc(span, statusName(toFault(error).code));
          if (!stop.signal.aborted) call.emit('error', toServiceError(error));
        })
        .finally(() => stop.abort());
    },
  };
}

function optionsOf(
  call: ExtProcCall,
  { callers }: ExtProcParts,
  shared: Pick<ExchangeOptions, 'snapshot' | 'reporting' | 'scan'>,
  { signal, span }: { readonly signal: AbortSignal; readonly span: TraceSpan | undefined },
): ExchangeOptions {
  const { snapshot } = shared;
  const caller = callers.identifyByKey(call);
  const [style] = call.metadata.get('x-probity-redaction');
  const redactor = style === undefined ? null : redactorOf(style.toString());
  return {
    ...shared,
    keyUsers: caller.keyUsers,
    contextOf: (requestId, address) =>
      callers.contextOf({ ...caller, address }, call, requestId ?? '', signal, span),
    restorationOf: (asked) => {
      if (redactor !== null) return redacting(snapshot, redactor);
      return chooseRestoration(snapshot, { token: null, asked });
    },
    limit: () => callers.limit(caller, snapshot),
  };
}

/** @throws ProbityError `validation_failed` for a style that does not exist */
function redactorOf(style: string): Redactor {
  if (style === 'placeholder' || style === 'mask') return createRedactor({ style });
  throw validationError({ field: 'x-probity-redaction', message: 'must be placeholder or mask' });
}

function redacting({ policies }: GatewaySnapshot, redactor: Redactor): CallTreatment {
  return { policies: policies.redacting, ...keepReplaced(redactor) };
}

/** Answers the messages one after the other: no more is read than is worked off. */
async function serve(call: ExtProcCall, makeOptions: () => ExchangeOptions): Promise<void> {
  const state = new ExchangeState(makeOptions());
  const sides = { request: createRequestSide(state), response: createResponseSide(state) };
  let isRefused = false;
  try {
    // The end of what Envoy sends must not end what it is sent.
    const messages: AsyncIterable<Received<WireRequest>> = call.iterator({
      destroyOnReturn: false,
    });
    let counted = 0;
    for await (const { message, size, memory } of messages) {
      takeModes(state, message);
      if (isRefused) {
        memory.give(size);
        continue;
      }
      counted += size;
      let replies: WireResponse[];
      try {
        replies = await answer(sides, message);
      } catch (error) {
        isRefused = true;
        if (isOfResponse(message)) state.reportAnswer(error);
        replies = [state.refusal(error)];
      }
      if (!state.isObserving) for (const reply of replies) call.write(reply);
      const held = isRefused ? 0 : sides.request.held + sides.response.held;
      memory.give(Math.max(0, counted - held));
      counted = Math.min(counted, held);
    }
  } catch (error) {
    if (!call.cancelled) throw error;
  }
  if (!call.cancelled) call.end();
}

function takeModes(state: ExchangeState, { protocol_config, observability_mode }: WireRequest) {
  if (observability_mode) state.isObserving = true;
  if (protocol_config === null) return;
  const { request_body_mode: request, response_body_mode: response } = protocol_config;
  state.modes = { request, response };
}

function isOfResponse({ response_headers, response_body, response_trailers }: WireRequest) {
  return Boolean(response_headers ?? response_body ?? response_trailers);
}

async function answer(
  sides: Readonly<Record<Side, ExchangeSide>>,
  message: WireRequest,
): Promise<WireResponse[]> {
  if (message.request_headers) return sides.request.headers(message);
  if (message.request_body) return sides.request.body(message);
  if (message.request_trailers) return sides.request.trailers();
  if (message.response_headers) return sides.response.headers(message);
  if (message.response_body) return sides.response.body(message);
  if (message.response_trailers) return sides.response.trailers();
  return [];
}
