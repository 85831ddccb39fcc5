import type { Context } from 'koa';
import type { Clock } from '../clock.ts';
import type { Principal } from '../context.ts';
import { notFound, ProbityError } from '../errors.ts';
import type { CidrList } from '../outbound/networks.ts';
import { hasPermission } from '../permissions.ts';
import type { Authenticate } from '../platform/authentication.ts';
import type { Meter } from '../usage/meter.ts';
import { clientAddress } from './client-address.ts';
import type { ErrorDialect } from './dialect.ts';
import type { Endpoint } from './endpoint.ts';
import { spendRequest } from './quotas.ts';
import type { RateLimitOptions } from './rate-limits.ts';
import { limitRate } from './rate-limits.ts';

/** Whom a request is from. */
export interface Admission {
  readonly principal: Principal;
  /** The credential itself; empty for public endpoints. */
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
  declaration: Endpoint,
  options: AdmissionOptions,
): Promise<Admission> {
  const { permission, rateLimit } = declaration;
  const address = clientAddress(ctx.req, options.trustedProxies);
  if (permission === 'public') return { principal: ANONYMOUS, token: '', address };
  const admission = await authenticate(ctx, address, options);
  const { principal } = admission;
  if (rateLimit !== 'none') {
    await limitRate(ctx, principal, rateLimit, options.rateLimits, options.clock);
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
  await spendRequest(options.meter, principal, declaration);
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

const BEARER = /^bearer +([^\s]+) *$/i;

async function authenticate(
  ctx: Context,
  address: string | null,
  { authenticate, dialect }: AdmissionOptions,
): Promise<Admission> {
  const header = ctx.get('Authorization');
  const token = BEARER.exec(header)?.[1];
  const principal = token ? await authenticate(token, { address }) : null;
  if (token && principal) return { principal, token, address };
  const challenge = `Bearer realm="probity-${dialect.name}"`;
  throw new ProbityError(
    'unauthorized',
    header === '' ? 'The request needs the header Authorization: Bearer <API key>.' : undefined,
    {
      headers: { 'WWW-Authenticate': token ? `${challenge}, error="invalid_token"` : challenge },
    },
  );
}
