import type { Page } from '@probity/core';
import { mailboxKey } from '@probity/core/internal';
import type { SqlSession } from '@probity/core/sql';
import {
  countRows,
  isUniqueViolation,
  prepareInsert,
  prepareQuery,
  prepareUpdate,
} from '@probity/core/sql';
import { deleteSessionsOf } from '../../sign-in/sql/sessions.ts';
import { emailTaken } from '../rules.ts';
import type { MemberChanges, MemberReads, MemberWrites } from '../storage.ts';
import { toMember, toMemberRow } from './rows.ts';
import type { MemberRow, MemberTables } from './tables.ts';

interface ById {
  readonly organizationId: string;
  readonly id: string;
}

const MEMBER_COLUMNS = [
  ...(['id', 'organization_id', 'email', 'email_key', 'name', 'role', 'status'] as const),
  ...(['suspended_by_admin', 'suspended_by_scim', 'mfa_enabled', 'created_at'] as const),
  'last_login',
] as const;

const selectMember = prepareQuery<MemberTables, ById, MemberRow>((db, value) =>
  db
    .selectFrom('probity_members')
    .selectAll()
    .where('organization_id', '=', value('organizationId'))
    .where('id', '=', value('id')),
);

const selectMemberByEmail = prepareQuery<
  MemberTables,
  { organizationId: string; emailKey: string },
  MemberRow
>((db, value) =>
  db
    .selectFrom('probity_members')
    .selectAll()
    .where('organization_id', '=', value('organizationId'))
    .where('email_key', '=', value('emailKey')),
);

/** For PostgreSQL: on SQLite the only writer holds all rows. */
const lockMember = prepareQuery<MemberTables, ById, { id: string }>((db, value) =>
  db
    .selectFrom('probity_members')
    .select('id')
    .where('organization_id', '=', value('organizationId'))
    .where('id', '=', value('id'))
    .forUpdate(),
);

const updateRow = prepareUpdate<MemberRow, 'organization_id' | 'id', keyof MemberRow>(
  'probity_members',
  ['organization_id', 'id'],
  MEMBER_COLUMNS,
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

const insertRow = prepareInsert<MemberRow>('probity_members', MEMBER_COLUMNS);

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
      // Rows of earlier versions have the letter case alone changed.
      for (const emailKey of new Set([mailboxKey(email), email.toLowerCase()])) {
        const [row] = await selectMemberByEmail(session, { organizationId, emailKey });
        if (row) return toMember(row);
      }
      return null;
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
      // The update alone would not wait for those that hold the member.
      if (session.dialect === 'postgres') await lockMember(session, { organizationId, id });
      const key = { organization_id: organizationId, id };
      const [row] = await updateRow(session, key, toColumns(changes)).catch(refuseTakenEmail);
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
  const columns = email === undefined ? changes : { ...changes, email_key: mailboxKey(email) };
  if (!suspendedAt) return columns;
  return {
    ...columns,
    suspended_by_admin: suspendedAt.admin?.getTime() ?? null,
    suspended_by_scim: suspendedAt.scim?.getTime() ?? null,
  };
}
