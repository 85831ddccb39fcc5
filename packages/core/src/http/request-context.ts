import type { ServerResponse } from 'node:http';
import type { CallContext, CallTrace, ConfirmCredential, Principal } from '../context.ts';
import type { UnitOfWork } from '../storage/unit-of-work.ts';

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
    const response = this.#response;
    response.once('close', () => {
      if (!response.writableFinished) gone.abort();
    });
    return gone.signal;
  }
}
