import type { SqlSession } from '@probity/core/sql';
import { countRows, createSqlTenants, isUniqueViolation, prepareQuery } from '@probity/core/sql';
import type { MemberTables } from '../../members/sql/tables.ts';
import { slugTaken } from '../slugs.ts';
import type { OrganizationReads, OrganizationWrites } from '../storage.ts';
import { toOrganizationOverview, toOrganizationRow } from './rows.ts';
import type { OrganizationRow, OrganizationTables } from './tables.ts';

interface OverviewRow extends OrganizationRow {
  members_count: number | string | bigint;
}

const selectOverview = prepareQuery<OrganizationTables & MemberTables, { id: string }, OverviewRow>(
  (db, value) =>
    db
      .selectFrom('probity_organizations as o')
      .innerJoin('probity_tenants as tenant', 'tenant.id', 'o.id')
      .where('tenant.removed_at', 'is', null)
      .selectAll('o')
      .select((eb) =>
        eb
          .selectFrom('probity_members as m')
          .select((inner) => inner.fn.countAll().as('count'))
          .whereRef('m.organization_id', '=', 'o.id')
          .where('m.status', '!=', 'suspended')
          .as('members_count'),
      )
      .where('o.id', '=', value('id'))
      .$castTo<OverviewRow>(),
);

/** Creates the SQL storage for organizations. */
export function createSqlOrganizations(
  session: SqlSession,
): OrganizationReads & OrganizationWrites {
  const db = () => session.kysely<OrganizationTables>();
  const present = () =>
    db()
      .selectFrom('probity_organizations as o')
      .innerJoin('probity_tenants as tenant', 'tenant.id', 'o.id')
      .where('tenant.removed_at', 'is', null);
  return {
    async findOrganization(id) {
      const [row] = await selectOverview(session, { id });
      return row ? toOrganizationOverview(row, Number(row.members_count)) : null;
    },
    countOrganizations: () => countRows(present()),
    async listOrganizationIds() {
      const rows = await present().select('o.id').orderBy('o.id').execute();
      return rows.map(({ id }) => id);
    },
    async isSlugTaken(slug) {
      const query = db().selectFrom('probity_organizations').select('id').where('slug', '=', slug);
      return (await query.executeTakeFirst()) !== undefined;
    },
    async insertOrganization(organization) {
      await createSqlTenants(session).ensureTenant(organization.id);
      const insert = db()
        .insertInto('probity_organizations')
        .values(toOrganizationRow(organization));
      await insert.execute().catch((error: unknown) => {
        const isTaken = isUniqueViolation(error, 'probity_organizations', ['slug']);
        throw isTaken ? slugTaken(organization.slug) : error;
      });
    },
    async retireOrganization(id) {
      // No slug contains an underscore, as every id does.
      await db()
        .updateTable('probity_organizations')
        .set({ slug: id })
        .where('id', '=', id)
        .execute();
    },
    async updateOrganization(id, { name, timezone, ipAllowlist }) {
      const changes = {
        ...(name === undefined ? {} : { name }),
        ...(timezone === undefined ? {} : { timezone }),
        ...(ipAllowlist === undefined ? {} : { ip_allowlist: JSON.stringify(ipAllowlist) }),
      };
      if (Object.keys(changes).length === 0) return;
      await db().updateTable('probity_organizations').set(changes).where('id', '=', id).execute();
    },
  };
}
