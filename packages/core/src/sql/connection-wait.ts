/** How long a transaction or read waits for a connection by default, in milliseconds. */
export const CONNECTION_WAIT_MS = 5_000;

/** The wait of one transaction or read for a connection of a pool. */
export interface ConnectionWait {
  /**
   * Called with the connection: ends the limit.
   * @throws Error when the limit has passed, so that nothing runs whose caller has the error
   */
  obtained(): void;
  /** The outcome of `work`, or the error of the limit, whichever comes first. */
  limit<T>(work: Promise<T>): Promise<T>;
}

/**
 * Limits the wait for a connection. Pools have no limit by default, and one that was ended drops the
 * calls that wait.
 */
export function createConnectionWait(limitMs: number): ConnectionWait {
  let error: Error | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  return {
    obtained() {
      isOver = true;
      clearTimeout(timer);
      if (error) throw error;
    },
    limit<T>(work: Promise<T>) {
      return new Promise<T>((resolve, reject) => {
        const expire = () => {
          error = noConnection(limitMs);
          reject(error);
        };
        if (!isOver) timer = setTimeout(expire, limitMs);
        work.finally(() => clearTimeout(timer)).then(resolve, reject);
      });
    },
  };
}

/** The error after the limit; interfaces answer its code with 503. */
export function noConnection(limitMs: number, cause?: unknown): Error {
  const message =
    `No database connection became free within ${limitMs} ms. If the application calls Probity ` +
    'within its own transactions, pass them (sessionOf): otherwise each needs a second connection; ' +
    'else raise the size of the pool.';
  return Object.assign(new Error(message, cause ? { cause } : undefined), { code: 'ETIMEDOUT' });
}
