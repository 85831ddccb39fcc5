import type { Database, MemorySession, SealedValue } from '@probity/core';
import { bindStorage } from '@probity/core';
import { listSealed } from '@probity/core/internal';
import type { Member, Organization } from '../organizations/types.ts';
import type { SignInReads, SignInStorage, SignInWrites } from './storage.ts';
import type { Account, MemberKey, PasswordReset, SignInFailures, SignInSession } from './types.ts';

interface StoredCredentials extends MemberKey {
  readonly passwordHash: string | null;
  readonly sealedMfaSecret: string | null;
  readonly mfaLastStep: number | null;
}

interface StoredRecoveryCode extends MemberKey {
  readonly codeHash: string;
}

/** Passwords, second factors and sessions in memory. */
export function createMemorySignInStorage(database: Database<MemorySession>): SignInStorage {
  return bindStorage<MemorySession, SignInReads, SignInWrites>(database, (session) => ({
    ...createReads(session),
    ...createSessionWrites(session),
    ...createFailureWrites(session),
    ...createCredentialWrites(session),
    ...createMfaWrites(session),
    ...createResetWrites(session),
  }));
}

/** Ends everything that members sign in with; for members who are removed. */
export function deleteSignInOf(session: MemorySession, key: MemberKey): void {
  const tables = tablesOf(session);
  for (const table of [tables.sessions(), tables.credentials(), tables.codes(), tables.resets()]) {
    table.deleteWhere((row) => isOf(row, key));
  }
}

/** Ends a member's sessions, leaving out one; answers how many. */
export function deleteSessionsOf(
  session: MemorySession,
  key: MemberKey,
  exceptId?: string,
): number {
  const { sessions } = tablesOf(session);
  const ended = sessions().filter((row) => isOf(row, key) && row.id !== exceptId);
  return ended.filter(({ id }) => sessions().delete(id)).length;
}

function tablesOf(session: MemorySession) {
  return {
    organizations: () => session.table<Organization>('organizations'),
    members: () => session.table<Member>('members'),
    sessions: () => session.table<SignInSession>('sessions'),
    failures: () => session.table<SignInFailures & { subject: string }>('sign_in_failures'),
    credentials: () => session.table<StoredCredentials>('member_credentials'),
    codes: () => session.table<StoredRecoveryCode>('recovery_codes'),
    resets: () => session.table<PasswordReset>('password_resets'),
  };
}

function isOf(row: MemberKey, { organizationId, memberId }: MemberKey): boolean {
  return row.organizationId === organizationId && row.memberId === memberId;
}

function memberOf(session: MemorySession, key: MemberKey): Member | null {
  const member = tablesOf(session).members().get(key.memberId);
  return member?.organizationId === key.organizationId ? member : null;
}

function createAccountReads(
  session: MemorySession,
): Pick<SignInReads, 'findAccountsByEmail' | 'findAccount'> {
  const { organizations, members, credentials } = tablesOf(session);
  const toAccount = (member: Member): Account[] => {
    const organization = organizations().get(member.organizationId);
    if (!organization) return [];
    const { id, name, slug, settings } = organization;
    const stored = credentials().get(member.id);
    return [
      {
        member,
        organization: { id, name, slug },
        ipAllowlist: JSON.stringify(settings.ipAllowlist),
        passwordHash: stored?.passwordHash ?? null,
        sealedMfaSecret: stored?.sealedMfaSecret ?? null,
      },
    ];
  };
  return {
    async findAccountsByEmail(email) {
      const key = email.toLowerCase();
      return members()
        .filter((row) => row.email.toLowerCase() === key)
        .sort((left, right) => (left.organizationId < right.organizationId ? -1 : 1))
        .flatMap(toAccount);
    },
    async findAccount(key) {
      const member = memberOf(session, key);
      return (member && toAccount(member)[0]) ?? null;
    },
  };
}

function createReads(session: MemorySession): SignInReads {
  const { organizations, members, sessions, failures, credentials, codes, resets } =
    tablesOf(session);
  return {
    ...createAccountReads(session),
    async identifySession(id) {
      const found = sessions().get(id);
      const member = found && members().get(found.memberId);
      const organization = found && organizations().get(found.organizationId);
      if (!found || !member || !organization) return null;
      return {
        sessionId: id,
        familyHash: found.familyHash,
        organizationId: found.organizationId,
        memberId: found.memberId,
        memberRole: member.role,
        memberStatus: member.status,
        plan: organization.plan,
        ipAllowlist: JSON.stringify(organization.settings.ipAllowlist),
        expiresAt: found.expiresAt,
      };
    },
    async findSession(key, id) {
      const found = sessions().get(id);
      return found && isOf(found, key) ? found : null;
    },
    async listSessions(key, now, { limit, offset }) {
      const own = sessions().filter((row) => isOf(row, key) && row.expiresAt > now);
      own.sort(newestFirst);
      return { items: own.slice(offset, offset + limit), total: own.length };
    },
    async findFailures(subject) {
      return withoutSubject(failures().get(subject));
    },
    countRecoveryCodes: async (key) => codes().filter((row) => isOf(row, key)).length,
    findPasswordReset: async ({ memberId }) => resets().get(memberId) ?? null,
    async findPasswordResetByToken(tokenHash) {
      return resets().filter((row) => row.tokenHash === tokenHash)[0] ?? null;
    },
    listSealedMfaSecrets: async (...range) =>
      listSealed(
        credentials()
          .filter(() => true)
          .flatMap(({ memberId, sealedMfaSecret }) => toSealed(memberId, sealedMfaSecret)),
        ...range,
      ),
    listSealedResets: async (...range) =>
      listSealed(
        resets()
          .filter(() => true)
          .flatMap(({ memberId, sealedToken }) => toSealed(memberId, sealedToken)),
        ...range,
      ),
  };
}

function createSessionWrites(
  session: MemorySession,
): Pick<
  SignInWrites,
  | 'insertSession'
  | 'lockSessionByFamily'
  | 'renewSession'
  | 'deleteSession'
  | 'deleteSessionsOf'
  | 'deleteExpiredSessions'
> {
  const { sessions } = tablesOf(session);
  return {
    async insertSession(created) {
      sessions().put(created.id, created);
    },
    async lockSessionByFamily(familyHash) {
      return sessions().filter((row) => row.familyHash === familyHash)[0] ?? null;
    },
    async renewSession(id, refreshHash, at) {
      const found = sessions().get(id);
      if (!found) return;
      const previousHash = found.refreshHash;
      sessions().put(id, { ...found, refreshHash, previousHash, lastUsed: at });
    },
    async deleteSession(key, id) {
      const found = sessions().get(id);
      return found !== undefined && isOf(found, key) && sessions().delete(id);
    },
    deleteSessionsOf: async (key, exceptId) => deleteSessionsOf(session, key, exceptId),
    async deleteExpiredSessions(before, limit) {
      const expired = sessions().filter(({ expiresAt }) => expiresAt < before);
      return expired.slice(0, limit).filter(({ id }) => sessions().delete(id)).length;
    },
  };
}

function createFailureWrites(
  session: MemorySession,
): Pick<SignInWrites, 'openFailures' | 'storeFailures' | 'clearFailures' | 'deleteOldFailures'> {
  const { failures } = tablesOf(session);
  return {
    async openFailures(subject, now) {
      const found = withoutSubject(failures().get(subject));
      return found ?? { failures: 0, lastFailedAt: now, lockedUntil: null };
    },
    async storeFailures(subject, changed) {
      failures().put(subject, { ...changed, subject });
    },
    async clearFailures(subject, now) {
      const found = failures().get(subject);
      if (found?.lockedUntil && found.lockedUntil > now) return found.lockedUntil;
      if (found) failures().put(subject, { ...found, failures: 0, lockedUntil: null });
      return null;
    },
    async deleteOldFailures(before, limit) {
      const old = failures().filter(({ lastFailedAt }) => lastFailedAt < before);
      return old.slice(0, limit).filter(({ subject }) => failures().delete(subject)).length;
    },
  };
}

function createCredentialWrites(
  session: MemorySession,
): Pick<SignInWrites, 'setPasswordHash' | 'recordSignIn'> {
  return {
    async setPasswordHash(key, passwordHash) {
      putCredentials(session, key, { passwordHash });
      tablesOf(session).resets().delete(key.memberId);
    },
    async recordSignIn(key, at) {
      putMember(session, key, { lastLogin: at });
    },
  };
}

function putMember(session: MemorySession, key: MemberKey, changes: Partial<Member>): void {
  const member = memberOf(session, key);
  if (member)
    tablesOf(session)
      .members()
      .put(member.id, { ...member, ...changes });
}

function putCredentials(
  session: MemorySession,
  { organizationId, memberId }: MemberKey,
  changes: Partial<StoredCredentials>,
): void {
  const { credentials } = tablesOf(session);
  const none = { passwordHash: null, sealedMfaSecret: null, mfaLastStep: null };
  const stored = credentials().get(memberId) ?? { organizationId, memberId, ...none };
  credentials().put(memberId, { ...stored, ...changes });
}

function createMfaWrites(
  session: MemorySession,
): Pick<
  SignInWrites,
  | 'setMfaSecret'
  | 'enableMfa'
  | 'disableMfa'
  | 'useMfaStep'
  | 'useRecoveryCode'
  | 'replaceMfaSecret'
> {
  const { credentials, codes } = tablesOf(session);
  const forgetCodes = (key: MemberKey) => codes().deleteWhere((row) => isOf(row, key));
  return {
    async setMfaSecret(key, sealedMfaSecret) {
      putCredentials(session, key, { sealedMfaSecret, mfaLastStep: null });
    },
    async enableMfa({ organizationId, memberId }, sealedSecret, step, recoveryCodeHashes) {
      const key = { organizationId, memberId };
      const isPending = credentials().get(memberId)?.sealedMfaSecret === sealedSecret;
      if (!isPending || memberOf(session, key)?.mfaEnabled !== false) return false;
      putCredentials(session, key, { mfaLastStep: step });
      putMember(session, key, { mfaEnabled: true });
      forgetCodes(key);
      for (const codeHash of recoveryCodeHashes) codes().put(codeHash, { ...key, codeHash });
      return true;
    },
    async disableMfa(key) {
      putCredentials(session, key, { sealedMfaSecret: null, mfaLastStep: null });
      putMember(session, key, { mfaEnabled: false });
      forgetCodes(key);
    },
    async replaceMfaSecret({ id, from, to }) {
      const stored = credentials().get(id);
      if (stored?.sealedMfaSecret !== from) return;
      credentials().put(id, { ...stored, sealedMfaSecret: to });
    },
    async useMfaStep(key, step) {
      const last = credentials().get(key.memberId)?.mfaLastStep;
      if (last === undefined || (last !== null && last >= step)) return false;
      putCredentials(session, key, { mfaLastStep: step });
      return true;
    },
    async useRecoveryCode(key, codeHash) {
      const found = codes().get(codeHash);
      return found !== undefined && isOf(found, key) && codes().delete(codeHash);
    },
  };
}

function createResetWrites(
  session: MemorySession,
): Pick<
  SignInWrites,
  | 'putPasswordReset'
  | 'takePasswordReset'
  | 'clearSealedReset'
  | 'replaceSealedReset'
  | 'deleteExpiredResets'
> {
  const { resets } = tablesOf(session);
  return {
    async putPasswordReset(reset) {
      resets().put(reset.memberId, reset);
    },
    async takePasswordReset(tokenHash) {
      const [found] = resets().filter((row) => row.tokenHash === tokenHash);
      if (found) resets().delete(found.memberId);
      return found ?? null;
    },
    async clearSealedReset({ memberId }, tokenHash) {
      const found = resets().get(memberId);
      if (found?.tokenHash === tokenHash) resets().put(memberId, { ...found, sealedToken: null });
    },
    async replaceSealedReset({ id, from, to }) {
      const found = resets().get(id);
      if (found?.sealedToken === from) resets().put(id, { ...found, sealedToken: to });
    },
    async deleteExpiredResets(before, limit) {
      const expired = resets().filter(({ expiresAt }) => expiresAt < before);
      return expired.slice(0, limit).filter(({ memberId }) => resets().delete(memberId)).length;
    },
  };
}

function toSealed(id: string, sealed: string | null): SealedValue[] {
  return sealed === null ? [] : [{ id, sealed }];
}

function withoutSubject(
  row: (SignInFailures & { subject: string }) | undefined,
): SignInFailures | null {
  if (!row) return null;
  const { subject: _, ...failures } = row;
  return failures;
}

function newestFirst(left: SignInSession, right: SignInSession): number {
  return right.createdAt.getTime() - left.createdAt.getTime() || (left.id < right.id ? -1 : 1);
}
