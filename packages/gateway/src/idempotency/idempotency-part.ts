import type { Clock, Idempotency, Logger } from '@probity/core';
import { createSecretBox, ProbityError } from '@probity/core';
import type { IdempotencyClaim, IdempotencyRecord } from '@probity/core/internal';
import { createClaimedIdempotency } from '@probity/core/internal';
import type { Primary, PrimaryPart, WorkerId } from '../cluster/part.ts';
import type { GatewayKey } from '../compliance/gateway-key.ts';
import type { ReplyStore } from './reply-store.ts';

/** Dependencies of the part that remembers answers. */
export interface IdempotencyPartOptions {
  readonly store: ReplyStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** `begin` and, with a record or null, `finish` of {@link IdempotencyClaims}. */
interface Request {
  readonly scope: string;
  readonly record?: IdempotencyRecord | null;
}

const PART = 'idempotency';
const FORGET_EVERY_MS = 60_000;

/**
 * The part of the primary that answers a scan with an Idempotency-Key once, whichever process it comes to. Claims live in
 * memory and end with their process; the database has the answers, over restarts and for every gateway that shares it.
 */
export function createIdempotencyPart(options: IdempotencyPartOptions): PrimaryPart {
  const { store, clock, logger } = options;
  const claims = new Map<string, WorkerId>();
  const ended = new Set<WorkerId>();
  let forgottenAtMs = Number.NEGATIVE_INFINITY;
  let isDown = false;

  /** The last message of a process that has ended may come when another one has its claim. */
  function release(scope: string, worker: WorkerId) {
    if (claims.get(scope) === worker) claims.delete(scope);
  }

  async function begin(scope: string, worker: WorkerId): Promise<IdempotencyClaim> {
    const record = await store.find(scope, clock.now());
    if (record !== null) return { kind: 'answered', record };
    // A process that ended meanwhile would never give its claim back.
    if (claims.has(scope) || ended.has(worker)) return { kind: 'busy' };
    claims.set(scope, worker);
    return { kind: 'claimed' };
  }

  async function finish(scope: string, record: IdempotencyRecord | null, worker: WorkerId) {
    try {
      if (record === null) return null;
      const now = clock.now();
      if (now.getTime() - forgottenAtMs >= FORGET_EVERY_MS) {
        await store.forgetBefore(now);
        forgottenAtMs = now.getTime();
      }
      return await store.store(record);
    } finally {
      release(scope, worker);
    }
  }

  return {
    name: PART,
    async answer(request, worker) {
      const { scope, record } = request as Request;
      try {
        const answer = await (record === undefined
          ? begin(scope, worker)
          : finish(scope, record, worker));
        isDown = false;
        return answer;
      } catch (cause) {
        // Once, until it answers again: each refused request would be a line.
        if (!isDown)
          logger.error('answers cannot be stored for an Idempotency-Key', { error: cause });
        isDown = true;
        const message = 'The database of the Idempotency-Keys does not answer.';
        throw new ProbityError('unavailable', message, { cause });
      }
    },
    leave(worker) {
      ended.add(worker);
      for (const scope of claims.keys()) release(scope, worker);
    },
  };
}

/** The idempotency service of a serving process. */
export function createGatewayIdempotency(
  clock: Clock,
  primary: Primary,
  key: GatewayKey,
): Idempotency {
  const create = () =>
    createClaimedIdempotency({
      claims: {
        begin: (scope) => primary.call(PART, { scope }),
        finish: (scope, record) => primary.call(PART, { scope, record }),
      },
      clock,
      secretBox: createSecretBox(() => key.deriveAll(PART)),
    });
  let made: Idempotency | undefined;
  return {
    // A gateway without such a request needs no key file.
    run(call) {
      made ??= create();
      return made.run(call);
    },
  };
}
