import type { Kysely } from 'kysely';
import type { Role } from '../contract/permissions.ts';
import type { Plan } from '../contract/plans.ts';
import type { ScopedTokenPrefix } from '../contract/prefixes.ts';
import type { Scope } from '../contract/scopes.ts';
import { countChanges, deleteBatch } from '../sql/count-changes.ts';
import { forKeyShare, toDate } from '../sql/dialect.ts';
import { pageOf } from '../sql/page-of.ts';
import { prepareInsert } from '../sql/prepare-insert.ts';
import { prepareQuery } from '../sql/prepared-query.ts';
import type { SqlSession } from '../sql/session.ts';
import type { ScopedTokenReads, ScopedTokenWrites } from './storage.ts';
import type { ScopedToken } from './types.ts';

const TABLE = 'probity_scoped_tokens';

interface ScopedTokenTables {
  probity_scoped_tokens: ScopedTokenRow;
  probity_tenants: { id: string; removed_at: number | null };
}

/** Times are milliseconds since 1970. */
interface ScopedTokenRow {
  id: string;
  organization_id: string;
  kind: string;
  token_hash: string;
  member_id: string;
  key_id: string;
  session_id: string | null;
  role: string;
  plan: string;
  /** A list as JSON. */
  scopes: string;
  /** A list as JSON; null for all resources. */
  resource_ids: string | null;
  created_at: number;
  expires_at: number;
}

const insertToken = prepareInsert<ScopedTokenRow>(TABLE, [
  ...(['id', 'organization_id', 'kind', 'token_hash', 'member_id', 'key_id'] as const),
  ...(['session_id', 'role', 'plan', 'scopes', 'resource_ids', 'created_at'] as const),
  'expires_at',
]);

const selectToken = prepareQuery<ScopedTokenTables, { hash: string }, ScopedTokenRow>((db, value) =>
  tokenOf(db, value('hash')),
);

const holdToken = prepareQuery<ScopedTokenTables, { hash: string }, ScopedTokenRow>(
  (db, value, dialect) => forKeyShare(dialect, tokenOf(db, value('hash')), ['s']),
);

function tokenOf(db: Kysely<ScopedTokenTables>, hash: string) {
  return db
    .selectFrom('probity_scoped_tokens as s')
    .innerJoin('probity_tenants as t', 't.id', 's.organization_id')
    .selectAll('s')
    .where('s.token_hash', '=', hash)
    .where('t.removed_at', 'is', null);
}

/** Tokens of limited scope on a SQL session. */
export function createSqlScopedTokens(session: SqlSession): ScopedTokenReads & ScopedTokenWrites {
  const db = () => session.kysely<ScopedTokenTables>();
  const ofKind = (organizationId: string, kind: ScopedTokenPrefix) =>
    db().deleteFrom(TABLE).where('organization_id', '=', organizationId).where('kind', '=', kind);
  return {
    async identifyScopedToken(hash, isHeld = false) {
      const [row] = await (isHeld ? holdToken : selectToken)(session, { hash });
      return row ? toToken(row) : null;
    },
    async countScopedTokens(organizationId, kind, after) {
      const { total } = await db()
        .selectFrom(TABLE)
        .select(({ fn }) => fn.countAll().as('total'))
        .where('organization_id', '=', organizationId)
        .where('kind', '=', kind)
        .where('expires_at', '>', after.getTime())
        .executeTakeFirstOrThrow();
      return Number(total);
    },
    listScopedTokens({ organizationId, kind, after, memberId }, page) {
      const inForce = db()
        .selectFrom(TABLE)
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('kind', '=', kind)
        .where('expires_at', '>', after.getTime());
      const found = memberId === undefined ? inForce : inForce.where('member_id', '=', memberId);
      return pageOf(found.orderBy('expires_at', 'desc').orderBy('id', 'desc'), page, toToken);
    },
    async insertScopedToken(token) {
      await insertToken(session, toRow(token));
    },
    async deleteScopedToken(organizationId, kind, id) {
      return (await countChanges(ofKind(organizationId, kind).where('id', '=', id))) > 0;
    },
    deleteScopedTokensOf(organizationId, kind, memberId) {
      const all = ofKind(organizationId, kind);
      return countChanges(memberId === undefined ? all : all.where('member_id', '=', memberId));
    },
    deleteExpiredScopedTokens(before, limit) {
      const expired = db()
        .selectFrom(TABLE)
        .select('id')
        .where('expires_at', '<', before.getTime())
        .orderBy('expires_at')
        .limit(limit);
      return deleteBatch(session, TABLE, 'id', expired);
    },
  };
}

function toRow({ issuer, grant, ...token }: ScopedToken): ScopedTokenRow {
  return {
    id: token.id,
    organization_id: token.organizationId,
    kind: token.kind,
    token_hash: token.tokenHash,
    member_id: issuer.memberId,
    key_id: issuer.keyId,
    session_id: issuer.sessionId ?? null,
    role: issuer.role,
    plan: issuer.plan,
    scopes: JSON.stringify(grant.scopes),
    resource_ids: grant.resourceIds && JSON.stringify(grant.resourceIds),
    created_at: token.createdAt.getTime(),
    expires_at: token.expiresAt.getTime(),
  };
}

function toToken(row: ScopedTokenRow): ScopedToken {
  const { organization_id: organizationId, member_id: memberId, key_id: keyId } = row;
  const issuer = {
    organizationId,
    memberId,
    keyId,
    role: row.role as Role,
    plan: row.plan as Plan,
  };
  return {
    id: row.id,
    kind: row.kind as ScopedTokenPrefix,
    tokenHash: row.token_hash,
    organizationId,
    issuer: row.session_id === null ? issuer : { ...issuer, sessionId: row.session_id },
    grant: {
      scopes: JSON.parse(row.scopes) as Scope[],
      resourceIds: row.resource_ids === null ? null : (JSON.parse(row.resource_ids) as string[]),
    },
    createdAt: toDate(row.created_at),
    expiresAt: toDate(row.expires_at),
  };
}
