import type { Context } from 'koa';
import type { Clock } from '../clock.ts';
import type { ConfirmCredential, Principal } from '../context.ts';
import type { Permission } from '../contract/permissions.ts';
import { includesRights, isPermitted } from '../contract/permissions.ts';
import type { Plan } from '../contract/plans.ts';
import { PLANS } from '../contract/plans.ts';
import { notFound, ProbityError } from '../errors.ts';
import type { CidrList } from '../outbound/networks.ts';
import type { RateLimitOptions } from '../rate-limit/rate-limit.ts';
import type { ScopedTokens } from '../scoped-tokens/authentication.ts';
import { addressSubject } from './address-subject.ts';
import type { Authenticate, ConfirmToken } from './authentication.ts';
import { toPrincipal } from './authentication.ts';
import { clientAddress } from './client-address.ts';
import type { Credential } from './credentials.ts';
import {
  credentialOf,
  isStateChanging,
  requireCsrfToken,
  requireSameOrigin,
} from './credentials.ts';
import type { Endpoint } from './endpoint.ts';
import type { ErrorFormat } from './error-format.ts';
import { fetchRequestOf } from './fetch-requests.ts';
import type { Meter } from './meter.ts';
import { spendRequest } from './quotas.ts';
import { callerSubject, limitRate } from './rate-limits.ts';
import type { RequestState } from './request-state.ts';
import { requireGranted } from './scoped-access.ts';

/** The caller of a request. */
export interface Authorization {
  readonly principal: Principal;
  /**
   * The credential itself; for a session, a secret that survives the renewal of its tokens. Null
   * for callers whose credential only the host knows, and for public endpoints.
   */
  readonly callerSecret: string | null;
  /** The client's address; see {@link clientAddress}. */
  readonly address: string | null;
  /** Absent for callers whose credential only the host knows, and for public endpoints. */
  readonly confirm?: ConfirmCredential | undefined;
}

/** Dependencies of authorization. */
export interface AuthorizeOptions {
  readonly authenticate: Authenticate;
  readonly confirm?: ConfirmToken | undefined;
  readonly scopedTokens?: ScopedTokens | undefined;
  readonly rateLimits: RateLimitOptions;
  readonly trustedProxies: CidrList;
  readonly baseUrl?: string | undefined;
  readonly clock: Clock;
  readonly errorFormat: ErrorFormat;
  readonly meter?: Meter | undefined;
}

/** A request before its body is read. */
export interface RequestHead {
  readonly ctx: Context;
  readonly request: RequestState;
  readonly declaration: Endpoint;
  /** Parameters of the endpoint's path, decoded. */
  readonly params: Readonly<Record<string, string | undefined>>;
}

/**
 * Authenticates the caller (including the organization's IP allowlist), then checks rate limit,
 * organization, permission, plan and quota; all from the request's head.
 * @throws ProbityError `unauthorized`, `rate_limited`, `not_found`, `forbidden`
 */
export async function authorize(
  { ctx, request, declaration, params }: RequestHead,
  options: AuthorizeOptions,
): Promise<Authorization> {
  const { permission, rateLimit } = declaration;
  const address = clientAddress(ctx.req, options.trustedProxies);
  if (permission === 'public') {
    // Limits brute-force attempts on tokens and passwords.
    if (rateLimit !== 'none') {
      const caller = { subject: addressSubject(address), plan: ANONYMOUS.plan };
      const limiting = limitRate(request, caller, rateLimit, options.rateLimits, options.clock);
      if (limiting) await limiting;
    }
    return { principal: ANONYMOUS, callerSecret: null, address };
  }
  const authorization = await authenticate(ctx, address, declaration, options);
  const { principal } = authorization;
  request.principal = principal;
  if (rateLimit !== 'none') {
    const caller = { subject: callerSubject(principal), plan: principal.plan };
    // A page makes several calls at once, which must not use up an application's requests.
    const rateClass = principal.sessionId === undefined ? rateLimit : 'session';
    const limiting = limitRate(request, caller, rateClass, options.rateLimits, options.clock);
    if (limiting) await limiting;
  }
  // Another organization does not exist for the caller, whatever the caller's role.
  const organizationId = params.org_id;
  if (organizationId !== undefined && organizationId !== principal.organizationId) {
    throw notFound('organization');
  }
  if (declaration.callers === 'people') requirePerson(principal);
  requireGranted(principal, declaration, params);
  requirePermission(principal, permission);
  if (declaration.plan) requirePlan(principal, declaration.plan);
  const spending = spendRequest(options.meter, principal, declaration);
  if (spending) await spending;
  return authorization;
}

/**
 * Looks at the credential again, for a request whose body took its time: a caller must not outlive
 * a revocation, a demotion or the end of a session by sending slowly.
 * @throws ProbityError `unauthorized`, `forbidden`
 */
export async function authorizeAgain(
  { ctx, declaration, params }: RequestHead,
  before: Authorization,
  options: AuthorizeOptions,
): Promise<Authorization> {
  const now = await authenticate(ctx, before.address, declaration, options);
  if (!isSameCaller(now.principal, before.principal))
    throw unauthorized(ctx, options.errorFormat, true);
  const { permission } = declaration;
  requireGranted(now.principal, declaration, params);
  if (permission !== 'public') requirePermission(now.principal, permission);
  return now;
}

function isSameCaller(now: Principal, before: Principal): boolean {
  return (['organizationId', 'memberId', 'keyId'] as const).every(
    (name) => now[name] === before[name],
  );
}

function requirePerson({ sessionId }: Principal): void {
  if (sessionId !== undefined) return;
  throw new ProbityError(
    'forbidden',
    'This operation needs a sign-in session; an API key is not accepted.',
  );
}

function requirePermission(principal: Principal, permission: Permission): void {
  if (isPermitted(principal, permission)) return;
  const { role } = principal;
  const needed = `This operation needs the permission ${permission}`;
  throw new ProbityError(
    'forbidden',
    role === null
      ? `${needed}, which the caller was not given.`
      : `${needed}, which the role ${role} does not have.`,
  );
}

function requirePlan({ plan }: Principal, least: Plan): void {
  if (PLANS.indexOf(plan) >= PLANS.indexOf(least)) return;
  throw new ProbityError(
    'forbidden',
    `This operation needs the plan ${least} or a higher one; the organization has the plan ${plan}.`,
  );
}

/** The caller of a public endpoint. */
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
  { tokenHeaders }: Endpoint,
  options: AuthorizeOptions,
): Promise<Authorization> {
  const { errorFormat } = options;
  const { req: raw, method, headers } = ctx;
  const credential = credentialOf(headers, tokenHeaders);
  const token = credential?.token ?? null;
  const issuer = issuerOf(credential, options);
  const presented = { token, address, method, headers, raw };
  const fetched = fetchRequestOf(raw).request;
  const given = issuer.authenticate(fetched ? { ...presented, request: fetched } : presented);
  const caller = isThenable(given) ? await given : given;
  if (!caller) throw unauthorized(ctx, errorFormat, credential !== null);
  const { session } = caller;
  if (credential?.source === 'cookie' && !session) throw unauthorized(ctx, errorFormat, true);
  // Browsers attach Basic, Digest and Negotiate credentials by themselves, but no bearer token.
  if (credential?.source !== 'authorization' && isStateChanging(method)) {
    if (session) requireCsrfToken(headers, session.csrfToken);
    else requireSameOrigin(raw, options);
  }
  const principal = toPrincipal(caller);
  const confirm = confirmationOf(ctx, token, principal, { confirm: issuer.confirm, errorFormat });
  return { principal, callerSecret: session?.secret ?? token, address, confirm };
}

/** A host may answer at once: what can be decided without waiting is not awaited. */
function isThenable<Value>(given: Value | PromiseLike<Value>): given is PromiseLike<Value> {
  return typeof (given as Partial<PromiseLike<Value>> | null | undefined)?.then === 'function';
}

/** Who knows a credential: Probity its tokens of limited scope, the host all others. */
function issuerOf(
  credential: Credential | null,
  { authenticate, confirm, scopedTokens }: AuthorizeOptions,
): Pick<AuthorizeOptions, 'authenticate' | 'confirm'> {
  const isBearer = credential?.source === 'authorization';
  if (isBearer && scopedTokens?.recognizes(credential.token)) return scopedTokens;
  return { authenticate, confirm };
}

function confirmationOf(
  ctx: Context,
  token: string | null,
  before: Principal,
  { confirm, errorFormat }: Pick<AuthorizeOptions, 'confirm' | 'errorFormat'>,
): ConfirmCredential | undefined {
  if (!confirm || token === null) return undefined;
  return async (session) => {
    const now = await confirm(token, session);
    if (!now || !isSameCaller(now, before)) throw unauthorized(ctx, errorFormat, true);
    if (includesRights(now, before)) return;
    throw new ProbityError(
      'forbidden',
      'The role of the caller was lowered while the request was in progress; send it again.',
    );
  };
}

function unauthorized(ctx: Context, { name }: ErrorFormat, hasToken: boolean): ProbityError {
  const challenge = `Bearer realm="probity-${name}"`;
  const isSilent = ctx.get('Authorization') === '' && !hasToken;
  return new ProbityError(
    'unauthorized',
    isSilent
      ? 'The request has no valid credential: sign in, or send Authorization: Bearer <API key>.'
      : undefined,
    {
      headers: { 'WWW-Authenticate': hasToken ? `${challenge}, error="invalid_token"` : challenge },
    },
  );
}
