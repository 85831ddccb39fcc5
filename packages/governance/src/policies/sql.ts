import { bindStorage } from '@probity/core';
import type { SqlDatabase, SqlSession } from '@probity/core/sql';
import { countChanges, pageOf, prepareQuery, toDate } from '@probity/core/sql';
import type { PolicyRule } from '@probity/pipeline';
import { sql } from 'kysely';
import type { PolicyReads, PolicyStorage, PolicyWrites } from './storage.ts';
import type { PolicyContent, PolicyMode, PolicyVersion, StoredPolicy } from './types.ts';

/** Times are milliseconds since 1970, lists are JSON. */
interface ContentRow {
  name: string;
  description: string | null;
  enabled: number;
  mode: string;
  is_default: number;
  key_ids: string | null;
  rules: string;
}

interface PolicyRow extends ContentRow {
  organization_id: string;
  id: string;
  version: number;
  created_at: number;
  updated_at: number;
}

interface VersionRow extends ContentRow {
  organization_id: string;
  policy_id: string;
  version: number;
  member_id: string | null;
  created_at: number;
}

interface PolicyTables {
  probity_policies: PolicyRow;
  probity_policy_versions: VersionRow;
  probity_policy_generations: { organization_id: string; generation: number };
}

/** Runs at every scan. */
const selectGeneration = prepareQuery<
  PolicyTables,
  { organizationId: string },
  { generation: number }
>((db, value) =>
  db
    .selectFrom('probity_policy_generations')
    .select('generation')
    .where('organization_id', '=', value('organizationId')),
);

/** The storage of policies on SQLite and PostgreSQL. */
export function createSqlPolicyStorage(database: SqlDatabase): PolicyStorage {
  return bindStorage<SqlSession, PolicyReads, PolicyWrites>(database, (session) => ({
    ...createPolicyReads(session),
    ...createPolicyWrites(session),
  }));
}

function createPolicyReads(session: SqlSession): PolicyReads {
  const policiesOf = (organizationId: string) =>
    session
      .kysely<PolicyTables>()
      .selectFrom('probity_policies')
      .selectAll()
      .where('organization_id', '=', organizationId);
  return {
    async policyGeneration(organizationId) {
      const [row] = await selectGeneration(session, { organizationId });
      return Number(row?.generation ?? 0);
    },
    async listPolicies(organizationId) {
      const rows = await policiesOf(organizationId).orderBy('created_at').orderBy('id').execute();
      return rows.map(toPolicy);
    },
    async findPolicy(organizationId, id) {
      const row = await policiesOf(organizationId).where('id', '=', id).executeTakeFirst();
      return row ? toPolicy(row) : null;
    },
    listPolicyVersions(organizationId, policyId, page) {
      const newest = session
        .kysely<PolicyTables>()
        .selectFrom('probity_policy_versions')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('policy_id', '=', policyId)
        .orderBy('version', 'desc');
      return pageOf(newest, page, toVersion);
    },
  };
}

function createPolicyWrites(session: SqlSession): PolicyWrites {
  const db = () => session.kysely<PolicyTables>();
  const changed = (organizationId: string) =>
    db()
      .insertInto('probity_policy_generations')
      .values({ organization_id: organizationId, generation: 1 })
      .onConflict((conflict) =>
        conflict.column('organization_id').doUpdateSet({
          generation: sql<number>`probity_policy_generations.generation + 1`,
        }),
      )
      .execute();
  return {
    async insertPolicy(policy) {
      await db().insertInto('probity_policies').values(toPolicyRow(policy)).execute();
      await changed(policy.organizationId);
    },
    async replacePolicy(policy) {
      const { organization_id, id, created_at: _, ...given } = toPolicyRow(policy);
      await db()
        .updateTable('probity_policies')
        .set(given)
        .where('organization_id', '=', organization_id)
        .where('id', '=', id)
        .execute();
      await changed(organization_id);
    },
    async deletePolicy(organizationId, id) {
      const deletion = db()
        .deleteFrom('probity_policies')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id);
      const isDeleted = (await countChanges(deletion)) > 0;
      if (isDeleted) await changed(organizationId);
      return isDeleted;
    },
    async ensurePolicyVersion(version) {
      await db()
        .insertInto('probity_policy_versions')
        .values(toVersionRow(version))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
  };
}

function toContentRow(content: PolicyContent): ContentRow {
  return {
    name: content.name,
    description: content.description,
    enabled: Number(content.enabled),
    mode: content.mode,
    is_default: Number(content.isDefault),
    key_ids: content.keyIds && JSON.stringify(content.keyIds),
    rules: JSON.stringify(content.rules),
  };
}

function toContent(row: ContentRow): PolicyContent {
  return {
    name: row.name,
    description: row.description,
    enabled: row.enabled === 1,
    mode: row.mode as PolicyMode,
    isDefault: row.is_default === 1,
    keyIds: row.key_ids === null ? null : (JSON.parse(row.key_ids) as string[]),
    rules: JSON.parse(row.rules) as PolicyRule[],
  };
}

function toPolicyRow(policy: StoredPolicy): PolicyRow {
  return {
    organization_id: policy.organizationId,
    id: policy.id,
    version: policy.version,
    ...toContentRow(policy),
    created_at: policy.createdAt.getTime(),
    updated_at: policy.updatedAt.getTime(),
  };
}

function toPolicy(row: PolicyRow): StoredPolicy {
  return {
    id: row.id,
    organizationId: row.organization_id,
    version: row.version,
    ...toContent(row),
    createdAt: toDate(row.created_at),
    updatedAt: toDate(row.updated_at),
  };
}

function toVersionRow(version: PolicyVersion): VersionRow {
  return {
    organization_id: version.organizationId,
    policy_id: version.policyId,
    version: version.version,
    ...toContentRow(version),
    member_id: version.memberId,
    created_at: version.createdAt.getTime(),
  };
}

function toVersion(row: VersionRow): PolicyVersion {
  return {
    organizationId: row.organization_id,
    policyId: row.policy_id,
    version: row.version,
    ...toContent(row),
    memberId: row.member_id,
    createdAt: toDate(row.created_at),
  };
}
