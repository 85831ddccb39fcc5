import { setMaxListeners } from 'node:events';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import type { CallContext } from '@probity/core';
import { ProbityError, validationError } from '@probity/core';
import { LRUCache } from 'lru-cache';
import type { GatewayScanner } from '../scanner/scanner.ts';
import { endRpc } from '../tracing/rpc-spans.ts';
import type { TraceSpan } from '../tracing/tracing.ts';
import type { GrpcCaller } from './callers.ts';
import { statusName, toFault } from './errors.ts';
import { toScanRequest } from './scan-requests.ts';
import type { StreamSession } from './stream-session.ts';
import { openStreamSession } from './stream-session.ts';
import type {
  Received,
  WireScanRequest,
  WireStreamRequest,
  WireStreamResponse,
} from './wire-types.ts';

/** A call of ScanStream. */
export type ScanStreamCall = ServerDuplexStream<Received<WireStreamRequest>, WireStreamResponse>;

/** What a call needs. */
export interface ScanStreamParts {
  /** The scanner in force. */
  readonly scanner: () => GatewayScanner;
  /** Identifies the caller by the first message. */
  readonly identify: (bytes: Uint8Array) => Promise<GrpcCaller>;
  readonly limit: (caller: GrpcCaller) => Promise<void>;
  /** Begins the span of one scan; undefined where traces are off. */
  readonly trace: () => TraceSpan | undefined;
  readonly contextOf: (
    caller: GrpcCaller,
    requestId: string,
    signal: AbortSignal,
    span: TraceSpan | undefined,
  ) => CallContext;
  readonly scanWhole: (
    scanner: GatewayScanner,
    context: CallContext,
    request: ReturnType<typeof toScanRequest>,
    wire: WireScanRequest,
  ) => Promise<object>;
  /** Ends the call with an error. */
  readonly fail: (error: unknown) => void;
  readonly ending: Ending;
}

/** The end of the server; its listeners are as many as there are calls. */
export interface Ending {
  /** From when calls end as soon as nothing is in progress on them. */
  readonly begun: AbortSignal;
  /** From when calls end whatever is in progress. */
  readonly forced: AbortSignal;
}

/** Whole scans of one call that are in progress before no more are read. */
const MAX_IN_PROGRESS = 128;
/** Answers that the client has not taken before no more is read: one that only sends would fill the memory. */
const MAX_UNREAD = 1_000;
const MAX_SESSIONS = 1_000;

/**
 * Serves a stream: whole scans run side by side, each text that comes in parts has its order. What goes wrong with one
 * `request_id` is told of it alone.
 */
export function serveScanStream(call: ScanStreamCall, parts: ScanStreamParts): void {
  const stop = new AbortController();
  // Each scan in progress listens, and their number is bounded here.
  setMaxListeners(0, stop.signal);
  /** From the message that opens a text: the limit is looked at first, and what follows for the text waits. */
  const sessions = new Map<string, Promise<StreamSession>>();
  /** Texts that are over: what was under way to them is no mistake. */
  const ended = new LRUCache<string, true>({ max: MAX_SESSIONS });
  /** Bytes that each open text occupies until it is over. */
  const kept = new Map<string, number>();
  const send = (answer: WireStreamResponse) => {
    if (!stop.signal.aborted) call.write(answer);
  };
  const refuse = (requestId: string, thrown: unknown) => {
    const { code, details } = toFault(thrown);
    send({ request_id: requestId, error: { code: statusName(code), message: details } });
  };
  const fail = (error: unknown) => {
    if (stop.signal.aborted) return;
    stop.abort();
    parts.fail(error);
  };
  const { begun, forced } = parts.ending;
  const end = () => fail(new ProbityError('unavailable', 'The gateway ends.'));
  const endIfIdle = () => {
    if (begun.aborted && working.size === 0 && sessions.size === 0) end();
  };
  begun.addEventListener('abort', endIfIdle);
  forced.addEventListener('abort', end);
  stop.signal.addEventListener('abort', () => {
    begun.removeEventListener('abort', endIfIdle);
    forced.removeEventListener('abort', end);
  });
  let caller: Promise<GrpcCaller> | undefined;
  const working = new Set<Promise<void>>();
  const holdOrRead = () => {
    const isFull = working.size >= MAX_IN_PROGRESS || call.writableLength >= MAX_UNREAD;
    if (isFull) call.pause();
    else if (call.isPaused()) call.resume();
  };
  call.on('drain', holdOrRead);
  const track = (requestId: string, work: Promise<void>) => {
    const tracked = work
      .catch((error: unknown) => refuse(requestId, error))
      .finally(() => {
        working.delete(tracked);
        endIfIdle();
        holdOrRead();
      });
    working.add(tracked);
    holdOrRead();
  };
  const scan = async (wire: WireScanRequest, known: GrpcCaller) => {
    await parts.limit(known);
    const span = parts.trace();
    try {
      const context = parts.contextOf(known, wire.request_id, stop.signal, span);
      const request = toScanRequest(wire, known);
      const final = await parts.scanWhole(parts.scanner(), context, request, wire);
      send({ request_id: context.requestId, final });
      endRpc(span, 'OK');
    } catch (error) {
      endFailed(span, error);
      throw error;
    }
  };
  let give = (_bytes: number) => {};
  const openTraced = (wire: NonNullable<WireStreamRequest['open']>, known: GrpcCaller) => {
    const span = parts.trace();
    // A text that nobody ends is over with the call.
    if (span) stop.signal.addEventListener('abort', () => endRpc(span, 'CANCELLED'));
    const context = parts.contextOf(known, wire.request_id, stop.signal, span);
    const over = (error?: unknown) => {
      sessions.delete(wire.request_id);
      give(kept.get(wire.request_id) ?? 0);
      kept.delete(wire.request_id);
      ended.set(wire.request_id, true);
      if (error === undefined) endRpc(span, 'OK');
      else endFailed(span, error);
    };
    try {
      return openStreamSession(parts.scanner(), context, wire, known, { send, over });
    } catch (error) {
      endFailed(span, error);
      throw error;
    }
  };
  const open = async (wire: NonNullable<WireStreamRequest['open']>, known: GrpcCaller) => {
    const { request_id: requestId } = wire;
    if (sessions.has(requestId)) {
      throw validationError({ field: 'request_id', message: 'is open already' });
    }
    if (sessions.size >= MAX_SESSIONS) {
      throw new ProbityError('rate_limited', `More than ${MAX_SESSIONS} texts are open.`);
    }
    ended.delete(requestId);
    const opened = parts.limit(known).then(() => openTraced(wire, known));
    sessions.set(requestId, opened);
    try {
      await opened;
    } catch (error) {
      sessions.delete(requestId);
      ended.set(requestId, true);
      throw error;
    }
  };
  /** All messages of a text wait for the same promise, so that they keep their order; null for a text that is over. */
  const sessionOf = async (requestId: string): Promise<StreamSession | null> => {
    const session = sessions.get(requestId);
    if (session) return session.catch(() => null);
    if (ended.has(requestId)) return null;
    throw validationError({ field: 'request_id', message: 'is not open' });
  };
  const take = async (message: WireStreamRequest): Promise<void> => {
    const { open: opened, chunk, close, scan: whole } = message;
    const known = (await caller) as GrpcCaller;
    if (whole) return scan(whole, known);
    if (opened) return open(opened, known);
    if (chunk) return (await sessionOf(chunk.request_id))?.take(chunk.sequence, chunk.text);
    if (close) return (await sessionOf(close.request_id))?.end();
    throw validationError({ field: 'message', message: 'is not set' });
  };
  const settle = ({ message, size, memory }: Received<WireStreamRequest>) => {
    const requestId = requestIdOf(message);
    const isKept = (message.open ?? message.chunk) !== undefined && sessions.has(requestId);
    if (isKept) kept.set(requestId, (kept.get(requestId) ?? 0) + size);
    else memory.give(size);
  };
  call.on('data', (received: Received<WireStreamRequest>) => {
    const { message, bytes, memory } = received;
    give = memory.give;
    if (caller === undefined) {
      caller = parts.identify(bytes);
      caller.catch(fail);
    }
    if (!stop.signal.aborted) {
      const work = take(message).finally(() => settle(received));
      track(requestIdOf(message), work);
    }
  });
  call.on('cancelled', () => stop.abort());
  call.on('end', () => {
    void Promise.allSettled([...working]).then(() => {
      for (const requestId of sessions.keys()) {
        refuse(requestId, validationError({ field: 'close', message: 'has not been sent' }));
      }
      if (!stop.signal.aborted) call.end();
      stop.abort();
    });
  });
}

function endFailed(span: TraceSpan | undefined, error: unknown): void {
  endRpc(span, statusName(toFault(error).code));
}

function requestIdOf({ open, chunk, close, scan }: WireStreamRequest): string {
  return (open ?? chunk ?? close ?? scan)?.request_id ?? '';
}
