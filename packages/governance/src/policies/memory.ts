import type { Database, MemorySession } from '@probity/core';
import { bindStorage } from '@probity/core';
import { byCreation, defineMemoryTable, pageOf } from '@probity/core/internal';
import type { PolicyReads, PolicyStorage, PolicyWrites } from './storage.ts';
import type { PolicyVersion, StoredPolicy } from './types.ts';

interface Generation {
  readonly organizationId: string;
  readonly generation: number;
}

const POLICIES = defineMemoryTable<StoredPolicy>('policies', 'organizationId');
const VERSIONS = defineMemoryTable<PolicyVersion>('policy_versions', 'organizationId');
const GENERATIONS = defineMemoryTable<Generation>('policy_generations', 'organizationId');

/** The storage of policies in memory. */
export function createMemoryPolicyStorage(database: Database<MemorySession>): PolicyStorage {
  return bindStorage<MemorySession, PolicyReads, PolicyWrites>(database, createPolicyOperations);
}

function createPolicyOperations(session: MemorySession): PolicyReads & PolicyWrites {
  const policies = () => session.table(POLICIES);
  const versions = () => session.table(VERSIONS);
  const generations = () => session.table(GENERATIONS);
  const changed = (organizationId: string) => {
    const generation = (generations().get(organizationId)?.generation ?? 0) + 1;
    generations().put(organizationId, { organizationId, generation });
  };
  return {
    async policyGeneration(organizationId) {
      return generations().get(organizationId)?.generation ?? 0;
    },
    async listPolicies(organizationId) {
      return policies()
        .filter((policy) => policy.organizationId === organizationId)
        .sort(byCreation);
    },
    async findPolicy(organizationId, id) {
      return policies().get(keyOf(organizationId, id)) ?? null;
    },
    async listPolicyVersions(organizationId, policyId, page) {
      const own = versions().filter(
        (row) => row.organizationId === organizationId && row.policyId === policyId,
      );
      return pageOf(own, page, (left, right) => right.version - left.version);
    },
    async insertPolicy(policy) {
      policies().put(keyOf(policy.organizationId, policy.id), policy);
      changed(policy.organizationId);
    },
    async replacePolicy(policy) {
      policies().put(keyOf(policy.organizationId, policy.id), policy);
      changed(policy.organizationId);
    },
    async deletePolicy(organizationId, id) {
      const isDeleted = policies().delete(keyOf(organizationId, id));
      if (isDeleted) changed(organizationId);
      return isDeleted;
    },
    async ensurePolicyVersion(version) {
      const { organizationId, policyId } = version;
      const key = keyOf(organizationId, policyId, version.version);
      if (!versions().get(key)) versions().put(key, version);
    },
  };
}

function keyOf(...parts: ReadonlyArray<string | number>): string {
  return JSON.stringify(parts);
}
