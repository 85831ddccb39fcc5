import type { IncomingHttpHeaders } from 'node:http';
import { PATIENCE_MS } from './until.ts';

/** A request as received. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The body's bytes. */
  readonly rawBody: Buffer;
  /** When its last byte was read. */
  readonly at: Date;
}

/** Says whether a request is the awaited one; `all` holds all requests so far. */
export type RequestPredicate = (
  request: ReceivedRequest,
  all: readonly ReceivedRequest[],
) => boolean;

/** The requests of one receiver, in the order of their arrival. */
export interface RequestLog {
  readonly requests: readonly ReceivedRequest[];
  add(request: ReceivedRequest): void;
  waitFor(predicate: RequestPredicate, timeoutMs?: number): Promise<ReceivedRequest>;
}

/** Creates an empty log. */
export function createRequestLog(): RequestLog {
  const requests: ReceivedRequest[] = [];
  const checks = new Set<() => boolean>();
  return {
    requests,
    add(request) {
      requests.push(request);
      for (const check of checks) check();
    },
    waitFor: (predicate, timeoutMs = PATIENCE_MS) =>
      new Promise((resolve, reject) => {
        const stop = (): void => {
          clearTimeout(timer);
          checks.delete(check);
        };
        const check = (): boolean => {
          const found = requests.find((request) => predicate(request, requests));
          if (found === undefined) return false;
          stop();
          resolve(found);
          return true;
        };
        const timer = setTimeout(() => {
          stop();
          reject(new Error(`No such request within ${timeoutMs} ms. ${describe(requests)}`));
        }, timeoutMs);
        if (!check()) checks.add(check);
      }),
  };
}

function describe(requests: readonly ReceivedRequest[]): string {
  const lines = requests.map(
    ({ method, url, rawBody }) => `${method} ${url} (${rawBody.length} bytes)`,
  );
  return lines.length === 0 ? 'None came.' : `Came: ${lines.join(', ')}`;
}
