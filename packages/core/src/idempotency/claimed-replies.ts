import type { Clock } from '../clock.ts';
import type { SecretBox } from '../crypto/secret-box.ts';
import { toProbityError } from '../errors.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';
import type { Idempotency } from './idempotency.ts';
import { createKeptReplies, isFinal, stillRunning } from './kept-replies.ts';
import type { IdempotencyClaim, IdempotencyRecord } from './storage.ts';

/** Claims of idempotency keys by processes that have no transaction around their work. */
export interface IdempotencyClaims {
  /** Claims a scope for this process until `finish`, unless it is answered or claimed. */
  begin(scope: string): Promise<IdempotencyClaim>;
  /**
   * Ends the claim, and stores the record unless the scope has one.
   *
   * @param record null where nothing is stored
   * @returns the stored record, which another process may have stored first
   */
  finish(scope: string, record: IdempotencyRecord | null): Promise<IdempotencyRecord | null>;
}

/** Dependencies of {@link createClaimedIdempotency}. */
export interface ClaimedIdempotencyOptions {
  readonly claims: IdempotencyClaims;
  readonly clock: Clock;
  /** Seals the responses to callers without a secret. */
  readonly secretBox: SecretBox;
}

const NO_UNIT: UnitOfWork = {
  open: () => Promise.reject(new Error('this process has no database')),
};

/** Creates the idempotency service of a process without a database, whose requests store nothing else. */
export function createClaimedIdempotency(options: ClaimedIdempotencyOptions): Idempotency {
  const { claims, clock, secretBox } = options;
  return {
    async run({ request, work, toReply }) {
      const kept = createKeptReplies(request, secretBox);
      const { scope } = kept;
      const claim = await claims.begin(scope);
      if (claim.kind === 'answered') return kept.replay(claim.record);
      if (claim.kind === 'busy') throw stillRunning();
      const release = () => claims.finish(scope, null).catch(() => null);
      const reply = await work(NO_UNIT).catch(async (thrown: unknown) => {
        const error = toProbityError(thrown);
        if (isFinal(error)) return toReply(error);
        await release();
        throw thrown;
      });
      if (reply.status >= 500) {
        await release();
        return { reply, isReplay: false };
      }
      const record = kept.toRecord(reply, clock.now());
      const stored = await claims.finish(scope, record);
      const isFirst = stored === null || stored.sealedReply === record.sealedReply;
      return isFirst ? { reply, isReplay: false } : kept.replay(stored);
    },
  };
}
