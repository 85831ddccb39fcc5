import type { Page } from '@probity/core';
import { bindStorage } from '@probity/core';
import type { SqlDatabase, SqlSession } from '@probity/core/sql';
import { forUpdate, prepareQuery } from '@probity/core/sql';
import type { SignInReads, SignInStorage, SignInWrites } from '../storage.ts';
import type { MemberKey } from '../types.ts';
import {
  createCredentialWrites,
  createMfaWrites,
  createResetWrites,
  sealedMfaSecrets,
  sealedResets,
} from './credentials.ts';
import type { AccountRow, SessionIdentityRow } from './rows.ts';
import {
  toAccount,
  toFailures,
  toFailuresRow,
  toPasswordReset,
  toSession,
  toSessionIdentity,
  toSessionRow,
} from './rows.ts';
import type { SignInTables } from './tables.ts';

/** Passwords, second factors and sessions on SQLite and PostgreSQL. */
export function createSqlSignInStorage(database: SqlDatabase): SignInStorage {
  return bindStorage<SqlSession, SignInReads, SignInWrites>(database, (session) => ({
    ...createAccountReads(session),
    ...createSessionReads(session),
    ...createSessionWrites(session),
    ...createFailureWrites(session),
    ...createCredentialWrites(session),
    ...createMfaWrites(session),
    ...createResetWrites(session),
  }));
}

const selectIdentity = prepareQuery<SignInTables, { id: string }, SessionIdentityRow>((db, value) =>
  db
    .selectFrom('sessions as s')
    .innerJoin('members as m', 'm.id', 's.member_id')
    .innerJoin('organizations as o', 'o.id', 's.organization_id')
    .select(['s.id', 's.family_hash', 's.organization_id', 's.member_id', 's.expires_at'])
    .select(['m.role', 'm.status', 'o.plan', 'o.ip_allowlist'])
    .where('s.id', '=', value('id')),
);

function createAccountReads(
  session: SqlSession,
): Omit<SignInReads, 'identifySession' | 'findSession' | 'listSessions'> {
  const db = () => session.kysely<SignInTables>();
  const accounts = () =>
    db()
      .selectFrom('members as m')
      .innerJoin('organizations as o', 'o.id', 'm.organization_id')
      .leftJoin('member_credentials as c', 'c.member_id', 'm.id')
      .selectAll('m')
      .select(['o.name as organization_name', 'o.slug as organization_slug', 'o.ip_allowlist'])
      .select(['c.password_hash', 'c.sealed_mfa_secret']);
  const resets = () => db().selectFrom('password_resets').selectAll();
  return {
    listSealedMfaSecrets: sealedMfaSecrets(session).list,
    listSealedResets: sealedResets(session).list,
    async findAccountsByEmail(email) {
      const own = accounts().where('m.email_key', '=', email.toLowerCase());
      const rows: AccountRow[] = await own.orderBy('m.organization_id').execute();
      return rows.map(toAccount);
    },
    async findAccount({ organizationId, memberId }) {
      const row = await accounts()
        .where('m.id', '=', memberId)
        .where('m.organization_id', '=', organizationId)
        .executeTakeFirst();
      return row ? toAccount(row) : null;
    },
    async findFailures(subject) {
      const query = db().selectFrom('sign_in_failures').selectAll();
      const row = await query.where('subject', '=', subject).executeTakeFirst();
      return row ? toFailures(row) : null;
    },
    async countRecoveryCodes({ organizationId, memberId }) {
      const { count } = await db()
        .selectFrom('recovery_codes')
        .select((eb) => eb.fn.countAll().as('count'))
        .where('organization_id', '=', organizationId)
        .where('member_id', '=', memberId)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    async findPasswordReset({ organizationId, memberId }) {
      const row = await resets()
        .where('organization_id', '=', organizationId)
        .where('member_id', '=', memberId)
        .executeTakeFirst();
      return row ? toPasswordReset(row) : null;
    },
    async findPasswordResetByToken(tokenHash) {
      const row = await resets().where('token_hash', '=', tokenHash).executeTakeFirst();
      return row ? toPasswordReset(row) : null;
    },
  };
}

function createSessionReads(
  session: SqlSession,
): Pick<SignInReads, 'identifySession' | 'findSession' | 'listSessions'> {
  const sessionsOf = ({ organizationId, memberId }: MemberKey) =>
    session
      .kysely<SignInTables>()
      .selectFrom('sessions')
      .where('organization_id', '=', organizationId)
      .where('member_id', '=', memberId);
  return {
    async identifySession(id) {
      const [row] = await selectIdentity(session, { id });
      return row ? toSessionIdentity(row) : null;
    },
    async findSession(key, id) {
      const row = await sessionsOf(key).selectAll().where('id', '=', id).executeTakeFirst();
      return row ? toSession(row) : null;
    },
    async listSessions(key, now, { limit, offset }: Page) {
      const own = sessionsOf(key).where('expires_at', '>', now.getTime());
      const newest = own.selectAll().orderBy('created_at', 'desc').orderBy('id');
      const rows = await newest.limit(limit).offset(offset).execute();
      const { count } = await own
        .select((eb) => eb.fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      return { items: rows.map(toSession), total: Number(count) };
    },
  };
}

function createSessionWrites(
  session: SqlSession,
): Pick<
  SignInWrites,
  | 'insertSession'
  | 'lockSessionByFamily'
  | 'renewSession'
  | 'deleteSession'
  | 'deleteSessionsOf'
  | 'deleteExpiredSessions'
> {
  const db = () => session.kysely<SignInTables>();
  return {
    async insertSession(created) {
      await db().insertInto('sessions').values(toSessionRow(created)).execute();
    },
    async lockSessionByFamily(familyHash) {
      const query = db().selectFrom('sessions').selectAll().where('family_hash', '=', familyHash);
      const row = await forUpdate(session.dialect, query).executeTakeFirst();
      return row ? toSession(row) : null;
    },
    async renewSession(id, refreshHash, at) {
      await db()
        .updateTable('sessions')
        .set((eb) => ({
          previous_hash: eb.ref('refresh_hash'),
          refresh_hash: refreshHash,
          last_used: at.getTime(),
        }))
        .where('id', '=', id)
        .execute();
    },
    async deleteSession({ organizationId, memberId }, id) {
      const deleted = await db()
        .deleteFrom('sessions')
        .where('organization_id', '=', organizationId)
        .where('member_id', '=', memberId)
        .where('id', '=', id)
        .executeTakeFirst();
      return deleted.numDeletedRows > 0n;
    },
    deleteSessionsOf: (key, exceptId) => deleteSessionsOf(session, key, exceptId),
    async deleteExpiredSessions(before, limit) {
      const expired = db()
        .selectFrom('sessions')
        .select('id')
        .where('expires_at', '<', before.getTime())
        .limit(limit);
      const deleted = await db()
        .deleteFrom('sessions')
        .where('id', 'in', expired)
        .executeTakeFirst();
      return Number(deleted.numDeletedRows);
    },
  };
}

/** Ends a member's sessions, leaving out one; answers how many. */
export async function deleteSessionsOf(
  session: SqlSession,
  { organizationId, memberId }: MemberKey,
  exceptId?: string,
): Promise<number> {
  const own = session
    .kysely<SignInTables>()
    .deleteFrom('sessions')
    .where('organization_id', '=', organizationId)
    .where('member_id', '=', memberId);
  const ending = exceptId === undefined ? own : own.where('id', '!=', exceptId);
  return Number((await ending.executeTakeFirst()).numDeletedRows);
}

function createFailureWrites(
  session: SqlSession,
): Pick<SignInWrites, 'openFailures' | 'storeFailures' | 'clearFailures' | 'deleteOldFailures'> {
  const db = () => session.kysely<SignInTables>();
  const failuresOf = (subject: string) =>
    db().selectFrom('sign_in_failures').selectAll().where('subject', '=', subject);
  return {
    async openFailures(subject, now) {
      const none = { failures: 0, lastFailedAt: now, lockedUntil: null };
      await db()
        .insertInto('sign_in_failures')
        .values(toFailuresRow(subject, none))
        .onConflict((conflict) => conflict.column('subject').doNothing())
        .execute();
      const row = await forUpdate(session.dialect, failuresOf(subject)).executeTakeFirst();
      return row ? toFailures(row) : none;
    },
    async storeFailures(subject, failures) {
      const { subject: _, ...changes } = toFailuresRow(subject, failures);
      await db()
        .insertInto('sign_in_failures')
        .values({ subject, ...changes })
        .onConflict((conflict) => conflict.column('subject').doUpdateSet(changes))
        .execute();
    },
    async clearFailures(subject, now) {
      await db()
        .updateTable('sign_in_failures')
        .set({ failures: 0, locked_until: null })
        .where('subject', '=', subject)
        .where((eb) =>
          eb.or([eb('locked_until', 'is', null), eb('locked_until', '<=', now.getTime())]),
        )
        .execute();
      const row = await failuresOf(subject).executeTakeFirst();
      return row ? toFailures(row).lockedUntil : null;
    },
    async deleteOldFailures(before, limit) {
      const old = db()
        .selectFrom('sign_in_failures')
        .select('subject')
        .where('last_failed_at', '<', before.getTime())
        .limit(limit);
      const deleted = await db()
        .deleteFrom('sign_in_failures')
        .where('subject', 'in', old)
        .executeTakeFirst();
      return Number(deleted.numDeletedRows);
    },
  };
}
