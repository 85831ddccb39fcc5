import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Grant, Principal } from '../context.ts';
import type { ListedRights, Rights, RightsOfRole } from '../contract/permissions.ts';
import { PERMISSIONS, ROLES } from '../contract/permissions.ts';
import type { Plan } from '../contract/plans.ts';
import { PLANS } from '../contract/plans.ts';
import { SCOPES } from '../contract/scopes.ts';
import type { DatabaseSession } from '../storage/database.ts';

/** A token as presented by a client. */
export interface PresentedToken {
  /** The bearer token or, without an Authorization header, Probity's access cookie; else null. */
  readonly token: string | null;
  /** The client's address as reported by the trusted proxies; null when there is none. */
  readonly address: string | null;
}

/** The head of a request whose caller is to be identified. */
export interface AuthenticationRequest extends PresentedToken {
  readonly method: string;
  /** Names in lower case, as Node parses them. */
  readonly headers: IncomingHttpHeaders;
  /** Node's request, with what middleware of the host has attached to it, such as a session. */
  readonly raw: IncomingMessage;
  /**
   * The request that `probity.fetch` was called with, the same object, so that a host can look up
   * what it knows of it, as in a WeakMap; absent under the other handlers.
   */
  readonly request?: Request;
}

/** Proof that a request by cookie belongs to a session; never passed on to services. */
export interface SignInProof {
  /** CSRF token that state-changing requests by cookie must repeat. */
  readonly csrfToken: string;
  /** A secret of the session that stays the same when its tokens are renewed. */
  readonly secret: string;
}

/**
 * The caller of a request, as a host's own `authenticate` returns it: with a `role`, or with
 * `permissions` instead.
 */
export type Caller = CallerIdentity & CallerRights;

/**
 * The rights of a caller: `role`, or `permissions` with all that the caller may do, such as
 * `['scans:create']` for the customers of an app.
 */
export type CallerRights = RightsOfRole | (Omit<ListedRights, 'role'> & { readonly role?: null });

/** Who a caller is, without its rights. */
export interface CallerIdentity {
  /** The host's identifier of the organization: 1 to 200 visible characters. */
  readonly organizationId: string;
  /** The host's identifier of the acting user. */
  readonly memberId: string;
  /** The credential, for rate limits; default the member. */
  readonly keyId?: string | undefined;
  /** The session of a person who signed in; rate limits then count per member. */
  readonly sessionId?: string | undefined;
  /** Default: `enterprise`, the plan without limits of features. */
  readonly plan?: Plan | undefined;
  /** Limits the caller to the endpoints of these scopes; default: everything that its rights allow. */
  readonly grant?: Grant | undefined;
  /** Required of callers by Probity's access cookie. */
  readonly session?: SignInProof | undefined;
}

/**
 * Identifies the caller of a request, or returns null or undefined, which is answered with 401. Throws a
 * ProbityError `forbidden` for a valid credential that must not be used from its origin.
 */
export type Authenticate = (
  request: AuthenticationRequest,
) => Caller | null | undefined | Promise<Caller | null | undefined>;

/** Identifies the owner of a token; null when it is not a valid credential. */
export type AuthenticateToken = (
  presented: PresentedToken,
) => Promise<(Principal & { readonly session?: SignInProof | undefined }) | null>;

/**
 * Identifies the owner of a token again, in an open transaction until whose end the credential and
 * its member stay as they are; null when it is not a valid credential any more.
 */
export type ConfirmToken = (token: string, session: DatabaseSession) => Promise<Principal | null>;

const MAX_ID_LENGTH = 200;
const ID = /^[^\s\p{C}]{1,200}$/u;

/**
 * Checks what `authenticate` returned: an unknown role or a missing organization must never act as
 * a known one.
 * @throws TypeError that names the member at fault
 */
export function toPrincipal(
  caller: Caller,
  origin = 'authenticate returned a caller whose',
): Principal {
  const { organizationId, memberId, sessionId, plan = DEFAULT_PLAN } = caller;
  const { keyId = sessionId ?? memberId } = caller;
  requireId('organizationId', organizationId, origin);
  requireId('memberId', memberId, origin);
  if (keyId !== memberId) requireId('keyId', keyId, origin);
  if (sessionId !== undefined && typeof sessionId !== 'string') {
    throw fault(origin, 'sessionId', 'a text', sessionId);
  }
  const rights = toRights(caller, origin);
  if (!PLANS.includes(plan)) throw fault(origin, 'plan', `one of ${PLANS.join(', ')}`, plan);
  const { grant } = caller;
  if (grant !== undefined) requireGrant(grant, origin);
  const principal = { organizationId, memberId, keyId, ...rights, plan };
  if (sessionId === undefined && grant === undefined) return principal;
  return {
    ...principal,
    ...(sessionId !== undefined && { sessionId }),
    ...(grant !== undefined && { grant }),
  };
}

function toRights(rights: CallerRights, origin: string): Rights {
  const { role, permissions } = rights;
  if (permissions === undefined) {
    if (ROLES.includes(role)) return { role };
    throw fault(origin, 'role', `one of ${ROLES.join(', ')}, or permissions instead`, role);
  }
  if (role !== undefined && role !== null) {
    throw new TypeError(`${origin} role and permissions are both given; expected one of them.`);
  }
  if (!Array.isArray(permissions)) {
    throw fault(origin, 'permissions', 'a list of permissions', permissions);
  }
  const unknown = permissions.findIndex((each) => !Object.hasOwn(PERMISSIONS, each));
  if (unknown === -1) return { role: null, permissions: [...permissions] };
  const known = `one of ${Object.keys(PERMISSIONS).join(', ')}`;
  throw fault(origin, `permissions.${unknown}`, known, permissions[unknown]);
}

function requireId(name: string, id: unknown, origin: string): void {
  if (typeof id === 'string' && ID.test(id)) return;
  throw fault(origin, name, `1 to ${MAX_ID_LENGTH} visible characters without spaces`, id);
}

function requireGrant(grant: Grant, origin: string): void {
  const { scopes, resourceIds } = Object(grant) as Grant;
  if (!Array.isArray(scopes) || !scopes.every((scope) => SCOPES.includes(scope))) {
    throw fault(origin, 'grant.scopes', `a list of ${SCOPES.join(', ')}`, scopes);
  }
  const isList = Array.isArray(resourceIds) && resourceIds.every((id) => typeof id === 'string');
  if (resourceIds === null || isList) return;
  throw fault(origin, 'grant.resourceIds', 'null or a list of ids', resourceIds);
}

const DEFAULT_PLAN: Plan = 'enterprise';

function fault(origin: string, name: string, expected: string, found: unknown): TypeError {
  const shown = typeof found === 'string' ? JSON.stringify(found.slice(0, 60)) : typeof found;
  return new TypeError(`${origin} ${name} is ${shown}; expected ${expected}.`);
}
