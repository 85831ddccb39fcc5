import { createHash, createHmac, hkdfSync } from 'node:crypto';
import type { SecretBox } from '../crypto/secret-box.ts';
import { createSecretBox } from '../crypto/secret-box.ts';
import { ProbityError } from '../errors.ts';
import type { IdempotencyRecord } from './storage.ts';

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
export interface IdempotentOutcome {
  readonly reply: KeptReply;
  /** Whether this is the response to an earlier request with the same key. */
  readonly isReplay: boolean;
}

/** Thrown when a repetition cannot be answered; never stored as the response to the request. */
export class RepetitionError extends ProbityError {}

/** The error for a repetition that comes before its first request is answered. */
export function stillRunning(): RepetitionError {
  return new RepetitionError(
    'conflict',
    'The first request with this key is still being processed.',
    { headers: { 'Retry-After': '1' } },
  );
}

/**
 * Whether a repetition would fail again; 429 asks to retry, 401 to sign in, 5xx is not the request's
 * fault.
 */
export function isFinal({ status, kind }: ProbityError): boolean {
  return status < 500 && kind !== 'rate_limited' && kind !== 'unauthorized';
}

/** The stored response of one request. */
export interface KeptReplies {
  readonly scope: string;
  toRecord(reply: KeptReply, createdAt: Date): IdempotencyRecord;
  replay(record: IdempotencyRecord): IdempotentOutcome;
}

/**
 * Seals and opens the responses of one request under a key derived from its caller's token. The
 * fingerprint is keyed as well, so that a body cannot be guessed from the database.
 */
export function createKeptReplies(
  request: IdempotentRequest,
  secretBox: SecretBox | undefined,
): KeptReplies {
  const { key, organizationId, keyId, callerSecret, route, input } = request;
  const scope = sha256(JSON.stringify([organizationId, keyId, route, key]));
  // Without either secret, no capability is present whose responses contain secrets.
  const known =
    callerSecret === null
      ? (secretBox?.deriveKeys('idempotency') ?? []).map(({ key }) => key)
      : [callerSecret];
  const [current = keyId, ...former] = known;
  const sealOf = (secret: string | Uint8Array): Seal => {
    const keys = new Uint8Array(hkdfSync('sha256', secret, scope, 'probity idempotency', 64));
    const fingerprint = createHmac('sha256', keys.subarray(32))
      .update(JSON.stringify(input ?? null))
      .digest('hex');
    return { fingerprint, box: createSecretBox([keys.subarray(0, 32)]) };
  };
  const own = sealOf(current);
  return {
    scope,
    toRecord: (reply, createdAt) => ({
      scope,
      fingerprint: own.fingerprint,
      sealedReply: own.box.seal(JSON.stringify(reply), scope),
      organizationId,
      createdAt,
    }),
    replay(record) {
      const { reply, fingerprint } = openReply(record, [own, ...former.map(sealOf)]);
      if (record.fingerprint === fingerprint) return { reply, isReplay: true };
      const message = 'was used with another request body';
      throw new RepetitionError('validation_failed', `Idempotency-Key: ${message}`, {
        details: [{ field: 'Idempotency-Key', message }],
      });
    },
  };
}

/** What seals the response to a request, and its fingerprint under the same secret. */
interface Seal {
  readonly fingerprint: string;
  readonly box: SecretBox;
}

/**
 * Opens a response, after a rotation with a former encryption key. A session whose token was renewed since has the same
 * id, but cannot open its response.
 */
function openReply({ scope, sealedReply }: IdempotencyRecord, seals: readonly Seal[]) {
  let cause: unknown;
  for (const { box, fingerprint } of seals) {
    try {
      return { reply: JSON.parse(box.open(sealedReply, scope)) as KeptReply, fingerprint };
    } catch (error) {
      cause = error;
    }
  }
  const message =
    'The first request with this key used another token; only that token can read its response.';
  throw new RepetitionError('conflict', message, { cause });
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
