import type { ServerResponse } from 'node:http';
import { ProbityError } from '../errors.ts';

/** The requests that endpoints are answering. */
export interface Traffic {
  /**
   * Counts a request until its response is finished or its connection is closed.
   * @throws ProbityError `unavailable` after `drain`
   */
  enter(response: ServerResponse): void;
  /**
   * Refuses further requests; resolves when those that were counted have ended, at the latest after
   * `timeoutMs`: a client that reads or sends slowly must not hold up the end of a program.
   */
  drain(timeoutMs: number): Promise<void>;
}

/** Creates the count of requests. */
export function createTraffic(): Traffic {
  const open = new Set<ServerResponse>();
  let isClosed = false;
  let onIdle: () => void = () => undefined;
  return {
    enter(response) {
      if (isClosed) throw new ProbityError('unavailable', 'The service was stopped.');
      // Its client has gone: no event would end it.
      if (response.closed || response.destroyed) return;
      open.add(response);
      const leave = () => {
        open.delete(response);
        if (open.size === 0) onIdle();
      };
      response.once('finish', leave).once('close', leave);
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
