import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ProbityError } from '../errors.ts';
import { MAX_PIPELINED } from './connections.ts';

/** The requests that endpoints are answering. */
export interface Traffic {
  /**
   * Counts a request until its response is finished or its connection is closed.
   * @throws ProbityError `unavailable` after `drain`, and for a request beyond {@link
   *   MAX_PIPELINED} of one HTTP/1.1 connection, whose bytes a server of the host has parsed before
   *   the answers of earlier ones were taken
   */
  enter(response: ServerResponse): void;
  /**
   * Refuses further requests; resolves when those that were counted have ended, at the latest after
   * `timeoutMs`: a client that reads or sends slowly must not hold up the end of a program.
   */
  drain(timeoutMs: number): Promise<void>;
}

/** A request that the host has destroyed before its end has no socket. */
interface AnsweredRequest {
  readonly socket: Socket | null;
  readonly httpVersionMajor: number;
}

/** Creates the count of requests. */
export function createTraffic(): Traffic {
  const open = new Set<ServerResponse>();
  const bySocket = new WeakMap<object, Set<ServerResponse>>();
  let isClosed = false;
  let onIdle: () => void = () => undefined;
  const leave = (response: ServerResponse) => {
    if (open.delete(response) && open.size === 0) onIdle();
  };

  /** Node tells a response that waits for earlier ones nothing about the end of its connection. */
  const openOn = (socket: Socket | ServerResponse) => {
    const known = bySocket.get(socket);
    if (known) return known;
    const responses = new Set<ServerResponse>();
    bySocket.set(socket, responses);
    socket.once('close', () => {
      responses.forEach(leave);
      responses.clear();
    });
    return responses;
  };

  return {
    enter(response) {
      if (isClosed) throw new ProbityError('unavailable', 'The service was stopped.');
      // Its client has gone: no event would end it.
      if (response.closed || response.destroyed) return;
      const { socket, httpVersionMajor } = response.req as AnsweredRequest;
      const ofSocket = openOn(socket ?? response);
      if (httpVersionMajor < 2 && ofSocket.size >= MAX_PIPELINED) throw tooManyPipelined();
      open.add(response);
      ofSocket.add(response);
      const end = () => {
        ofSocket.delete(response);
        leave(response);
      };
      response.once('finish', end).once('close', end);
    },
    drain(timeoutMs) {
      isClosed = true;
      if (open.size === 0) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        onIdle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}

function tooManyPipelined(): ProbityError {
  return new ProbityError(
    'unavailable',
    `More than ${MAX_PIPELINED} requests of the connection wait for their answer.`,
    { headers: { 'Retry-After': '1', Connection: 'close' } },
  );
}
