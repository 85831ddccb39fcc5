import type { SqlSession } from '@probity/core/sql';
import {
  countChanges,
  deleteBatch,
  forKeyShare,
  forUpdate,
  pageOf,
  prepareQuery,
} from '@probity/core/sql';
import type { Kysely } from 'kysely';
import type { MemberTables } from '../../members/sql/tables.ts';
import type { OrganizationTables } from '../../organizations/sql/tables.ts';
import type { SessionReads, SessionWrites } from '../storage.ts';
import type { MemberKey } from '../types.ts';
import type { SessionIdentityRow } from './rows.ts';
import { toSession, toSessionIdentity, toSessionRow } from './rows.ts';
import type { SignInTables } from './tables.ts';

type IdentityTables = SignInTables & MemberTables & OrganizationTables;

type Value = { id: string };

const selectIdentity = prepareQuery<IdentityTables, Value, SessionIdentityRow>((db, value) =>
  identityOf(db, value('id')),
);

/** Locks the member first, as its suspension and removal, which end its sessions. */
const holdIdentity = prepareQuery<IdentityTables, Value, SessionIdentityRow>((db, value, dialect) =>
  forKeyShare(dialect, identityOf(db, value('id')), ['m', 's']),
);

function identityOf(db: Kysely<IdentityTables>, id: string) {
  return db
    .selectFrom('probity_sessions as s')
    .innerJoin('probity_members as m', 'm.id', 's.member_id')
    .innerJoin('probity_organizations as o', 'o.id', 's.organization_id')
    .innerJoin('probity_tenants as tenant', 'tenant.id', 'o.id')
    .where('tenant.removed_at', 'is', null)
    .select(['s.id', 's.family_hash', 's.organization_id', 's.member_id', 's.expires_at'])
    .select(['m.role', 'm.status', 'o.plan', 'o.ip_allowlist'])
    .where('s.id', '=', id);
}

/** Creates the SQL storage for sessions. */
export function createSqlSessions(session: SqlSession): SessionReads & SessionWrites {
  return { ...createReads(session), ...createWrites(session) };
}

function createReads(session: SqlSession): SessionReads {
  const sessionsOf = ({ organizationId, memberId }: MemberKey) =>
    session
      .kysely<SignInTables>()
      .selectFrom('probity_sessions')
      .where('organization_id', '=', organizationId)
      .where('member_id', '=', memberId);
  return {
    async identifySession(id, isHeld = false) {
      const [row] = await (isHeld ? holdIdentity : selectIdentity)(session, { id });
      return row ? toSessionIdentity(row) : null;
    },
    async findSession(key, id) {
      const row = await sessionsOf(key).selectAll().where('id', '=', id).executeTakeFirst();
      return row ? toSession(row) : null;
    },
    listSessions(key, now, page) {
      const own = sessionsOf(key).where('expires_at', '>', now.getTime());
      return pageOf(
        own.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc'),
        page,
        toSession,
      );
    },
  };
}

function createWrites(session: SqlSession): SessionWrites {
  const db = () => session.kysely<SignInTables>();
  return {
    async insertSession(created) {
      await db().insertInto('probity_sessions').values(toSessionRow(created)).execute();
    },
    async lockSessionByFamily(familyHash) {
      const query = db()
        .selectFrom('probity_sessions')
        .selectAll()
        .where('family_hash', '=', familyHash);
      const row = await forUpdate(session.dialect, query).executeTakeFirst();
      return row ? toSession(row) : null;
    },
    async renewSession(id, refreshHash, at) {
      await db()
        .updateTable('probity_sessions')
        .set((eb) => ({
          previous_hash: eb.ref('refresh_hash'),
          refresh_hash: refreshHash,
          last_used: at.getTime(),
        }))
        .where('id', '=', id)
        .execute();
    },
    async deleteSession({ organizationId, memberId }, id) {
      const deletion = db()
        .deleteFrom('probity_sessions')
        .where('organization_id', '=', organizationId)
        .where('member_id', '=', memberId)
        .where('id', '=', id);
      return (await countChanges(deletion)) > 0;
    },
    deleteSessionsOf: (key, exceptId) => deleteSessionsOf(session, key, exceptId),
    deleteExpiredSessions(before, limit) {
      const expired = db()
        .selectFrom('probity_sessions')
        .select('id')
        .where('expires_at', '<', before.getTime())
        .limit(limit);
      return deleteBatch(session, 'probity_sessions', 'id', expired);
    },
  };
}

/** Ends the member's sessions except one; returns how many. */
export function deleteSessionsOf(
  session: SqlSession,
  { organizationId, memberId }: MemberKey,
  exceptId?: string,
): Promise<number> {
  const own = session
    .kysely<SignInTables>()
    .deleteFrom('probity_sessions')
    .where('organization_id', '=', organizationId)
    .where('member_id', '=', memberId);
  const ending = exceptId === undefined ? own : own.where('id', '!=', exceptId);
  return countChanges(ending);
}
