import type { ServerResponse } from 'node:http';
import type { CallContext, CallTrace, ConfirmCredential, Principal } from '../context.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';

/** Whether the caller has disconnected or the deadline has passed; of an HTTP request without making its signal. */
export function isCallerGone(context: Pick<CallContext, 'signal'>): boolean {
  if (context instanceof RequestContext) return context.isCallerGone;
  return context.signal?.aborted ?? false;
}

/**
 * CallContext of an HTTP request. `signal` is created lazily, as most handlers never use it. A
 * class, since a getter in an object literal makes V8 create a hidden class per request, which then
 * keeps the whole request alive until a full collection.
 */
export class RequestContext implements CallContext {
  readonly principal: Principal;
  readonly requestId: string;
  readonly address: string | null;
  readonly unit: UnitOfWork | undefined;
  readonly idempotencyKey: string | undefined;
  readonly confirm: ConfirmCredential | undefined;
  readonly trace: CallTrace | undefined;
  readonly #response: ServerResponse;
  #gone: AbortController | undefined;

  constructor(response: ServerResponse, call: Omit<CallContext, 'signal'>) {
    this.principal = call.principal;
    this.requestId = call.requestId;
    this.address = call.address;
    this.unit = call.unit;
    this.idempotencyKey = call.idempotencyKey;
    this.confirm = call.confirm;
    this.trace = call.trace;
    this.#response = response;
  }

  get signal(): AbortSignal {
    if (this.#gone) return this.#gone.signal;
    const gone = new AbortController();
    this.#gone = gone;
    if (this.isCallerGone) gone.abort();
    else {
      this.#response.once('close', () => {
        if (this.isCallerGone) gone.abort();
      });
    }
    return gone.signal;
  }

  /** What `signal.aborted` says, without making the signal. */
  get isCallerGone(): boolean {
    return this.#response.closed && !this.#response.writableFinished;
  }
}
