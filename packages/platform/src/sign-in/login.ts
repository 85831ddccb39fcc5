import type { Runtime, SecretBox, Storage } from '@probity/core';
import { OUTSIDE_REQUEST, ProbityError } from '@probity/core';
import type { MemberActor } from '@probity/core/internal';
import type { Member } from '../members/types.ts';
import type { IpAllowlists } from '../organizations/ip-allowlist.ts';
import type { Attempts, SignInCall } from './attempts.ts';
import type { Passwords } from './passwords.ts';
import { useSecondFactor } from './second-factor.ts';
import type { SessionTokens } from './session-tokens.ts';
import type { SignInReads, SignInWrites } from './storage.ts';
import type { Account, MemberKey, SignInSession } from './types.ts';
import { SESSION_LIFETIME_MS } from './types.ts';

/** Credentials for signing in. */
export interface LoginInput {
  readonly email: string;
  readonly password: string;
  /** A one-time password of the authenticator app, or a recovery code. */
  readonly otp?: string | undefined;
  /**
   * Required when the e-mail and password match accounts in several organizations, and for those
   * beyond {@link MAX_ACCOUNTS_TRIED}.
   */
  readonly organizationId?: string | undefined;
  readonly userAgent: string | null;
}

/** A session with its tokens, which are returned only here. */
export interface SignedIn {
  readonly session: SignInSession;
  readonly member: Member;
  readonly organization: Account['organization'];
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly csrfToken: string;
}

/** Dependencies shared by the sign-in services. */
export interface SignInDependencies {
  readonly runtime: Runtime;
  readonly storage: Storage<SignInReads, SignInWrites>;
  readonly passwords: Passwords;
  readonly tokens: SessionTokens;
  readonly attempts: Attempts;
  readonly allowlists: IpAllowlists;
  readonly secretBox: SecretBox;
}

/**
 * Signs a person in.
 * @throws ProbityError `unauthorized` for a wrong e-mail or password, in the same time for both,
 *   and with details that name `otp` when a second factor is missing or wrong; `invalid_request`
 *   that lists the choices when several organizations match; `rate_limited` while the account is
 *   locked. From outside the organization's IP allowlist the right password is answered and counted
 *   like a wrong one, or the answer would tell that it is right
 */
export async function login(
  dependencies: SignInDependencies,
  call: SignInCall,
  input: LoginInput,
): Promise<SignedIn> {
  const { storage, attempts, allowlists } = dependencies;
  const { email, organizationId, otp } = input;
  const all = await storage.findAccountsByEmail(email);
  const accounts = all.filter(
    ({ organization }) => organizationId === undefined || organization.id === organizationId,
  );
  const candidates = await attempts.requireUnlocked(email, accounts);
  const verified = await findMatchingAccounts(dependencies, candidates, input, call.address);
  if (verified.length === 0) {
    await attempts.fail(call, email, accounts);
    throw wrongCredentials();
  }
  // Concurrent attempts may have locked them during the password check: then reveal nothing.
  const matchingAccounts = await attempts.requireUnlocked(email, verified);
  const admitted = matchingAccounts.filter(({ ipAllowlist }) =>
    allowlists.admits(ipAllowlist, call.address),
  );
  const [account] = admitted;
  if (!account) {
    await attempts.fail(call, email, accounts, matchingAccounts);
    throw wrongCredentials();
  }
  if (admitted.length > 1) throw ambiguous(admitted);
  if (account.member.mfaEnabled && otp === undefined) throw wrongOtp('is required');
  const outcome = await openSession(dependencies, call, account, input);
  if (outcome === 'wrong_otp') {
    await attempts.fail(call, email, [account]);
    throw wrongOtp('is wrong, or has been used');
  }
  return outcome;
}

/**
 * Accounts that a sign-in without an organization is compared with: those of the latest sign-ins.
 * Every such attempt costs as many hashes, whatever accounts the e-mail has.
 */
const MAX_ACCOUNTS_TRIED = 2;

/**
 * The active accounts with this password. The number of hashes depends on the input only, so that the
 * time does not reveal how many accounts there are.
 */
async function findMatchingAccounts(
  { passwords }: SignInDependencies,
  accounts: readonly Account[],
  { password, organizationId }: LoginInput,
  address: string | null,
): Promise<Account[]> {
  const candidates = accounts
    .filter(({ member, passwordHash }) => member.status === 'active' && passwordHash !== null)
    .toSorted((left, right) => lastLoginOf(right) - lastLoginOf(left));
  const matching: Account[] = [];
  const hashes = organizationId === undefined ? MAX_ACCOUNTS_TRIED : 1;
  for (let index = 0; index < hashes; index += 1) {
    const account = candidates[index];
    const isRight = await passwords.verify(password, account?.passwordHash ?? null, address);
    if (account && isRight) matching.push(account);
  }
  return matching;
}

function lastLoginOf({ member }: Account): number {
  return member.lastLogin?.getTime() ?? 0;
}

async function openSession(
  dependencies: SignInDependencies,
  call: SignInCall,
  account: Account,
  { password, otp = '', userAgent }: LoginInput,
): Promise<SignedIn | 'wrong_otp'> {
  const { runtime, storage, passwords, tokens, attempts } = dependencies;
  const { ids, clock, audit } = runtime;
  const key = keyOf(account);
  const isOutdated = account.passwordHash !== null && passwords.isOutdated(account.passwordHash);
  const betterHash = isOutdated ? await passwords.hash(password, call.address) : null;
  const { token: refreshToken, ...hashes } = tokens.issueRefresh();
  const opened = await storage
    .withTenantLock(OUTSIDE_REQUEST, key.organizationId, async (tx) => {
      const current = await tx.findAccount(key);
      if (!current || hasChanged(current, account)) throw wrongCredentials();
      const factor = current.member.mfaEnabled
        ? await useSecondFactor(tx, current, otp, dependencies)
        : undefined;
      if (factor === null) return 'wrong_otp';
      await attempts.succeed(tx, current);
      const session = newSession(ids.next('ses'), key, hashes, { call, userAgent }, clock.now());
      await tx.insertSession(session);
      await tx.recordSignIn(key, session.createdAt);
      if (betterHash) await tx.setPasswordHash(key, betterHash);
      await audit.record(tx, actorOf(session, call), 'session.created', targetOf(session), {
        after: { user_agent: session.userAgent, second_factor: factor ?? null },
      });
      return { session, member: { ...current.member, lastLogin: session.createdAt } };
    })
    .catch((error: unknown) => {
      const isDeleted = error instanceof ProbityError && error.kind === 'not_found';
      throw isDeleted ? wrongCredentials() : error;
    });
  if (opened === 'wrong_otp') return opened;
  const { organization } = account;
  return { ...opened, organization, refreshToken, ...(await proofsOf(tokens, opened.session)) };
}

/** Issues the access token and the CSRF token of a session. */
export async function proofsOf(
  tokens: SessionTokens,
  session: SignInSession,
): Promise<Pick<SignedIn, 'accessToken' | 'csrfToken'>> {
  const { csrfToken } = tokens.proofOf(session);
  return { accessToken: await tokens.issueAccess(session), csrfToken };
}

/** The key of the account's member. */
export function keyOf({ member }: Account): MemberKey {
  return { organizationId: member.organizationId, memberId: member.id };
}

/** Whether the account's credentials or status have changed since they were checked. */
function hasChanged(current: Account, checked: Account): boolean {
  return (
    current.member.status !== 'active' ||
    current.passwordHash !== checked.passwordHash ||
    current.member.mfaEnabled !== checked.member.mfaEnabled
  );
}

const MAX_USER_AGENT_LENGTH = 200;

function newSession(
  id: string,
  key: MemberKey,
  hashes: Pick<SignInSession, 'familyHash' | 'refreshHash'>,
  { call, userAgent }: { call: SignInCall; userAgent: string | null },
  createdAt: Date,
): SignInSession {
  return {
    id,
    ...key,
    ...hashes,
    previousHash: null,
    createdAt,
    lastUsed: createdAt,
    expiresAt: new Date(createdAt.getTime() + SESSION_LIFETIME_MS),
    address: call.address,
    userAgent: userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
  };
}

/** Identifies a session and its member. */
interface SessionKey extends MemberKey {
  readonly id: string;
}

/** The audit actor of a request that is authenticated by the session's own tokens. */
export function actorOf(
  { id: credentialId, organizationId, memberId }: SessionKey,
  request: SignInCall,
): MemberActor {
  return { organizationId, memberId, credentialId, request };
}

/** The session as an audit target. */
export function targetOf({ id }: SessionKey) {
  return { type: 'session', id };
}

/** A 401 response names an authentication scheme (RFC 9110, section 15.5.2). */
const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="probity-platform"' };

/** A sign-in error; it does not reveal which credential was wrong. */
export function signInError(message: string, field?: string, detail = ''): ProbityError {
  const details = field === undefined ? {} : { details: [{ field, message: detail }] };
  return new ProbityError('unauthorized', message, { headers: CHALLENGE, ...details });
}

function wrongCredentials(): ProbityError {
  return signInError('The e-mail address or the password is wrong.');
}

function wrongOtp(message: string): ProbityError {
  return signInError(`otp: the one-time password ${message}.`, 'otp', message);
}

function ambiguous(accounts: readonly Account[]): ProbityError {
  const choices = accounts.map(({ organization: { id, name } }) => `${id} (${name})`);
  return new ProbityError(
    'invalid_request',
    `Several organizations match; name one in organization_id: ${choices.join(', ')}.`,
    { details: choices.map((message) => ({ field: 'organization_id', message })) },
  );
}
