import type { ServerHttp2Stream } from 'node:http2';
import { constants } from 'node:http2';
import type { ServerInterceptor } from '@grpc/grpc-js';
import { ResponderBuilder, ServerInterceptingCall, ServerListenerBuilder } from '@grpc/grpc-js';
import type { BodyBudget } from '@probity/core/internal';
import { EXT_PROC_SERVICE } from '../ext-proc/service.ts';
import { GATEWAY_ORGANIZATION } from '../limits/client-key.ts';
import type { GatewaySnapshot } from '../snapshot/snapshot.ts';
import type { CallMemory } from './call-memory.ts';
import { createCallMemory } from './call-memory.ts';
import type { CallHead, createCallers } from './callers.ts';
import { addressOf } from './callers.ts';
import { toServiceError } from './errors.ts';
import { SCAN_SERVICE } from './service-definition.ts';
import type { Arrived, Received } from './wire-types.ts';

/** Largest message to a service that needs no key, such as health and reflection. */
const PUBLIC_MESSAGE_BYTES = 16_384;

/** What calls are guarded with. */
export interface CallGuardParts {
  readonly callers: ReturnType<typeof createCallers>;
  readonly bodyBudget: BodyBudget;
  /** Largest message in bytes. */
  readonly maxMessageBytes: number;
  /** The current snapshot. */
  readonly snapshot: () => GatewaySnapshot;
}

/**
 * Creates an interceptor that refuses unknown callers from the metadata, before a message is read, and counts what
 * messages occupy from their first byte on. Messages reach the handlers as {@link Received}.
 */
export function createCallGuard(parts: CallGuardParts): ServerInterceptor {
  return (method, call) => {
    let memory: CallMemory | undefined;
    const fail = (error: unknown) => {
      memory?.release();
      call.sendStatus(toServiceError(error));
      // The client may go on sending: closing the stream frees the parts of its message.
      const stream = streamOf(call);
      setImmediate(() => stream?.close(constants.NGHTTP2_NO_ERROR));
    };
    const listener = new ServerListenerBuilder()
      .withOnReceiveMetadata((metadata, next) => {
        try {
          const head = { metadata, getPeer: () => call.getPeer() };
          memory = openMemory(method.path, head, fail, parts);
          watch(streamOf(call), memory, fail);
        } catch (error) {
          fail(error);
          return;
        }
        next(metadata);
      })
      .withOnReceiveMessage((message: object, next) => {
        const { bytes } = message as Partial<Arrived<object>>;
        const size = memory?.deliver(bytes?.length ?? PUBLIC_MESSAGE_BYTES) ?? 0;
        // The other services keep nothing of their messages.
        if (bytes === undefined) memory?.give(size);
        next(bytes === undefined ? message : { ...message, size, memory });
      })
      .build();
    const responder = new ResponderBuilder().withStart((next) => next(listener)).build();
    return new ServerInterceptingCall(call, responder);
  };
}

/** @throws ProbityError `unauthorized` */
function openMemory(
  path: string,
  head: CallHead,
  fail: (error: unknown) => void,
  { callers, bodyBudget, maxMessageBytes, snapshot }: CallGuardParts,
): CallMemory {
  const [, service] = path.split('/');
  const isPublic = service !== SCAN_SERVICE && service !== EXT_PROC_SERVICE;
  const isKnown =
    !isPublic &&
    (service === EXT_PROC_SERVICE
      ? callers.identifyByKey(head) !== null
      : callers.admit(head, snapshot()));
  const organizationId = isKnown ? GATEWAY_ORGANIZATION : null;
  const share = bodyBudget.open({ address: addressOf(head.getPeer()), organizationId });
  const limit = isPublic ? PUBLIC_MESSAGE_BYTES : maxMessageBytes;
  return createCallMemory(share, limit, fail);
}

function watch(
  stream: ServerHttp2Stream | undefined,
  memory: CallMemory,
  fail: (error: unknown) => void,
): void {
  if (stream === undefined) throw new Error('grpc-js has no stream for a call');
  let isFailed = false;
  // Before the listener of grpc-js, which keeps the chunk.
  stream.prependListener('data', (chunk: Buffer) => {
    if (isFailed) return;
    try {
      memory.arrive(chunk);
    } catch (error) {
      isFailed = true;
      fail(error);
    }
  });
  stream.once('close', () => memory.release());
}

/** The stream of a call, a private member: grpc-js counts whole messages alone, and tells nobody of their parts. */
function streamOf(call: object): ServerHttp2Stream | undefined {
  return (call as { readonly stream?: ServerHttp2Stream }).stream;
}
