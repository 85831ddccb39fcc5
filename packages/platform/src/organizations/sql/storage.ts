import { bindStorage } from '@probity/core';
import type { SqlDatabase, SqlSession } from '@probity/core/sql';
import { createSqlTenants, isUniqueViolation, prepareQuery } from '@probity/core/sql';
import { createSqlSubscriptionInserts } from '../../billing/sql/storage.ts';
import type { SubscriptionInserts } from '../../billing/storage.ts';
import type { ScimTokenReads, ScimTokenWrites } from '../../credentials/scim-token-storage.ts';
import { createSqlScimTokens } from '../../credentials/sql.ts';
import { slugTaken } from '../../errors.ts';
import { findMember, insertMember } from '../../members/sql/members.ts';
import type { PlatformReads, PlatformStorage, PlatformWrites } from '../storage.ts';
import type { ApiKeyIdentityRow } from './rows.ts';
import {
  toApiKey,
  toApiKeyIdentity,
  toApiKeyRow,
  toOrganizationOverview,
  toOrganizationRow,
} from './rows.ts';
import type { OrganizationRow, PlatformTables } from './tables.ts';

/** The platform's storage on SQLite and PostgreSQL. */
export function createSqlPlatformStorage(database: SqlDatabase): PlatformStorage {
  return bindStorage<SqlSession, PlatformReads, PlatformWrites>(database, (session) => ({
    ...createReads(session),
    ...createWrites(session),
    ...createSqlScimTokens(session),
    ...createSqlSubscriptionInserts(session),
  }));
}

const selectIdentity = prepareQuery<PlatformTables, { hash: string }, ApiKeyIdentityRow>(
  (db, value) =>
    db
      .selectFrom('api_keys as k')
      .innerJoin('members as m', 'm.id', 'k.member_id')
      .innerJoin('organizations as o', 'o.id', 'k.organization_id')
      .select([
        'k.id as key_id',
        'k.organization_id',
        'k.member_id',
        'k.role as key_role',
        'k.expires_at',
        'k.revoked_at',
        'm.role as member_role',
        'm.status as member_status',
        'o.plan',
        'o.ip_allowlist',
      ])
      .where('k.token_hash', '=', value('hash')),
);

interface OverviewRow extends OrganizationRow {
  members_count: number | string | bigint;
}

const selectOverview = prepareQuery<PlatformTables, { id: string }, OverviewRow>((db, value) =>
  db
    .selectFrom('organizations as o')
    .selectAll('o')
    .select((eb) =>
      eb
        .selectFrom('members as m')
        .select((inner) => inner.fn.countAll().as('count'))
        .whereRef('m.organization_id', '=', 'o.id')
        .where('m.status', '!=', 'suspended')
        .as('members_count'),
    )
    .where('o.id', '=', value('id'))
    .$castTo<OverviewRow>(),
);

function createReads(session: SqlSession): Omit<PlatformReads, keyof ScimTokenReads> {
  const db = session.kysely<PlatformTables>();
  return {
    async findOrganization(id) {
      const [row] = await selectOverview(session, { id });
      return row ? toOrganizationOverview(row, Number(row.members_count)) : null;
    },
    async countOrganizations() {
      const { count } = await db
        .selectFrom('organizations')
        .select((eb) => eb.fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    async listOrganizationIds() {
      const rows = await db.selectFrom('organizations').select('id').orderBy('id').execute();
      return rows.map(({ id }) => id);
    },
    async isSlugTaken(slug) {
      const query = db.selectFrom('organizations').select('id').where('slug', '=', slug);
      return (await query.executeTakeFirst()) !== undefined;
    },
    async listApiKeys(organizationId, { limit, offset }) {
      const keys = db
        .selectFrom('api_keys')
        .where('organization_id', '=', organizationId)
        .where('revoked_at', 'is', null);
      const rows = keys.selectAll().orderBy('created_at').orderBy('id').limit(limit).offset(offset);
      const { count } = await keys
        .select((eb) => eb.fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      return { items: (await rows.execute()).map(toApiKey), total: Number(count) };
    },
    async identifyApiKey(hash) {
      const [row] = await selectIdentity(session, { hash });
      return row ? toApiKeyIdentity(row) : null;
    },
    findMember: (organizationId, id) => findMember(session, organizationId, id),
  };
}

function createWrites(
  session: SqlSession,
): Omit<PlatformWrites, keyof ScimTokenWrites | keyof SubscriptionInserts> {
  const db = session.kysely<PlatformTables>();
  return {
    async insertOrganization(organization) {
      await createSqlTenants(session).ensureTenant(organization.id);
      const insert = db.insertInto('organizations').values(toOrganizationRow(organization));
      await insert.execute().catch((error: unknown) => {
        const isTaken = isUniqueViolation(error, 'organizations', ['slug']);
        throw isTaken ? slugTaken(organization.slug) : error;
      });
    },
    async updateOrganization(id, { name, timezone, ipAllowlist }) {
      const changes = {
        ...(name === undefined ? {} : { name }),
        ...(timezone === undefined ? {} : { timezone }),
        ...(ipAllowlist === undefined ? {} : { ip_allowlist: JSON.stringify(ipAllowlist) }),
      };
      if (Object.keys(changes).length === 0) return;
      await db.updateTable('organizations').set(changes).where('id', '=', id).execute();
    },
    insertMember: (member) => insertMember(session, member),
    async insertApiKey(key) {
      await db.insertInto('api_keys').values(toApiKeyRow(key)).execute();
    },
    async revokeApiKey(organizationId, id, at) {
      const row = await db
        .updateTable('api_keys')
        .set({ revoked_at: at.getTime() })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .returningAll()
        .executeTakeFirst();
      return row ? toApiKey(row) : null;
    },
    async touchApiKeys(lastUsed) {
      // In the order of ids, so that two instances cannot wait for each other's rows.
      for (const [id, at] of [...lastUsed].sort(([left], [right]) => (left < right ? -1 : 1))) {
        await db
          .updateTable('api_keys')
          .set({ last_used: at.getTime() })
          .where('id', '=', id)
          .where((eb) => eb.or([eb('last_used', 'is', null), eb('last_used', '<', at.getTime())]))
          .execute();
      }
    },
  };
}
