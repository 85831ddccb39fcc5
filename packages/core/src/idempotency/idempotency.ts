import type { Clock } from '../clock.ts';
import type { SecretBox } from '../crypto/secret-box.ts';
import type { ProbityError } from '../errors.ts';
import { toProbityError } from '../errors.ts';
import type { Database, DatabaseSession } from '../storage/database.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';
import { createUnitOfWork } from '../storage/unit-of-work.ts';
import type {
  IdempotentOutcome,
  IdempotentRequest,
  KeptReplies,
  KeptReply,
} from './kept-replies.ts';
import { createKeptReplies, isFinal, RepetitionError, stillRunning } from './kept-replies.ts';
import type { IdempotencyRecord } from './storage.ts';

/** How long a response is kept for repetitions of its request (contract, section 9). */
export const IDEMPOTENCY_WINDOW_MS = 24 * 3_600_000;

/** A request and the functions that answer it. */
interface IdempotentCall {
  readonly request: IdempotentRequest;
  /** Processes the request; its writes belong in the unit. */
  readonly work: (unit: UnitOfWork) => Promise<KeptReply>;
  /** Converts an error to a response. */
  readonly toReply: (error: ProbityError) => KeptReply;
}

/** Makes requests safe to repeat. */
export interface Idempotency {
  /**
   * Runs `work` once per key: its response is stored in the transaction of its effect and returned
   * to repetitions for 24 hours. Errors caused by the request itself (4xx, as converted by
   * `toReply`) are kept as well, without any effect; 429 and 5xx are passed on and not kept.
   *
   * @throws ProbityError `validation_failed` when the key was used with another input, `conflict`
   *   with Retry-After while the first request is running, `unavailable` with Retry-After when the
   *   database undid the request
   */
  run(call: IdempotentCall): Promise<IdempotentOutcome>;
}

/** Dependencies of the idempotency service. */
export interface IdempotencyDependencies {
  /** The database that the services' storages are bound to. */
  readonly database: Database;
  readonly clock: Clock;
  /** Needed where responses to callers without a secret of their own contain secrets. */
  readonly secretBox?: SecretBox | undefined;
}

/** Carries the record of an earlier response out of the transaction that found it. */
class AnsweredBefore extends Error {
  readonly record: IdempotencyRecord;
  constructor(record: IdempotencyRecord) {
    super('The request was answered before.');
    this.record = record;
  }
}

/** Creates the idempotency service on a database. */
export function createIdempotency({
  database,
  clock,
  secretBox,
}: IdempotencyDependencies): Idempotency {
  const kernel = database.kernel(database.reader);
  const notBefore = () => new Date(clock.now().getTime() - IDEMPOTENCY_WINDOW_MS);

  async function claim(session: DatabaseSession, scope: string): Promise<void> {
    const found = await database.kernel(session).claimIdempotencyKey(scope, notBefore());
    if (found.kind === 'answered') throw new AnsweredBefore(found.record);
    if (found.kind === 'busy') throw stillRunning();
  }

  /** Runs the work and stores its response together with its effect, or does neither. */
  async function attempt(
    kept: KeptReplies,
    work: (unit: UnitOfWork) => Promise<KeptReply>,
  ): Promise<IdempotentOutcome> {
    const unit = createUnitOfWork(database, clock, (session) => claim(session, kept.scope));
    try {
      const reply = await work(unit);
      await unit.commit(async (session) => {
        if (reply.status >= 500) return;
        const record = kept.toRecord(reply, clock.now());
        await database.kernel(session).storeIdempotencyRecord(record);
      });
      return { reply, isReplay: false };
    } catch (thrown) {
      const reason = await unit.rollback(thrown);
      if (reason instanceof AnsweredBefore) return kept.replay(reason.record);
      throw reason;
    }
  }

  return {
    async run({ request, work, toReply }) {
      const kept = createKeptReplies(request, secretBox);
      const earlier = await kernel.findIdempotencyRecord(kept.scope, notBefore());
      if (earlier) return kept.replay(earlier);
      return attempt(kept, work).catch((thrown: unknown) => {
        const error = toProbityError(thrown);
        if (thrown instanceof RepetitionError || !isFinal(error)) throw thrown;
        return attempt(kept, async () => toReply(error));
      });
    },
  };
}
