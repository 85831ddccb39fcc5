import { getHeapStatistics } from 'node:v8';
import { ProbityError } from '../errors.ts';

/** The memory that request bodies occupy, from their first byte until their request is answered. */
export interface BodyBudget {
  /** Opens the share of one request from a client address; null when it has none. */
  open(address: string | null): BodyShare;
}

/** The memory of one request's body. */
export interface BodyShare {
  /**
   * Adds bytes to the share.
   * @throws ProbityError `unavailable`, to be sent again later, when the budget is used up
   */
  take(bytes: number): void;
  /** Gives everything back. */
  release(): void;
}

/** The part of the heap that bodies and what is parsed from them may occupy. */
const HEAP_PART = 4;

/** The part of a budget that the requests of one client address may occupy. */
const ADDRESS_PART = 2;

/** Creates a budget of `total` bytes, half of it for each client address. */
export function createBodyBudget(total: number): BodyBudget {
  const byAddress = new Map<string, number>();
  let used = 0;
  return {
    open(address) {
      const client = address ?? '';
      let share = 0;
      return {
        take(bytes) {
          const ofClient = (byAddress.get(client) ?? 0) + bytes;
          if (used + bytes > total || ofClient > total / ADDRESS_PART) throw usedUp();
          byAddress.set(client, ofClient);
          used += bytes;
          share += bytes;
        },
        release() {
          if (share === 0) return;
          const left = (byAddress.get(client) ?? 0) - share;
          if (left > 0) byAddress.set(client, left);
          else byAddress.delete(client);
          used -= share;
          share = 0;
        },
      };
    },
  };
}

/** The budget of this process, since its requests share one heap. */
export const PROCESS_BODY_BUDGET: BodyBudget = createBodyBudget(
  getHeapStatistics().heap_size_limit / HEAP_PART,
);

function usedUp(): ProbityError {
  return new ProbityError(
    'unavailable',
    'The bodies of requests in progress occupy all the memory that they may; send the request again.',
    { headers: { 'Retry-After': '1', Connection: 'close' } },
  );
}
