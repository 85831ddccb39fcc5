import type { CallContext } from '@probity/core';
import { ProbityError, toProbityError } from '@probity/core';
import type { Pipeline } from '@probity/pipeline';
import { BlockedError } from '@probity/pipeline';
import type { ProxyCall } from '../proxy/guarded-call.ts';
import { openProxyCall } from '../proxy/guarded-call.ts';
import type { ProxyProtocol } from '../proxy/protocols.ts';
import { PROTOCOLS } from '../proxy/protocols.ts';
import type { ProxyFault } from '../proxy/proxy-error.ts';
import { blockedFault, faultOf } from '../proxy/proxy-error.ts';
import type { CallTreatment } from '../proxy/restoration.ts';
import type { ScannerOptions } from '../scanner/report.ts';
import type { GatewaySnapshot } from '../snapshot/snapshot.ts';
import type { RequestContents } from './contents.ts';
import { immediateReply } from './replies.ts';
import type { BodyMode, Side, WireRequest, WireResponse } from './wire.ts';

/** What an exchange of one HTTP request runs with. */
export interface ExchangeOptions {
  readonly snapshot: GatewaySnapshot;
  readonly reporting: ScannerOptions;
  readonly scan: Pipeline['scan'];
  readonly keyUsers: readonly string[];
  /** @param requestId as the request has it */
  contextOf(requestId: string | undefined, address: string | null): CallContext;
  restorationOf(asked: readonly object[]): CallTreatment;
  /** @throws ProbityError `rate_limited` */
  limit(): Promise<void>;
}

/** An answer belongs to a turn. */
const NOTHING_ASKED = [{ role: 'user', content: '' }];

/** What both halves of an exchange know. */
export class ExchangeState {
  readonly options: ExchangeOptions;
  protocol: ProxyProtocol | undefined;
  context: CallContext;
  modes: Partial<Record<Side, BodyMode>> = {};
  /** Envoy only looks on: no answer is waited for. */
  isObserving = false;
  #call: ProxyCall | undefined;
  #isReported = false;

  constructor(options: ExchangeOptions) {
    this.options = options;
    this.context = options.contextOf(undefined, null);
  }

  /** Opens the call, by what the request asks; without a body it asks nothing. */
  open(contents?: RequestContents): ProxyCall {
    const { snapshot, reporting, scan, keyUsers } = this.options;
    const { asked = NOTHING_ASKED, settings = {}, userId } = contents ?? {};
    const { address } = this.context;
    const bypass = snapshot.allowlists.bypassOf({ address, keyUsers, userId });
    const restoration = this.options.restorationOf(asked);
    const { context } = this;
    const shared = { snapshot, reporting, context, scan, restoration, bypass, userId };
    this.#call = openProxyCall({ ...shared, asked, settings });
    return this.#call;
  }

  /** The call that the answer belongs to. */
  get call(): ProxyCall {
    return this.#call ?? this.open();
  }

  /** Reports the answer, once. */
  reportAnswer(error?: unknown): void {
    if (this.#isReported) return;
    this.#isReported = true;
    this.call.reportAnswer(error);
  }

  /** Largest body in bytes. */
  get maxBytes(): number {
    return this.options.snapshot.config.server.max_payload_size;
  }

  /** What went wrong, as the interface has it. */
  faultOf(thrown: unknown): ProxyFault {
    if (thrown instanceof BlockedError) {
      return blockedFault(thrown.violation, this.#isReported ? 'answer' : 'request');
    }
    if (thrown instanceof TypeError && thrown.message.startsWith('messages')) {
      const { message } = thrown;
      const [param = null] = message.split(':');
      return { status: 400, message, type: 'invalid_request_error', code: null, param };
    }
    const error = toProbityError(thrown);
    const { rate_limit_exceeded_status: limited } = this.options.snapshot.config.rate_limiting;
    return faultOf(error, error.kind === 'rate_limited' ? limited : error.status);
  }

  /** The answer that Envoy gives in place of the upstream's. */
  refusal(thrown: unknown): WireResponse {
    const form = this.protocol ?? (PROTOCOLS[0] as ProxyProtocol);
    const fault = this.faultOf(thrown);
    const { requestId } = this.context;
    return immediateReply(fault, form.errorBody(fault, requestId), {
      'x-request-id': requestId,
      'x-probity-config-hash': this.options.snapshot.hash,
      ...(fault.status === 403 && { 'x-should-retry': 'false' }),
      ...(thrown instanceof ProbityError && lowerCased(thrown.headers)),
    });
  }
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers);
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
}

/** One half of an exchange: answers its messages, in their order. */
export interface ExchangeSide {
  /** Bytes that are kept of its body. */
  readonly held: number;
  headers(message: WireRequest): Promise<WireResponse[]>;
  body(message: WireRequest): Promise<WireResponse[]>;
  trailers(): Promise<WireResponse[]>;
}
