import type { Plan } from '@probity/core';
import type { SqlSession } from '@probity/core/sql';
import { forKeyShare, forUpdate, prepareQuery, toDateOrNull } from '@probity/core/sql';
import type { Kysely } from 'kysely';
import type { OrganizationTables } from '../../organizations/sql/tables.ts';
import type { ScimTokenReads, ScimTokenWrites } from '../storage.ts';
import type { ScimTokenIdentity } from '../types.ts';
import { toStoredToken, toTokenRow } from './rows.ts';
import type { CredentialTables } from './tables.ts';
import { touchTokens } from './touch-tokens.ts';

type IdentityTables = CredentialTables & OrganizationTables;

/** The joined row that SCIM authentication reads. */
interface ScimTokenIdentityRow {
  id: string;
  organization_id: string;
  plan: string;
  ip_allowlist: string;
  expires_at: number | null;
  revoked_at: number | null;
}

type Value = { value: string };

const byHash = prepareIdentity('t.token_hash');
const byId = prepareIdentity('t.id');

/** Queries for the identity of the token with a value in this column. */
function prepareIdentity(column: 't.token_hash' | 't.id') {
  return {
    find: prepareQuery<IdentityTables, Value, ScimTokenIdentityRow>((db, value) =>
      identities(db).where(column, '=', value('value')),
    ),
    hold: prepareQuery<IdentityTables, Value, ScimTokenIdentityRow>((db, value, dialect) =>
      forKeyShare(dialect, identities(db).where(column, '=', value('value')), ['t']),
    ),
  };
}

function identities(db: Kysely<IdentityTables>) {
  return db
    .selectFrom('probity_scim_tokens as t')
    .innerJoin('probity_organizations as o', 'o.id', 't.organization_id')
    .innerJoin('probity_tenants as tenant', 'tenant.id', 'o.id')
    .where('tenant.removed_at', 'is', null)
    .select(['t.id', 't.organization_id', 'o.plan', 'o.ip_allowlist'])
    .select(['t.expires_at', 't.revoked_at']);
}

function toIdentity(row: ScimTokenIdentityRow): ScimTokenIdentity {
  return {
    tokenId: row.id,
    organizationId: row.organization_id,
    plan: row.plan as Plan,
    ipAllowlist: row.ip_allowlist,
    expiresAt: toDateOrNull(row.expires_at),
    revokedAt: toDateOrNull(row.revoked_at),
  };
}

/** Creates the SQL storage for SCIM tokens. */
export function createSqlScimTokens(session: SqlSession): ScimTokenReads & ScimTokenWrites {
  const db = () => session.kysely<CredentialTables>();
  const identify = async ({ find, hold }: typeof byId, value: string, isHeld = false) => {
    const [row] = await (isHeld ? hold : find)(session, { value });
    return row ? toIdentity(row) : null;
  };
  return {
    async listScimTokens(organizationId) {
      const rows = await db()
        .selectFrom('probity_scim_tokens')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('revoked_at', 'is', null)
        // With the null first, PostgreSQL reads the order from the index too.
        .orderBy('revoked_at', 'desc')
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return rows.map(toStoredToken);
    },
    identifyScimToken: (hash, isHeld) => identify(byHash, hash, isHeld),
    identifyScimTokenById: (id, isHeld) => identify(byId, id, isHeld),
    async insertScimToken(token) {
      await db().insertInto('probity_scim_tokens').values(toTokenRow(token)).execute();
    },
    async expireScimToken(id, at) {
      await awaitRequests(id);
      await liveToken(id).set({ expires_at: at.getTime() }).execute();
    },
    async revokeScimToken(id, at) {
      await awaitRequests(id);
      await liveToken(id).set({ revoked_at: at.getTime() }).execute();
    },
    touchScimTokens: (lastUsed) => touchTokens(session, 'probity_scim_tokens', lastUsed),
  };

  /** The update alone would not wait for those that hold the token. */
  async function awaitRequests(id: string): Promise<void> {
    const token = db().selectFrom('probity_scim_tokens').select('id').where('id', '=', id);
    await forUpdate(session.dialect, token).execute();
  }

  function liveToken(id: string) {
    return db()
      .updateTable('probity_scim_tokens')
      .where('id', '=', id)
      .where('revoked_at', 'is', null);
  }
}
