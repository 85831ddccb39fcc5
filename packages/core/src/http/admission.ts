import type { Context } from 'koa';
import type { Clock } from '../clock.ts';
import type { Principal } from '../context.ts';
import { hasPermission } from '../contract/permissions.ts';
import { notFound, ProbityError } from '../errors.ts';
import type { CidrList } from '../outbound/networks.ts';
import type { Authenticate, AuthenticatedCaller } from './authentication.ts';
import { clientAddress } from './client-address.ts';
import { credentialOf, isStateChanging, requireCsrfToken } from './credentials.ts';
import type { ErrorDialect } from './dialect.ts';
import type { Endpoint } from './endpoint.ts';
import type { Meter } from './meter.ts';
import { spendRequest } from './quotas.ts';
import type { RateLimitOptions } from './rate-limits.ts';
import { addressSubject, limitRate } from './rate-limits.ts';
import type { RequestState } from './request-state.ts';

/** Whom a request is from. */
export interface Admission {
  readonly principal: Principal;
  /**
   * The credential itself; for a session a secret that stays when its tokens are renewed. Empty for
   * public endpoints.
   */
  readonly token: string;
  /** The client's address; see {@link clientAddress}. */
  readonly address: string | null;
}

/** What decides about admission. */
export interface AdmissionOptions {
  readonly authenticate: Authenticate;
  readonly rateLimits: RateLimitOptions;
  readonly trustedProxies: CidrList;
  readonly clock: Clock;
  readonly dialect: ErrorDialect;
  readonly meter?: Meter | undefined;
}

/** Authentication with the IP allowlist, rate limit, permission and quota, from the headers alone. */
export async function admit(
  ctx: Context,
  request: RequestState,
  declaration: Endpoint,
  options: AdmissionOptions,
): Promise<Admission> {
  const { permission, rateLimit } = declaration;
  const address = clientAddress(ctx.req, options.trustedProxies);
  if (permission === 'public') {
    // Nobody guesses tokens or passwords faster than the limit.
    if (rateLimit !== 'none') {
      const caller = { subject: addressSubject(address), plan: ANONYMOUS.plan };
      const limiting = limitRate(request, caller, rateLimit, options.rateLimits, options.clock);
      if (limiting) await limiting;
    }
    return { principal: ANONYMOUS, token: '', address };
  }
  const admission = await authenticate(ctx, address, options);
  const { principal } = admission;
  if (rateLimit !== 'none') {
    const subject = principal.sessionId === undefined ? principal.keyId : principal.memberId;
    const caller = { subject, plan: principal.plan };
    const limiting = limitRate(request, caller, rateLimit, options.rateLimits, options.clock);
    if (limiting) await limiting;
  }
  // An organization that is not the caller's does not exist for the caller, whatever its role.
  const organizationId = (ctx.params as Record<string, string | undefined>).org_id;
  if (organizationId !== undefined && organizationId !== principal.organizationId) {
    throw notFound('organization');
  }
  if (!hasPermission(principal.role, permission)) {
    throw new ProbityError(
      'forbidden',
      `This operation needs the permission ${permission}, which the role ${principal.role} does not have.`,
    );
  }
  const spending = spendRequest(options.meter, principal, declaration);
  if (spending) await spending;
  return admission;
}

/** Stands for nobody where an endpoint is public. */
const ANONYMOUS: Principal = Object.freeze({
  organizationId: '',
  memberId: '',
  keyId: '',
  role: 'viewer',
  plan: 'free',
});

async function authenticate(
  ctx: Context,
  address: string | null,
  { authenticate, dialect }: AdmissionOptions,
): Promise<Admission> {
  const credential = credentialOf(ctx.headers);
  const caller = credential && (await authenticate(credential.token, { address }));
  if (!caller) throw unauthorized(ctx, dialect, credential !== null);
  const { session } = caller;
  if (credential.source === 'cookie') {
    if (!session) throw unauthorized(ctx, dialect, true);
    if (isStateChanging(ctx.method)) requireCsrfToken(ctx.headers, session.csrfToken);
  }
  if (!session) return { principal: caller, token: credential.token, address };
  return { principal: withoutProof(caller), token: session.secret, address };
}

function withoutProof({ session: _, ...principal }: AuthenticatedCaller): Principal {
  return principal;
}

function unauthorized(ctx: Context, { name }: ErrorDialect, hasToken: boolean): ProbityError {
  const challenge = `Bearer realm="probity-${name}"`;
  const isSilent = ctx.get('Authorization') === '' && !hasToken;
  return new ProbityError(
    'unauthorized',
    isSilent ? 'The request needs the header Authorization: Bearer <API key>.' : undefined,
    {
      headers: { 'WWW-Authenticate': hasToken ? `${challenge}, error="invalid_token"` : challenge },
    },
  );
}
