import { setMaxListeners } from 'node:events';
import type { ServerUnaryCall, sendUnaryData } from '@grpc/grpc-js';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import type { CallContext } from '@probity/core';
import { HealthImplementation } from 'grpc-health-check';
import type { GatewayConfig } from '../config/read-config.ts';
import {
  createExtProcHandlers,
  EXT_PROC_SERVICE,
  loadExtProcService,
} from '../ext-proc/service.ts';
import type { GatewayScanner, GatewayScanRequest } from '../scanner/scanner.ts';
import type { Surroundings } from '../serving.ts';
import { toServerCredentials } from '../tls/certificates.ts';
import { endRpc, startRpc } from '../tracing/rpc-spans.ts';
import type { TraceSpan } from '../tracing/tracing.ts';
import { createCallGuard } from './call-guard.ts';
import type { CallHead } from './callers.ts';
import { createCallers } from './callers.ts';
import { createGrpcConnections } from './connections.ts';
import { statusName, toFault, toServiceError } from './errors.ts';
import { toPipeline } from './pipeline-message.ts';
import { toScanRequest } from './scan-requests.ts';
import { toScanResponse } from './scan-responses.ts';
import type { Ending, ScanStreamCall } from './scan-stream.ts';
import { serveScanStream } from './scan-stream.ts';
import { keepingBytes, loadScanProto, SCAN_SERVICE, scanServiceOf } from './service-definition.ts';
import type { Received, WireScanRequest } from './wire-types.ts';

/** The listener of gRPC. */
export interface GrpcListener {
  /** Listens; returns the address actually bound, such as `127.0.0.1:50052`. */
  start(): Promise<string>;
  /** Announces the end, and resolves when the calls in progress have ended. */
  stop(): Promise<void>;
}

type Parts = Pick<
  Surroundings,
  | 'keys'
  | 'signatures'
  | 'limiter'
  | 'clock'
  | 'ids'
  | 'certificates'
  | 'logger'
  | 'alerts'
  | 'metrics'
  | 'refusals'
  | 'bodyBudget'
> & {
  /** The scanner in force. */
  readonly scanner: () => GatewayScanner;
};

type UnaryCall<Message> = ServerUnaryCall<Received<Message>, object>;

/** One connection sticks to one process: it is ended now and then, so that clients spread. */
const CONNECTION_AGE_MS = 300_000;
const CONNECTION_GRACE_MS = 60_000;
/** Calls of one connection at a time; clients wait with further ones, or open another connection. */
const MAX_STREAMS = 256;
/** Time in which the status of calls that are ended reaches their clients. */
const FORCED_GRACE_MS = 200;

/** The names that health is asked of. */
const SERVICES = ['', SCAN_SERVICE, EXT_PROC_SERVICE];

/** Makes the listener with its services; each scan runs under the snapshot in force when it comes. */
export function createGrpcListener(
  { server: settings }: GatewayConfig,
  parts: Parts,
): GrpcListener {
  const callers = createCallers(parts);
  const guard = createCallGuard({
    callers,
    bodyBudget: parts.bodyBudget,
    maxMessageBytes: settings.max_payload_size,
    snapshot: () => parts.scanner().snapshot,
  });
  const server = new Server({
    interceptors: [guard],
    'grpc.max_concurrent_streams': MAX_STREAMS,
    'grpc.max_receive_message_length': settings.max_payload_size,
    'grpc.max_send_message_length': -1,
    'grpc.max_connection_age_ms': CONNECTION_AGE_MS,
    'grpc.max_connection_age_grace_ms': CONNECTION_GRACE_MS,
  });
  const credentials = parts.certificates
    ? toServerCredentials(parts.certificates)
    : ServerCredentials.createInsecure();
  const proto = loadScanProto();
  const begun = new AbortController();
  const forced = new AbortController();
  for (const { signal } of [begun, forced]) setMaxListeners(0, signal);
  const ending = { begun: begun.signal, forced: forced.signal };
  server.addService(scanServiceOf(proto), createHandlers(parts, callers, ending) as never);
  const extProc = { scanner: parts.scanner, callers };
  server.addService(keepingBytes(loadExtProcService()), createExtProcHandlers(extProc) as never);
  const health = new HealthImplementation(
    Object.fromEntries(SERVICES.map((name) => [name, 'NOT_SERVING'])),
  );
  health.addToServer(server);
  new ReflectionService(proto).addToServer(server);
  const setStatus = (status: 'SERVING' | 'NOT_SERVING') => {
    for (const name of SERVICES) health.setStatus(name, status);
  };
  const listener = createGrpcConnections(
    server.createConnectionInjector(credentials),
    parts.logger,
  );
  return {
    async start() {
      const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host;
      const port = await listener.start(settings);
      setStatus('SERVING');
      return `${host}:${port}`;
    },
    async stop() {
      setStatus('NOT_SERVING');
      const force = setTimeout(() => forced.abort(), settings.request_timeout_ms);
      const cut = setTimeout(
        () => server.forceShutdown(),
        settings.request_timeout_ms + FORCED_GRACE_MS,
      );
      listener.stop();
      const ended = new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
      begun.abort();
      await ended;
      clearTimeout(force);
      clearTimeout(cut);
    },
  };
}

function createHandlers(parts: Parts, callers: ReturnType<typeof createCallers>, ending: Ending) {
  const { clock, scanner } = parts;
  const identify = (call: CallHead, bytes: Uint8Array) =>
    callers.identify(call, bytes, scanner().snapshot);
  const scanWhole = async (
    current: GatewayScanner,
    context: CallContext,
    request: GatewayScanRequest,
    wire: WireScanRequest,
  ) => {
    const startedAtMs = clock.monotonicMs();
    const { summary } = await current.scan(context, request);
    const durationMs = clock.monotonicMs() - startedAtMs;
    const { snapshot } = current;
    return toScanResponse(context.requestId, summary, wire, { snapshot, durationMs });
  };
  const trace = (call: CallHead, method: string) => {
    const { reporting, snapshot } = scanner();
    return startRpc(reporting.tracing, call.metadata, `${SCAN_SERVICE}/${method}`, snapshot.hash);
  };
  const traceUnary = (call: CallHead) => trace(call, 'Scan');
  return {
    Scan: answering<WireScanRequest>(async (call, signal, span) => {
      const { message, bytes } = call.request;
      const current = scanner();
      const caller = await identify(call, bytes);
      await callers.limit(caller, current.snapshot);
      const context = callers.contextOf(caller, call, message.request_id, signal, span);
      return scanWhole(current, context, toScanRequest(message, caller), message);
    }, traceUnary),
    GetPipeline: answering<object>(async (call) => {
      await identify(call, call.request.bytes);
      return toPipeline(scanner().snapshot);
    }),
    ScanStream(call: ScanStreamCall) {
      serveScanStream(call, {
        scanner,
        identify: (bytes) => identify(call, bytes),
        limit: (caller) => callers.limit(caller, scanner().snapshot),
        trace: () => trace(call, 'ScanStream'),
        contextOf: (caller, requestId, signal, span) =>
          callers.contextOf(caller, call, requestId, signal, span),
        scanWhole,
        ending,
        fail: (error) => call.emit('error', toServiceError(error)),
      });
    },
  };
}

function answering<Message>(
  work: (call: UnaryCall<Message>, signal: AbortSignal, span?: TraceSpan) => Promise<object>,
  trace?: (call: CallHead) => TraceSpan | undefined,
) {
  return (call: UnaryCall<Message>, answer: sendUnaryData<object>) => {
    const stop = new AbortController();
    call.on('cancelled', () => stop.abort());
    const span = trace?.(call);
    work(call, stop.signal, span).then(
      (message) => {
        answer(null, message);
        endRpc(span, 'OK');
      },
      (error: unknown) => {
        answer(toServiceError(error));
        endRpc(span, statusName(toFault(error).code));
      },
    );
  };
}
