import { isIP } from 'node:net';
import type { Metadata } from '@grpc/grpc-js';
import type { CallContext, Principal, Role } from '@probity/core';
import { ProbityError } from '@probity/core';
import { clientKey, GATEWAY_ORGANIZATION, SIGNED_CALLER } from '../limits/client-key.ts';
import type { Surroundings } from '../serving.ts';
import type { PresentedSignature, SignatureFault } from '../signing/signatures.ts';
import type { GatewaySnapshot } from '../snapshot/snapshot.ts';
import type { TraceSpan } from '../tracing/tracing.ts';
import { limitHeaders } from './errors.ts';
import { isRequestId } from './scan-requests.ts';

/** What is known of a call before its messages are. */
export interface CallHead {
  readonly metadata: Metadata;
  getPeer(): string;
}

/** A caller, with the users of `allowlists.exempt_users` and the domains of `whitelisted_domains` that it may name. */
export interface GrpcCaller {
  readonly principal: Principal;
  readonly keyUsers: readonly string[];
  readonly keyDomains: readonly string[];
  readonly address: string | null;
}

type Parts = Pick<Surroundings, 'keys' | 'signatures' | 'limiter' | 'clock' | 'ids' | 'refusals'>;

/** Identifies callers by metadata: `authorization`, or a signature of the first message. */
export function createCallers({ keys, signatures, limiter, clock, ids, refusals }: Parts) {
  const refused = (error: ProbityError, principal: Principal | null = null) => {
    refusals.record({ error, principal });
    return error;
  };
  const callerOf = (call: CallHead): GrpcCaller => {
    const authorization = textOf(call.metadata, 'authorization');
    const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    const key = token === undefined ? undefined : keys.find(token);
    if (key === undefined) throw refused(new ProbityError('unauthorized'));
    const { name, role, users: keyUsers, domains: keyDomains } = key;
    const address = addressOf(call.getPeer());
    return { principal: principalOf(name, role), keyUsers, keyDomains, address };
  };
  const requireSigned = (fault: SignatureFault) => {
    if (fault === null) return;
    throw refused(new ProbityError('unauthorized', `The signature of the message is ${fault}.`));
  };
  return {
    /**
     * Judges a call before any of its messages is read.
     * @returns whether its caller is known; false where only its first message tells, by its signature
     * @throws ProbityError `unauthorized`
     */
    admit(call: CallHead, { config }: GatewaySnapshot): boolean {
      const isSigned = config.security.request_signing;
      if (isSigned) requireSigned(signatures.checkHead(presentedBy(call)));
      if (isSigned && textOf(call.metadata, 'authorization') === undefined) return false;
      callerOf(call);
      return true;
    },

    /**
     * @param bytes the first message of the call, as it came
     * @throws ProbityError `unauthorized`
     */
    async identify(
      call: CallHead,
      bytes: Uint8Array,
      { config }: GatewaySnapshot,
    ): Promise<GrpcCaller> {
      const isSigned = config.security.request_signing;
      if (isSigned) requireSigned(await signatures.check(presentedBy(call), bytes));
      const authorization = textOf(call.metadata, 'authorization');
      const address = addressOf(call.getPeer());
      if (authorization === undefined && isSigned) {
        const principal = principalOf(SIGNED_CALLER, 'member');
        return { principal, keyUsers: [], keyDomains: [], address };
      }
      return callerOf(call);
    },

    /**
     * Identifies a caller that cannot sign its messages, such as Envoy, by its key alone.
     *
     * @throws ProbityError `unauthorized`
     */
    identifyByKey: callerOf,

    /** @throws ProbityError `rate_limited`, with what becomes trailers in its headers */
    async limit({ principal }: GrpcCaller, { config }: GatewaySnapshot): Promise<void> {
      if (!config.rate_limiting.enabled) return;
      const decision = await limiter.consume(clientKey(principal.keyId));
      if (decision.allowed) return;
      const headers = limitHeaders(decision, clock.now());
      throw refused(new ProbityError('rate_limited', undefined, { headers }), principal);
    },

    /** The context of one scan of a call. */
    contextOf(
      { principal, address }: GrpcCaller,
      call: CallHead,
      given: string,
      signal: AbortSignal,
      trace?: TraceSpan,
    ): CallContext {
      const sent = given || (textOf(call.metadata, 'x-request-id') ?? '');
      const requestId = isRequestId(sent) ? sent : ids.next('req');
      return { principal, requestId, address, signal, trace };
    },
  };
}

function principalOf(name: string, role: Role): Principal {
  const organizationId = GATEWAY_ORGANIZATION;
  return { organizationId, memberId: name, keyId: name, role, plan: 'enterprise' };
}

function presentedBy({ metadata }: CallHead): PresentedSignature {
  const [signature, timestamp] = ['x-signature', 'x-signature-timestamp'].map((name) =>
    textOf(metadata, name),
  );
  return { signature, timestamp };
}

function textOf(metadata: Metadata, name: string): string | undefined {
  const [value] = metadata.get(name);
  return value === undefined ? undefined : value.toString();
}

/** The address of a peer: `192.0.2.1:4711`, `[2001:db8::1]:4711`; some versions write `ipv4:` before it. */
export function addressOf(peer: string): string | null {
  const text = peer
    .replace(/^ipv[46]:/, '')
    .replace(/:\d+$/, '')
    .replace(/^\[|\]$/g, '');
  return isIP(text) === 0 ? null : text;
}
