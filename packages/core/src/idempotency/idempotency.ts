import { createHash, hkdfSync } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { ProbityError, toProbityError, validationError } from '../errors.ts';
import { createSecretBox } from '../secrets.ts';
import type { Database } from '../storage.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { createUnitOfWork } from '../unit-of-work.ts';
import type { IdempotencyRecord } from './storage.ts';

/** How long an answer is kept for repetitions of its request (contract, section 9). */
export const IDEMPOTENCY_WINDOW_MS = 24 * 3_600_000;

/** A request with an Idempotency-Key. */
export interface IdempotentRequest {
  readonly key: string;
  /** The credential; each has its own keys. */
  readonly keyId: string;
  /** The credential's secret, from which the key is derived that seals the answer. */
  readonly token: string;
  /** Method and path. */
  readonly route: string;
  readonly body: unknown;
}

/** An answer as it is kept. */
export interface KeptReply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What came of a request. */
export interface IdempotentOutcome {
  readonly reply: KeptReply;
  /** Whether it is the answer to an earlier request with the same key. */
  readonly isReplay: boolean;
}

/** Makes requests safe to repeat. */
export interface Idempotency {
  /**
   * Runs `work` once per key: its answer is stored in the transaction of its effect, and given
   * again to repetitions for 24 hours. Errors that are the request's own fault (4xx, as `toReply`
   * gives them) are kept as well, without any effect; others are passed on and not kept.
   *
   * @throws ProbityError `validation_failed` when the key was used with another body, `conflict`
   *   with Retry-After while the first request is running
   */
  run(
    request: IdempotentRequest,
    work: (unit: UnitOfWork) => Promise<KeptReply>,
    toReply: (error: ProbityError) => KeptReply,
  ): Promise<IdempotentOutcome>;
}

/** What it needs. */
export interface IdempotencyDependencies {
  /** The database that the services' storages are bound to. */
  readonly database: Database;
  readonly clock: Clock;
}

/** Carries the record of an earlier answer out of a transaction that met it. */
class AnsweredBefore extends Error {
  readonly record: IdempotencyRecord;
  constructor(record: IdempotencyRecord) {
    super('The request was answered before.');
    this.record = record;
  }
}

/** Creates it on a database. */
export function createIdempotency({ database, clock }: IdempotencyDependencies): Idempotency {
  const kernel = database.kernel(database.reader);
  const notBefore = () => new Date(clock.now().getTime() - IDEMPOTENCY_WINDOW_MS);

  async function run(
    request: IdempotentRequest,
    work: (unit: UnitOfWork) => Promise<KeptReply>,
    toReply: (error: ProbityError) => KeptReply,
  ): Promise<IdempotentOutcome> {
    const kept = createKeptReplies(request);
    const earlier = await kernel.findIdempotencyRecord(kept.scope, notBefore());
    if (earlier) return kept.replay(earlier);
    const unit = createClaimingUnit(kept.scope);
    const store = (reply: KeptReply, of: typeof unit) =>
      of.commit(async (session) => {
        await database.kernel(session).storeIdempotencyRecord(kept.toRecord(reply, clock.now()));
      });
    try {
      const reply = await work(unit);
      await store(reply, unit);
      return { reply, isReplay: false };
    } catch (thrown) {
      await unit.rollback();
      if (thrown instanceof AnsweredBefore) return kept.replay(thrown.record);
      const error = toProbityError(thrown);
      if (error.status >= 500 || thrown instanceof BusyError) throw thrown;
      const reply = toReply(error);
      return storeRefusal(reply, store, kept);
    }
  }

  async function storeRefusal(
    reply: KeptReply,
    store: (reply: KeptReply, of: ReturnType<typeof createClaimingUnit>) => Promise<void>,
    kept: KeptReplies,
  ): Promise<IdempotentOutcome> {
    const unit = createClaimingUnit(kept.scope);
    try {
      await store(reply, unit);
      return { reply, isReplay: false };
    } catch (thrown) {
      await unit.rollback();
      if (thrown instanceof AnsweredBefore) return kept.replay(thrown.record);
      throw thrown;
    }
  }

  function createClaimingUnit(scope: string) {
    return createUnitOfWork(database, async (session) => {
      const claim = await database.kernel(session).claimIdempotencyKey(scope, notBefore());
      if (claim.kind === 'answered') throw new AnsweredBefore(claim.record);
      if (claim.kind === 'busy') throw new BusyError();
    });
  }

  return { run };
}

/** The first request with the key has not been answered yet. */
class BusyError extends ProbityError {
  constructor() {
    super('conflict', 'A request with this Idempotency-Key is being processed.', {
      headers: { 'Retry-After': '1' },
    });
  }
}

interface KeptReplies {
  readonly scope: string;
  toRecord(reply: KeptReply, createdAt: Date): IdempotencyRecord;
  replay(record: IdempotencyRecord): IdempotentOutcome;
}

/** Seals and opens the answers of one request under a key that only its caller's token gives. */
function createKeptReplies({ key, keyId, token, route, body }: IdempotentRequest): KeptReplies {
  const scope = sha256(JSON.stringify([keyId, route, key]));
  const fingerprint = sha256(JSON.stringify(body ?? null));
  const sealingKey = new Uint8Array(hkdfSync('sha256', token, scope, 'probity idempotency', 32));
  const box = createSecretBox([sealingKey]);
  return {
    scope,
    toRecord: (reply, createdAt) => ({
      scope,
      fingerprint,
      sealedReply: box.seal(JSON.stringify(reply), scope),
      createdAt,
    }),
    replay(record) {
      if (record.fingerprint !== fingerprint) {
        throw validationError({
          field: 'Idempotency-Key',
          message: 'was used with another request body',
        });
      }
      return {
        reply: JSON.parse(box.open(record.sealedReply, scope)) as KeptReply,
        isReplay: true,
      };
    },
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
