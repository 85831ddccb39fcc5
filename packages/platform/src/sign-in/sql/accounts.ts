import { mailboxKey } from '@probity/core/internal';
import type { SqlSession } from '@probity/core/sql';
import type { MemberTables } from '../../members/sql/tables.ts';
import type { OrganizationTables } from '../../organizations/sql/tables.ts';
import type { AccountReads, AccountWrites } from '../storage.ts';
import type { MemberKey } from '../types.ts';
import type { AccountRow } from './rows.ts';
import { toAccount } from './rows.ts';
import type { CredentialsRow, SignInTables } from './tables.ts';

/** Creates the SQL storage for accounts. */
export function createSqlAccounts(session: SqlSession): AccountReads & AccountWrites {
  const db = () => session.kysely<SignInTables & MemberTables & OrganizationTables>();
  const accounts = () =>
    db()
      .selectFrom('probity_members as m')
      .innerJoin('probity_organizations as o', 'o.id', 'm.organization_id')
      .innerJoin('probity_tenants as tenant', 'tenant.id', 'o.id')
      .where('tenant.removed_at', 'is', null)
      .leftJoin('probity_member_credentials as c', 'c.member_id', 'm.id')
      .selectAll('m')
      .select(['o.name as organization_name', 'o.slug as organization_slug', 'o.ip_allowlist'])
      .select(['c.password_hash', 'c.sealed_mfa_secret']);
  return {
    async findAccountsByEmail(email) {
      // Rows of earlier versions have the letter case alone changed.
      const keys = [...new Set([mailboxKey(email), email.toLowerCase()])];
      const own = accounts().where('m.email_key', 'in', keys);
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
    async setPasswordHash(key, passwordHash) {
      await putCredentials(session, key, { password_hash: passwordHash });
      await db()
        .deleteFrom('probity_password_resets')
        .where('member_id', '=', key.memberId)
        .execute();
    },
    async recordSignIn({ organizationId, memberId }, at) {
      await db()
        .updateTable('probity_members')
        .set({ last_login: at.getTime() })
        .where('organization_id', '=', organizationId)
        .where('id', '=', memberId)
        .execute();
    },
  };
}

/** Updates the member's credentials; creates an empty row first when there is none. */
export async function putCredentials(
  session: SqlSession,
  { organizationId, memberId }: MemberKey,
  changes: Partial<CredentialsRow>,
): Promise<void> {
  const none = { password_hash: null, sealed_mfa_secret: null, mfa_last_step: null };
  await session
    .kysely<SignInTables>()
    .insertInto('probity_member_credentials')
    .values({ member_id: memberId, organization_id: organizationId, ...none, ...changes })
    .onConflict((conflict) => conflict.column('member_id').doUpdateSet(changes))
    .execute();
}
