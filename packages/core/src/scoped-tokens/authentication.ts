import type { Clock } from '../clock.ts';
import type { Principal } from '../context.ts';
import { weakerRole } from '../contract/permissions.ts';
import { SCOPED_TOKEN_PREFIXES } from '../contract/prefixes.ts';
import { hashSecret } from '../crypto/secret-box.ts';
import { isWellFormedToken } from '../crypto/tokens.ts';
import type { ConfirmToken, PresentedToken } from '../http/authentication.ts';
import type { Database, DatabaseSession } from '../storage/database.ts';
import type { ScopedToken, TokenIssuer } from './types.ts';

/** Authenticates tokens of limited scope; an option of routers. */
export interface ScopedTokens {
  /** Whether the text has the prefix of such a token, so that nothing else may authenticate it. */
  recognizes(token: string): boolean;
  /** The issuer of a token with the token's grant; null when it is not valid. */
  authenticate(presented: PresentedToken): Promise<Principal | null>;
  readonly confirm: ConfirmToken;
}

/** Knows the members and credentials that issue tokens; a token ends with its issuer. */
export interface TokenIssuers {
  /**
   * The issuer with its present rights; null when its credential has ended or its member is not active.
   * @throws ProbityError `forbidden` for an address that the organization does not allow
   */
  identify(issuer: TokenIssuer, address: string | null): Promise<TokenIssuer | null>;
  /** As `identify`, in an open transaction until whose end the issuer stays as it is. */
  confirm(issuer: TokenIssuer, session: DatabaseSession): Promise<TokenIssuer | null>;
}

/** Dependencies of the authentication. */
export interface ScopedTokenDependencies {
  /** The database that the tokens are stored in. */
  readonly database: Database;
  readonly clock: Clock;
  /** Default: issuers keep the rights that they had; for hosts with members of their own. */
  readonly issuers?: TokenIssuers | undefined;
}

/**
 * Creates the authentication of tokens of limited scope. A token is looked up by its hash on every
 * request, so that its revocation takes effect at once on every instance. It counts against rate
 * limits by itself, and the audit log names it beside the member who issued it.
 */
export function createScopedTokens({
  database,
  clock,
  issuers,
}: ScopedTokenDependencies): ScopedTokens {
  const find = async (session: DatabaseSession, token: string, isHeld: boolean) => {
    if (!SCOPED_TOKEN_PREFIXES.some((prefix) => isWellFormedToken(prefix, token))) return null;
    const kernel = database.kernel(session);
    const found = await kernel.identifyScopedToken(hashSecret(token), isHeld);
    return found && token.startsWith(found.kind) && found.expiresAt > clock.now() ? found : null;
  };
  return {
    recognizes: (token) => SCOPED_TOKEN_PREFIXES.some((prefix) => token.startsWith(prefix)),
    async authenticate({ token, address }) {
      const found = token === null ? null : await find(database.reader, token, false);
      if (!found) return null;
      const issuer = issuers ? await issuers.identify(found.issuer, address) : found.issuer;
      return issuer && toPrincipal(found, issuer);
    },
    async confirm(token, session) {
      const found = await find(session, token, true);
      if (!found) return null;
      const issuer = issuers ? await issuers.confirm(found.issuer, session) : found.issuer;
      return issuer && toPrincipal(found, issuer);
    },
  };
}

function toPrincipal(
  { id, organizationId, issuer, grant }: ScopedToken,
  now: TokenIssuer,
): Principal {
  const { memberId, plan } = now;
  const role = weakerRole(issuer.role, now.role);
  return { organizationId, memberId, keyId: id, role, plan, grant };
}
