import type { CallContext, Page, PageOf, TransactionOf } from '@probity/core';
import { notFound, OUTSIDE_REQUEST, ProbityError } from '@probity/core';
import type { SignInProof } from '@probity/core/internal';
import type { SignInCall } from './attempts.ts';
import type { SignedIn, SignInDependencies } from './login.ts';
import { actorOf, proofsOf, signInError, targetOf } from './login.ts';
import type { RefreshToken } from './session-tokens.ts';
import { parseRefreshToken } from './session-tokens.ts';
import type { Account, SignInSession } from './types.ts';

/** The signed-in member. */
export interface Current {
  readonly account: Account;
  readonly session: SignInSession;
  readonly csrfToken: string;
}

/** Tokens of the session to end; the first one present is used. */
export interface EndingTokens {
  /** From the header Authorization, expired or not. */
  readonly bearer?: string | undefined;
  /** From cookies. */
  readonly refresh?: string | undefined;
  readonly access?: string | undefined;
}

/**
 * Checks the CSRF token of a request by cookie against the session; throws when it does not match.
 */
type Confirm = (proof: SignInProof) => void;

/** Sessions of signed-in members. */
export interface Sessions {
  /**
   * Renews the tokens of a session. The former refresh token is invalid from then on; using it once
   * more ends the session, since one of the two users must have stolen it.
   * @throws ProbityError `unauthorized` when the token belongs to no session; `conflict` when
   *   another request has renewed the session within {@link REFRESH_GRACE_MS}: two windows of one
   *   browser; `forbidden` from outside the organization's IP allowlist
   */
  refresh(call: SignInCall, refreshToken: string | undefined, confirm: Confirm): Promise<SignedIn>;
  /** Ends the session of these tokens; no effect when it has ended already. */
  logout(call: SignInCall, tokens: EndingTokens, confirm: Confirm): Promise<void>;
  /** @throws ProbityError `not_found` for a caller without a session */
  current(context: CallContext): Promise<Current>;
  /** Lists the caller's own sessions, newest first. */
  list(context: CallContext, page: Page): Promise<PageOf<SignInSession>>;
  /** Ends one of the caller's own sessions. @throws ProbityError `not_found` */
  end(context: CallContext, id: string): Promise<void>;
}

/**
 * Milliseconds after a renewal in which the previous refresh token is refused without ending the
 * session, since a second browser window may have sent it.
 */
export const REFRESH_GRACE_MS = 10_000;

type Tx = TransactionOf<SignInDependencies['storage']>;

/** Creates the session service. */
export function createSessions(dependencies: SignInDependencies): Sessions {
  const { runtime, storage, tokens } = dependencies;
  const { clock, audit } = runtime;

  async function endByTokens(tx: Tx, call: SignInCall, session: SignInSession): Promise<void> {
    if (!(await tx.deleteSession(session, session.id))) return;
    await audit.record(tx, actorOf(session, call), 'session.ended', targetOf(session));
  }

  return {
    async refresh(call, refreshToken, confirm) {
      const presented = parseRefreshToken(refreshToken ?? '');
      const issued = presented && tokens.issueRefresh(presented.token);
      const renewed =
        issued &&
        (await storage.transaction(OUTSIDE_REQUEST, (tx) =>
          renew(tx, dependencies, call, presented, issued, confirm),
        ));
      if (!renewed) throw noSession();
      const { session, account } = renewed;
      const { member, organization } = account;
      const proofs = await proofsOf(tokens, session);
      return { session, member, organization, refreshToken: issued.token, ...proofs };
    },

    async logout(call, { bearer, refresh, access }, confirm) {
      const token = bearer ?? (refresh ? undefined : access);
      if (token !== undefined) {
        const claims = await tokens.readAccess(token, true);
        const session = claims && (await storage.findSession(claims, claims.sessionId));
        if (!session) return;
        if (bearer === undefined) confirm(tokens.proofOf(session));
        return storage.transaction(OUTSIDE_REQUEST, (tx) => endByTokens(tx, call, session));
      }
      const presented = parseRefreshToken(refresh ?? '');
      if (!presented) return;
      await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
        const session = await tx.lockSessionByFamily(presented.familyHash);
        if (!session) return;
        confirm(tokens.proofOf(session));
        await endByTokens(tx, call, session);
      });
    },

    async current(context) {
      const { principal } = context;
      const account = await storage.findAccount(principal);
      if (!account) throw notFound('member');
      const { sessionId = '' } = principal;
      const session = await storage.findSession(principal, sessionId);
      if (!session) throw notFound('session');
      return { account, session, csrfToken: tokens.proofOf(session).csrfToken };
    },

    list: ({ principal }, page) => storage.listSessions(principal, clock.now(), page),

    async end(context, id) {
      const { organizationId } = context.principal;
      await storage.withTenantLock(context, organizationId, async (tx) => {
        if (!(await tx.deleteSession(context.principal, id))) throw notFound('session');
        await audit.record(tx, context, 'session.ended', { type: 'session', id });
      });
    },
  };
}

/** Renews the session in the transaction, or ends it; null when no session remains. */
async function renew(
  tx: Tx,
  { runtime, tokens, allowlists }: SignInDependencies,
  call: SignInCall,
  presented: RefreshToken,
  issued: RefreshToken,
  confirm: Confirm,
): Promise<{ session: SignInSession; account: Account } | null> {
  const now = runtime.clock.now();
  const session = await tx.lockSessionByFamily(presented.familyHash);
  if (!session || session.expiresAt <= now) return null;
  if (presented.refreshHash !== session.refreshHash) {
    if (isJustRenewed(session, presented, now)) throw renewedMeanwhile();
    await tx.deleteSession(session, session.id);
    const actor = actorOf(session, call);
    await runtime.audit.record(tx, actor, 'session.refresh_reused', targetOf(session));
    return null;
  }
  confirm(tokens.proofOf(session));
  const account = await tx.findAccount(session);
  if (account?.member.status !== 'active') return null;
  allowlists.require(account.ipAllowlist, call.address);
  await tx.renewSession(session.id, issued.refreshHash, now);
  return { session: { ...session, lastUsed: now }, account };
}

function isJustRenewed(
  { previousHash, lastUsed }: SignInSession,
  { refreshHash }: RefreshToken,
  now: Date,
): boolean {
  const ageMs = now.getTime() - lastUsed.getTime();
  return previousHash === refreshHash && ageMs < REFRESH_GRACE_MS;
}

function renewedMeanwhile(): ProbityError {
  return new ProbityError(
    'conflict',
    'Another request has just renewed this session; use the cookies that it set.',
    { headers: { 'Retry-After': '1' } },
  );
}

function noSession(): ProbityError {
  return signInError('There is no session for this refresh token; sign in again.');
}
