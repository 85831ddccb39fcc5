import { getHeapStatistics } from 'node:v8';
import { ProbityError } from '../errors.ts';
import { addressSubject } from './address-subject.ts';

/** Whose request a body belongs to. */
interface BodyOwner {
  /** The client's address; null when there is none, as under `probity.fetch`. */
  readonly address: string | null;
  /** The caller's organization; null for requests without a credential. */
  readonly organizationId: string | null;
}

/** The memory that request bodies occupy, from their first byte until their request is answered. */
export interface BodyBudget {
  /** Opens the share of one request. */
  open(owner: BodyOwner): BodyShare;
}

/** The memory of one request's body. */
export interface BodyShare {
  /**
   * Adds bytes to the share. When there is no room, a body that is still arriving is ended in favor
   * of this one, if its owner holds more than this one's would.
   * @throws ProbityError `unavailable`, to be sent again later, when no room can be made
   */
  take(bytes: number): void;
  /** Releases some of the taken bytes. */
  give(bytes: number): void;
  /**
   * Declares that the body is arriving, so that it may be ended in favor of others: `end` is called
   * with the error to answer, after the bytes have been given back. Null: it has arrived.
   */
  endableBy(end: ((error: ProbityError) => void) | null): void;
  /** Gives everything back. */
  release(): void;
}

/** The part of the heap that bodies and what is parsed from them may occupy. */
const HEAP_PART = 4;

/** The part of a budget that the requests of one client network may occupy. */
const ADDRESS_PART = 2;

/** The part of a budget that the requests of one organization may occupy. */
const ORGANIZATION_PART = 4;

/** A limit that shares are counted against. */
interface Pool {
  readonly name: string;
  readonly limit: number;
  /** In the order of their last bytes. */
  readonly shares: Set<Share>;
  used: number;
}

interface Share {
  /** The pool of its organization, or of the requests of its network without one. */
  readonly owner: Pool;
  readonly pools: readonly Pool[];
  bytes: number;
  end: ((error: ProbityError) => void) | null;
}

/**
 * Creates a budget of `total` bytes: a quarter of it for each organization with more than one
 * body, half for each client network ({@link addressSubject}). A request without an address counts for its organization only.
 */
export function createBodyBudget(total: number): BodyBudget {
  const pools = new Map<string, Pool>();
  const all: Pool = { name: '', limit: total, shares: new Set(), used: 0 };

  const poolOf = (name: string, part: number): Pool => {
    const pool = pools.get(name) ?? { name, limit: total / part, shares: new Set(), used: 0 };
    pools.set(name, pool);
    return pool;
  };

  const shareOf = ({ address, organizationId }: BodyOwner): Share => {
    const network = addressSubject(address);
    const owner =
      organizationId === null
        ? poolOf(`public:${network}`, ADDRESS_PART)
        : poolOf(`organization:${organizationId}`, ORGANIZATION_PART);
    const ofAddress = address === null ? [] : [poolOf(network, ADDRESS_PART)];
    return { owner, pools: [owner, ...ofAddress, all], bytes: 0, end: null };
  };

  return {
    open(bodyOwner) {
      let share: Share | undefined;
      let end: Share['end'] = null;
      const release = () => {
        for (const pool of share?.pools ?? []) {
          if (share) pool.shares.delete(share);
          pool.used -= share?.bytes ?? 0;
          if (pool.shares.size === 0) pools.delete(pool.name);
        }
        share = undefined;
      };
      return {
        take(bytes) {
          // At the first bytes, since most bodies have arrived whole and take none.
          share ??= shareOf(bodyOwner);
          share.end = end;
          add(share, 0);
          makeRoom(share, bytes);
          add(share, bytes);
        },
        give(bytes) {
          if (share) add(share, -Math.min(bytes, share.bytes));
        },
        endableBy(given) {
          end =
            given &&
            ((error) => {
              release();
              given(error);
            });
          if (share) share.end = end;
        },
        release,
      };
    },
  };
}

/** Adds to a share, which becomes the latest of each of its pools. */
function add(share: Share, bytes: number): void {
  share.bytes += bytes;
  for (const pool of share.pools) {
    pool.used += bytes;
    pool.shares.delete(share);
    pool.shares.add(share);
  }
}

/**
 * Ends bodies until `bytes` fit into every pool of the share.
 * @throws ProbityError when no other may be ended
 */
function makeRoom(share: Share, bytes: number): void {
  const isAlone = share.owner.used === share.bytes;
  for (const pool of share.pools) {
    // With a small heap, a quarter would be less than the largest body.
    if (pool === share.owner && isAlone) continue;
    while (pool.used + bytes > pool.limit) {
      const ended = endableOf(pool, share.owner.used + bytes);
      if (!ended?.end) throw usedUp();
      ended.end(usedUp());
    }
  }
}

/**
 * Of the owner that holds most in a pool, and more than `least` bytes, the arriving body that has
 * waited longest for a byte.
 */
function endableOf({ shares }: Pool, least: number): Share | undefined {
  let found: Share | undefined;
  let most = least;
  for (const share of shares) {
    const { used } = share.owner;
    if (!share.end || used <= most) continue;
    found = share;
    most = used;
  }
  return found;
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
