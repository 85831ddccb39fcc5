/**
 * Why a call to an external system did not succeed:
 * - `unreachable`: nothing was sent, as the name or the host did not answer, or must not be reached;
 * - `unanswered`: what was sent has no usable answer (none in time, a broken one, or a status from 500 on);
 * - `limited`: the system asks to come back later (429, or 503 with Retry-After);
 * - `refused`: the credentials, or their rights, do not suffice;
 * - `rejected`: the system does not accept what was sent;
 * - `interrupted`: this process is stopping, or the caller is gone.
 */
export type RemoteFailureKind =
  | 'unreachable'
  | 'unanswered'
  | 'limited'
  | 'refused'
  | 'rejected'
  | 'interrupted';

/** Members of a failure besides its kind and message. */
export interface RemoteFailureFacts {
  /** HTTP status of the answer. */
  readonly status?: number | undefined;
  /** Milliseconds that the system asks to wait; default 0. */
  readonly retryAfterMs?: number | undefined;
  /** Error code of an OAuth token endpoint (RFC 6749, section 5.2). */
  readonly oauthError?: string | undefined;
  /** Whether the request may have taken effect although no answer says so; default false. */
  readonly mayHaveTakenEffect?: boolean | undefined;
  readonly cause?: unknown;
}

/** A call to an external system that did not succeed; its message has no secrets. */
export class RemoteFailure extends Error {
  readonly kind: RemoteFailureKind;
  readonly status: number | undefined;
  readonly retryAfterMs: number;
  readonly oauthError: string | undefined;
  readonly mayHaveTakenEffect: boolean;

  constructor(kind: RemoteFailureKind, message: string, facts: RemoteFailureFacts = {}) {
    super(message, { cause: facts.cause });
    this.name = 'RemoteFailure';
    this.kind = kind;
    this.status = facts.status;
    this.retryAfterMs = facts.retryAfterMs ?? 0;
    this.oauthError = facts.oauthError;
    this.mayHaveTakenEffect = facts.mayHaveTakenEffect ?? false;
  }

  /** Whether a later call may succeed although nobody changes anything. */
  get isTransient(): boolean {
    return this.kind === 'unreachable' || this.kind === 'unanswered' || this.kind === 'limited';
  }
}

const MAX_TEXT = 300;
const CONTROL = /\p{Cc}+/gu;

/** A text of an external system on one line, shortened, without the secret, plain or as JSON, URLs and forms write it. */
export function toSafeText(text: string, secret: string): string {
  const known = formsOf(secret).reduce((left, form) => left.replaceAll(form, '***'), text);
  const line = known.replace(CONTROL, ' ').trim();
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line;
}

/** The writings of a secret, longest first: a shorter one may be part of a longer one. */
function formsOf(secret: string): string[] {
  if (secret === '') return [];
  const escaped = JSON.stringify(secret).slice(1, -1);
  const percent = encodeURIComponent(Buffer.from(secret).toString());
  const form = new URLSearchParams({ s: secret }).toString().slice('s='.length);
  const encoded = [percent, form].flatMap((each) => [
    each,
    each.replace(/%[\dA-F]{2}/g, (byte) => byte.toLowerCase()),
  ]);
  const all = new Set([secret, escaped, JSON.stringify(escaped).slice(1, -1), ...encoded]);
  return [...all].sort((a, b) => b.length - a.length);
}
