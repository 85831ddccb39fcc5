import { createHash, createHmac, hkdfSync } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { SecretBox } from '../crypto/secret-box.ts';
import { createSecretBox } from '../crypto/secret-box.ts';
import { ProbityError, toProbityError } from '../errors.ts';
import type { Database, DatabaseSession } from '../storage/database.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';
import { createUnitOfWork } from '../storage/unit-of-work.ts';
import type { IdempotencyRecord } from './storage.ts';

/** How long a response is kept for repetitions of its request (contract, section 9). */
export const IDEMPOTENCY_WINDOW_MS = 24 * 3_600_000;

/** A request with an Idempotency-Key. */
export interface IdempotentRequest {
  readonly key: string;
  readonly organizationId: string;
  /** The credential's id; keys are scoped to their organization and credential. */
  readonly keyId: string;
  /**
   * The caller's secret, from which the key that seals the response is derived; null when only the
   * host knows it, so that the key is derived from the secret box.
   */
  readonly callerSecret: string | null;
  /** Method and path. */
  readonly route: string;
  /** The rest of the request in JSON form: the query and the body. */
  readonly input: unknown;
}

/** A stored response. */
export interface KeptReply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Outcome of a request. */
interface IdempotentOutcome {
  readonly reply: KeptReply;
  /** Whether this is the response to an earlier request with the same key. */
  readonly isReplay: boolean;
}

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

/** Thrown when a repetition cannot be answered; never stored as the response to the request. */
class RepetitionError extends ProbityError {}

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
    if (found.kind === 'busy') {
      throw new RepetitionError(
        'conflict',
        'The first request with this key is still being processed.',
        {
          headers: { 'Retry-After': '1' },
        },
      );
    }
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

/**
 * Whether a repetition would fail again; 429 asks to retry, 401 to sign in, 5xx is not the request's
 * fault.
 */
function isFinal({ status, kind }: ProbityError): boolean {
  return status < 500 && kind !== 'rate_limited' && kind !== 'unauthorized';
}

interface KeptReplies {
  readonly scope: string;
  toRecord(reply: KeptReply, createdAt: Date): IdempotencyRecord;
  replay(record: IdempotencyRecord): IdempotentOutcome;
}

/**
 * Seals and opens the responses of one request under a key derived from its caller's token. The
 * fingerprint is keyed as well, so that a body cannot be guessed from the database.
 */
function createKeptReplies(
  request: IdempotentRequest,
  secretBox: SecretBox | undefined,
): KeptReplies {
  const { key, organizationId, keyId, callerSecret, route, input } = request;
  const scope = sha256(JSON.stringify([organizationId, keyId, route, key]));
  // Without either secret, no capability is present whose responses contain secrets.
  const secret = callerSecret ?? secretBox?.deriveKeys('idempotency')[0]?.key ?? keyId;
  const keys = new Uint8Array(hkdfSync('sha256', secret, scope, 'probity idempotency', 64));
  const fingerprint = createHmac('sha256', keys.subarray(32))
    .update(JSON.stringify(input ?? null))
    .digest('hex');
  const box = createSecretBox([keys.subarray(0, 32)]);
  return {
    scope,
    toRecord: (reply, createdAt) => ({
      scope,
      fingerprint,
      sealedReply: box.seal(JSON.stringify(reply), scope),
      organizationId,
      createdAt,
    }),
    replay(record) {
      const reply = openReply(() => box.open(record.sealedReply, scope));
      if (record.fingerprint === fingerprint) return { reply, isReplay: true };
      const message = 'was used with another request body';
      throw new RepetitionError('validation_failed', `Idempotency-Key: ${message}`, {
        details: [{ field: 'Idempotency-Key', message }],
      });
    },
  };
}

/** A session whose token was renewed since has the same id, but cannot open its response. */
function openReply(open: () => string): KeptReply {
  try {
    return JSON.parse(open()) as KeptReply;
  } catch (cause) {
    const message =
      'The first request with this key used another token; only that token can read its response.';
    throw new RepetitionError('conflict', message, { cause });
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
