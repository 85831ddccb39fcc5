import type { SqlSession } from '@probity/core/sql';
import { forKeyShare, forUpdate, pageOf, prepareQuery } from '@probity/core/sql';
import type { Kysely } from 'kysely';
import type { MemberTables } from '../../members/sql/tables.ts';
import type { OrganizationTables } from '../../organizations/sql/tables.ts';
import type { ApiKeyReads, ApiKeyWrites } from '../storage.ts';
import type { ApiKeyIdentityRow } from './rows.ts';
import { toApiKey, toApiKeyIdentity, toApiKeyRow } from './rows.ts';
import type { CredentialTables } from './tables.ts';
import { touchTokens } from './touch-tokens.ts';

type IdentityTables = CredentialTables & MemberTables & OrganizationTables;

type Value = { value: string };

const byHash = prepareIdentity('k.token_hash');
const byId = prepareIdentity('k.id');

/** Queries for the identity of the key with a value in this column. */
function prepareIdentity(column: 'k.token_hash' | 'k.id') {
  return {
    find: prepareQuery<IdentityTables, Value, ApiKeyIdentityRow>((db, value) =>
      identities(db).where(column, '=', value('value')),
    ),
    // The member first, as its suspension and removal, which end its credentials.
    hold: prepareQuery<IdentityTables, Value, ApiKeyIdentityRow>((db, value, dialect) =>
      forKeyShare(dialect, identities(db).where(column, '=', value('value')), ['m', 'k']),
    ),
  };
}

function identities(db: Kysely<IdentityTables>) {
  return db
    .selectFrom('probity_api_keys as k')
    .innerJoin('probity_members as m', 'm.id', 'k.member_id')
    .innerJoin('probity_organizations as o', 'o.id', 'k.organization_id')
    .innerJoin('probity_tenants as tenant', 'tenant.id', 'o.id')
    .where('tenant.removed_at', 'is', null)
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
    ]);
}

/** Creates the SQL storage for API keys. */
export function createSqlApiKeys(session: SqlSession): ApiKeyReads & ApiKeyWrites {
  const db = () => session.kysely<CredentialTables>();
  const identify = async ({ find, hold }: typeof byId, value: string, isHeld = false) => {
    const [row] = await (isHeld ? hold : find)(session, { value });
    return row ? toApiKeyIdentity(row) : null;
  };
  return {
    listApiKeys(organizationId, page) {
      const keys = db()
        .selectFrom('probity_api_keys')
        .where('organization_id', '=', organizationId)
        .where('revoked_at', 'is', null);
      // With the null first, PostgreSQL reads the order from the index too.
      const ordered = keys.orderBy('revoked_at').orderBy('created_at').orderBy('id');
      return pageOf(ordered.selectAll(), page, toApiKey);
    },
    identifyApiKey: (hash, isHeld) => identify(byHash, hash, isHeld),
    identifyApiKeyById: (id, isHeld) => identify(byId, id, isHeld),
    async insertApiKey(key) {
      await db().insertInto('probity_api_keys').values(toApiKeyRow(key)).execute();
    },
    async revokeApiKey(organizationId, id, at) {
      const own = db()
        .selectFrom('probity_api_keys')
        .select('id')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id);
      // The update alone would not wait for those that hold the key.
      if (!(await forUpdate(session.dialect, own).executeTakeFirst())) return null;
      const row = await db()
        .updateTable('probity_api_keys')
        .set({ revoked_at: at.getTime() })
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .returningAll()
        .executeTakeFirst();
      return row ? toApiKey(row) : null;
    },
    touchApiKeys: (lastUsed) => touchTokens(session, 'probity_api_keys', lastUsed),
  };
}
