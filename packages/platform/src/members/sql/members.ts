import type { Page } from '@probity/core';
import { bindStorage } from '@probity/core';
import type { SqlDatabase, SqlSession } from '@probity/core/sql';
import { isUniqueViolation, prepareQuery } from '@probity/core/sql';
import { emailTaken } from '../../errors.ts';
import { toMember, toMemberRow } from '../../organizations/sql/rows.ts';
import type { Member } from '../../organizations/types.ts';
import { deleteSessionsOf } from '../../sign-in/sql/storage.ts';
import type { MemberReads, MemberStorage, MemberWrites } from '../storage.ts';
import { createInvitationReads, createInvitationWrites } from './invitations.ts';
import type { MemberRow, MemberTables } from './tables.ts';

/** Members and invitations on SQLite and PostgreSQL. */
export function createSqlMemberStorage(database: SqlDatabase): MemberStorage {
  return bindStorage<SqlSession, MemberReads, MemberWrites>(database, (session) => ({
    ...createMemberReads(session),
    ...createInvitationReads(session),
    ...createMemberWrites(session),
    ...createInvitationWrites(session),
  }));
}

interface ById {
  readonly organizationId: string;
  readonly id: string;
}

const selectMember = prepareQuery<MemberTables, ById, MemberRow>((db, value) =>
  db
    .selectFrom('members')
    .selectAll()
    .where('organization_id', '=', value('organizationId'))
    .where('id', '=', value('id')),
);

const selectMembers = prepareQuery<MemberTables, { organizationId: string } & Page, MemberRow>(
  (db, value) =>
    db
      .selectFrom('members')
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
    .selectFrom('members')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('organization_id', '=', value('organizationId')),
);

const insertRow = prepareQuery<MemberTables, MemberRow, object>((db, value) =>
  db.insertInto('members').values({
    id: value('id'),
    organization_id: value('organization_id'),
    email: value('email'),
    email_key: value('email_key'),
    name: value('name'),
    role: value('role'),
    status: value('status'),
    mfa_enabled: value('mfa_enabled'),
    created_at: value('created_at'),
    last_login: value('last_login'),
  }),
);

function createMemberReads(
  session: SqlSession,
): Pick<MemberReads, 'findMember' | 'listMembers' | 'countOtherActiveOwners'> {
  return {
    findMember: (organizationId, id) => findMember(session, organizationId, id),
    async listMembers(organizationId, page) {
      const rows = await selectMembers(session, { organizationId, ...page });
      const [counted] = await countMembers(session, { organizationId });
      return { items: rows.map(toMember), total: Number(counted?.count ?? 0) };
    },
    async countOtherActiveOwners(organizationId, memberId) {
      const { count } = await session
        .kysely<MemberTables>()
        .selectFrom('members')
        .select((eb) => eb.fn.countAll().as('count'))
        .where('organization_id', '=', organizationId)
        .where('id', '!=', memberId)
        .where('role', '=', 'owner')
        .where('status', '=', 'active')
        .executeTakeFirstOrThrow();
      return Number(count);
    },
  };
}

/** The member with this id in the organization, or null. */
export async function findMember(
  session: SqlSession,
  organizationId: string,
  id: string,
): Promise<Member | null> {
  const [row] = await selectMember(session, { organizationId, id });
  return row ? toMember(row) : null;
}

/** Stores a member. @throws ProbityError `already_exists` when the e-mail is taken */
export async function insertMember(session: SqlSession, member: Member): Promise<void> {
  await insertRow(session, toMemberRow(member)).catch((error: unknown) => {
    const isTaken = isUniqueViolation(error, 'members', ['organization_id', 'email_key']);
    throw isTaken ? emailTaken() : error;
  });
}

function createMemberWrites(
  session: SqlSession,
): Pick<MemberWrites, 'insertMember' | 'updateMember' | 'deleteMember'> {
  const db = () => session.kysely<MemberTables>();
  return {
    insertMember: (member) => insertMember(session, member),
    async updateMember(organizationId, id, changes) {
      const row = await db()
        .updateTable('members')
        .set(changes)
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      if (row && changes.status === 'suspended') {
        await deleteSessionsOf(session, { organizationId, memberId: id });
      }
      return row ? toMember(row) : null;
    },
    async deleteMember(organizationId, id) {
      const row = await db()
        .deleteFrom('members')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
