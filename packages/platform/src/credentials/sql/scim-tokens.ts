import type { Plan } from '@probity/core';
import type { SqlSession } from '@probity/core/sql';
import { prepareQuery, toDateOrNull } from '@probity/core/sql';
import type { OrganizationTables } from '../../organizations/sql/tables.ts';
import type { ScimTokenReads, ScimTokenWrites } from '../storage.ts';
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

const selectIdentity = prepareQuery<IdentityTables, { hash: string }, ScimTokenIdentityRow>(
  (db, value) =>
    db
      .selectFrom('probity_scim_tokens as t')
      .innerJoin('probity_organizations as o', 'o.id', 't.organization_id')
      .select(['t.id', 't.organization_id', 'o.plan', 'o.ip_allowlist'])
      .select(['t.expires_at', 't.revoked_at'])
      .where('t.token_hash', '=', value('hash')),
);

/** Creates the SQL storage for SCIM tokens. */
export function createSqlScimTokens(session: SqlSession): ScimTokenReads & ScimTokenWrites {
  const db = () => session.kysely<CredentialTables>();
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
    async identifyScimToken(hash) {
      const [row] = await selectIdentity(session, { hash });
      if (!row) return null;
      return {
        tokenId: row.id,
        organizationId: row.organization_id,
        plan: row.plan as Plan,
        ipAllowlist: row.ip_allowlist,
        expiresAt: toDateOrNull(row.expires_at),
        revokedAt: toDateOrNull(row.revoked_at),
      };
    },
    async insertScimToken(token) {
      await db().insertInto('probity_scim_tokens').values(toTokenRow(token)).execute();
    },
    async expireScimToken(id, at) {
      await liveToken(id).set({ expires_at: at.getTime() }).execute();
    },
    async revokeScimToken(id, at) {
      await liveToken(id).set({ revoked_at: at.getTime() }).execute();
    },
    touchScimTokens: (lastUsed) => touchTokens(session, 'probity_scim_tokens', lastUsed),
  };

  function liveToken(id: string) {
    return db()
      .updateTable('probity_scim_tokens')
      .where('id', '=', id)
      .where('revoked_at', 'is', null);
  }
}
