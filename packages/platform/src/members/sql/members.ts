import type { Page } from '@probity/core';
import type { SqlSession } from '@probity/core/sql';
import { countRows, forUpdate, isUniqueViolation, prepareQuery } from '@probity/core/sql';
import { deleteSessionsOf } from '../../sign-in/sql/sessions.ts';
import { emailTaken } from '../rules.ts';
import type { MemberChanges, MemberReads, MemberWrites } from '../storage.ts';
import { toMember, toMemberRow } from './rows.ts';
import type { MemberRow, MemberTables } from './tables.ts';

interface ById {
  readonly organizationId: string;
  readonly id: string;
}

const selectMember = prepareQuery<MemberTables, ById, MemberRow>((db, value) =>
  db
    .selectFrom('probity_members')
    .selectAll()
    .where('organization_id', '=', value('organizationId'))
    .where('id', '=', value('id')),
);

const selectMembers = prepareQuery<MemberTables, { organizationId: string } & Page, MemberRow>(
  (db, value) =>
    db
      .selectFrom('probity_members')
      .selectAll()
      .where('organization_id', '=', value('organizationId'))
      .orderBy('created_at')
      .orderBy('id')
      .limit(value('limit'))
      .offset(value('offset')),
);

const countMembers = prepareQuery<
  MemberTables,
  { organizationId: string },
  { count: number | string | bigint }
>((db, value) =>
  db
    .selectFrom('probity_members')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('organization_id', '=', value('organizationId')),
);

const insertRow = prepareQuery<MemberTables, MemberRow, object>((db, value) =>
  db.insertInto('probity_members').values({
    id: value('id'),
    organization_id: value('organization_id'),
    email: value('email'),
    email_key: value('email_key'),
    name: value('name'),
    role: value('role'),
    status: value('status'),
    suspended_by_admin: value('suspended_by_admin'),
    suspended_by_scim: value('suspended_by_scim'),
    mfa_enabled: value('mfa_enabled'),
    created_at: value('created_at'),
    last_login: value('last_login'),
  }),
);

/** Creates the SQL storage for members. */
export function createSqlMembers(session: SqlSession): MemberReads & MemberWrites {
  return { ...createReads(session), ...createWrites(session) };
}

function createReads(session: SqlSession): MemberReads {
  return {
    async findMember(organizationId, id) {
      const [row] = await selectMember(session, { organizationId, id });
      return row ? toMember(row) : null;
    },
    async findMemberByEmail(organizationId, email) {
      const row = await session
        .kysely<MemberTables>()
        .selectFrom('probity_members')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('email_key', '=', email.toLowerCase())
        .executeTakeFirst();
      return row ? toMember(row) : null;
    },
    async listMembers(organizationId, page) {
      const rows = await selectMembers(session, { organizationId, ...page });
      const [counted] = await countMembers(session, { organizationId });
      return { items: rows.map(toMember), total: Number(counted?.count ?? 0) };
    },
    async listActiveMembers(organizationId, role, limit) {
      const rows = await session
        .kysely<MemberTables>()
        .selectFrom('probity_members')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('role', '=', role)
        .where('status', '=', 'active')
        .orderBy('created_at')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(toMember);
    },
    countOtherActiveOwners: (organizationId, memberId) =>
      countRows(
        session
          .kysely<MemberTables>()
          .selectFrom('probity_members')
          .where('organization_id', '=', organizationId)
          .where('id', '!=', memberId)
          .where('role', '=', 'owner')
          .where('status', '=', 'active'),
      ),
  };
}

function createWrites(session: SqlSession): MemberWrites {
  const db = () => session.kysely<MemberTables>();
  return {
    async insertMember(member) {
      await insertRow(session, toMemberRow(member)).catch(refuseTakenEmail);
    },
    async updateMember(organizationId, id, changes) {
      const own = db()
        .selectFrom('probity_members')
        .select('id')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id);
      // The update alone would not wait for those that hold the member.
      if (!(await forUpdate(session.dialect, own).executeTakeFirst())) return null;
      const row = await db()
        .updateTable('probity_members')
        .set(toColumns(changes))
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst()
        .catch(refuseTakenEmail);
      if (row && changes.status === 'suspended') {
        await deleteSessionsOf(session, { organizationId, memberId: id });
      }
      return row ? toMember(row) : null;
    },
    async deleteMember(organizationId, id) {
      const row = await db()
        .deleteFrom('probity_members')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

function refuseTakenEmail(error: unknown): never {
  const isTaken = isUniqueViolation(error, 'probity_members', ['organization_id', 'email_key']);
  throw isTaken ? emailTaken() : error;
}

function toColumns({ suspendedAt, ...changes }: MemberChanges): Partial<MemberRow> {
  const { email } = changes;
  const columns = email === undefined ? changes : { ...changes, email_key: email.toLowerCase() };
  if (!suspendedAt) return columns;
  return {
    ...columns,
    suspended_by_admin: suspendedAt.admin?.getTime() ?? null,
    suspended_by_scim: suspendedAt.scim?.getTime() ?? null,
  };
}
