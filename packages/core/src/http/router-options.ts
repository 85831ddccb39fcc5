import type { IncomingMessage } from 'node:http';
import type { Clock } from '../clock.ts';
import { systemClock } from '../clock.ts';
import type { CallTrace, Principal } from '../context.ts';
import { DEFAULT_RATE_LIMITS } from '../contract/rate-limits.ts';
import type { ProbityError } from '../errors.ts';
import type { Given } from '../given.ts';
import { given } from '../given.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import type { Ids } from '../ids.ts';
import { createIds } from '../ids.ts';
import type { Logger } from '../logging/logger.ts';
import { unsetLogger } from '../logging/logger.ts';
import type { Maintenance } from '../maintenance/maintenance.ts';
import type { Metrics } from '../metrics.ts';
import { silentMetrics } from '../metrics.ts';
import type { CidrList } from '../outbound/networks.ts';
import { parseCidrList } from '../outbound/networks.ts';
import type { RateLimitOptions } from '../rate-limit/rate-limit.ts';
import { createMemoryRateLimiter } from '../rate-limit/rate-limit.ts';
import type { ScopedTokens } from '../scoped-tokens/authentication.ts';
import type { Tenants } from '../tenants/tenants.ts';
import type { Authenticate, ConfirmToken } from './authentication.ts';
import type { BodyBudget } from './body-budget.ts';
import { PROCESS_BODY_BUDGET } from './body-budget.ts';
import type { ErrorFormat } from './error-format.ts';
import type { Meter } from './meter.ts';
import type { PathMatching } from './routes.ts';
import type { Traffic } from './traffic.ts';

/** A request of a known caller that was answered. */
export interface AnsweredRequest {
  readonly principal: Principal;
  readonly method: string;
  /** The undecoded path below the mount, with the query. */
  readonly path: string;
  readonly status: number;
  /** Why the request failed; null when it did not. */
  readonly error: ProbityError | null;
}

/** A request that was answered with an error. */
export interface FailedAnswer {
  readonly requestId: string;
  readonly operationId: string;
  /** Null while the caller is not known. */
  readonly principal: Principal | null;
  readonly error: ProbityError;
}

/** Options that a host passes to a router; the same for every package. */
export interface RouterOptions {
  /** Looks up the caller that a bearer token belongs to. */
  readonly authenticate: Authenticate;
  /**
   * Looks up the owner of a bearer token again in the transaction of a write; default: the
   * credential is looked at before the body is read, and again after a body that arrived late.
   */
  readonly confirm?: ConfirmToken | undefined;
  /**
   * Recognizes tokens of limited scope by their prefix, before `authenticate`, which never gets them;
   * default: `authenticate` gets every token.
   */
  readonly scopedTokens?: ScopedTokens | undefined;
  /** Path prefix of the routes; default none, for a router that is nested or mounted. */
  readonly prefix?: string | undefined;
  /** Default: the specification's limits, counted in this process. */
  readonly rateLimits?: RateLimitOptions | undefined;
  /**
   * Stores the caller's organization as a tenant unless it exists, for hosts with their own
   * organizations; default: organizations are stored by other means, as `@probity/platform` does.
   */
  readonly tenants?: Pick<Tenants, 'ensure'> | undefined;
  /** Proxies whose X-Forwarded-For and X-Forwarded-Host are trusted; default none. */
  readonly trustedProxies?: CidrList | undefined;
  /**
   * The public URL of the server: its pages may change something by the host's cookie, as those of
   * the origin in Host may. Default none.
   */
  readonly baseUrl?: string | undefined;
  /**
   * Makes requests with an Idempotency-Key safe to repeat; must use the services' database.
   * Default: the header is ignored.
   */
  readonly idempotency?: Idempotency | undefined;
  /** While maintenance is on, the endpoints answer 503; default none. */
  readonly maintenance?: Maintenance | undefined;
  /** Counts the requests being answered, so that a host can wait for them; default: no counting. */
  readonly traffic?: Traffic | undefined;
  /** The memory that request bodies may occupy; default: a quarter of the heap, for the process. */
  readonly bodyBudget?: BodyBudget | undefined;
  /** Counts calls against the monthly quotas of plans; default: no counting. */
  readonly meter?: Meter | undefined;
  /** Default: failures are emitted as `error` on the Koa application, which prints them. */
  readonly logger?: Logger | undefined;
  readonly clock?: Clock | undefined;
  readonly ids?: Ids | undefined;
  /** Receives a report of every response of an endpoint, see `HTTP_METRICS`; default none. */
  readonly metrics?: Metrics | undefined;
  /** Is told of every request of a known caller once it is answered; default none. */
  readonly observe?: ((request: AnsweredRequest) => void) | undefined;
  /** Is told of every request that an endpoint answered with an error, of unknown callers too; default none. */
  readonly onFailure?: ((failed: FailedAnswer) => void) | undefined;
  /**
   * The trace of a request that an endpoint serves, for the contexts of its calls; `route` is the path of its
   * declaration, below where it is mounted. Default: none.
   */
  readonly traceOf?: ((raw: IncomingMessage, route: string) => CallTrace | undefined) | undefined;
  /** Lenient: letter case and a slash at the end mean nothing. Default 'exact'. */
  readonly matching?: PathMatching | undefined;
  /**
   * For tests: parses every response, errors included, by its declared schema; a mismatch is
   * answered with a 500 that names the operation and the fault. Default false.
   */
  readonly checkReplies?: boolean | undefined;
}

type Optional =
  | 'confirm'
  | 'scopedTokens'
  | 'traffic'
  | 'tenants'
  | 'idempotency'
  | 'maintenance'
  | 'meter'
  | 'checkReplies'
  | 'observe'
  | 'onFailure'
  | 'traceOf'
  | 'matching'
  | 'baseUrl'
  | 'prefix';

/** The options of a router with their defaults. */
export type Kit = Required<Given<Omit<RouterOptions, Optional>>> &
  Pick<RouterOptions, Optional> & { readonly errorFormat: ErrorFormat };

/** Completes the options of a router. */
export function toKit(options: RouterOptions, errorFormat: ErrorFormat): Kit {
  const clock = options.clock ?? systemClock;
  return {
    rateLimits: { limiter: createMemoryRateLimiter(clock), limits: DEFAULT_RATE_LIMITS },
    trustedProxies: parseCidrList(''),
    logger: unsetLogger,
    ids: createIds(clock),
    metrics: silentMetrics,
    bodyBudget: PROCESS_BODY_BUDGET,
    ...given(options),
    clock,
    errorFormat,
  };
}
