import type { CallContext, Logger, Runtime } from '@probity/core';
import type { Pipeline, Policy } from '@probity/pipeline';
import { parsePolicies } from '@probity/pipeline';
import { LRUCache } from 'lru-cache';
import { faultOf } from './input.ts';
import type { PolicyReads, PolicyStorage } from './storage.ts';
import type {
  OrganizationPolicy,
  PolicyContent,
  PolicyVersion,
  ResolvedPolicy,
  StoredPolicy,
} from './types.ts';

/** Organizations whose policies stay in memory. */
const REMEMBERED_ORGANIZATIONS = 1_000;

/** The policies of organizations, as scans apply them. */
export interface PolicySets {
  /**
   * All policies of an organization. They are remembered for as long as the number read at each call, their generation, stays the
   * same: a change takes effect on every instance with the next call.
   */
  current(organizationId: string): Promise<readonly ResolvedPolicy[]>;
  /**
   * Stores the versions of starting policies that are not stored yet, since a scan names them: in a
   * transaction of the call, or in a separate one.
   */
  ensureStored(context: CallContext, policies: readonly ResolvedPolicy[]): Promise<void>;
  /** A policy that organizations start with, in the version of the running release; null for another id. */
  starting(
    reads: Pick<PolicyReads, 'listPolicyVersions'>,
    organizationId: string,
    id: string,
  ): Promise<StartingPolicy | null>;
  /** Whether every organization has a policy of this id from the start. */
  isStarting(id: string): boolean;
}

/** A policy that an organization starts with, and whether its version is stored. */
interface StartingPolicy {
  readonly policy: OrganizationPolicy;
  readonly isStored: boolean;
}

/** Dependencies of the policy sets beside a runtime. */
export interface PolicySetOptions {
  readonly storage: PolicyStorage;
  readonly pipeline: Pipeline;
  /** Checked and frozen. */
  readonly starting: readonly Policy[];
}

interface Remembered {
  readonly generation: number;
  readonly policies: readonly ResolvedPolicy[];
}

/** Creates the policy sets. */
export function createPolicySets(
  { clock, logger }: Pick<Runtime, 'clock' | 'logger'>,
  { storage, pipeline, starting }: PolicySetOptions,
): PolicySets {
  const remembered = new LRUCache<string, Remembered>({ max: REMEMBERED_ORGANIZATIONS });

  const findStarting: PolicySets['starting'] = async (reads, organizationId, id) => {
    const policy = starting.find((each) => each.id === id);
    return policy ? versionOf(reads, organizationId, policy) : null;
  };

  async function load(organizationId: string): Promise<readonly ResolvedPolicy[]> {
    const own = await storage.listPolicies(organizationId);
    const resolved: ResolvedPolicy[] = [];
    for (const policy of starting) {
      if (own.some(({ id }) => id === policy.id)) continue;
      const { policy: content, isStored } = await versionOf(storage, organizationId, policy);
      resolved.push({ ...content, policy, isStored });
    }
    for (const policy of own) {
      resolved.push({
        ...policy,
        policy: toPipelinePolicy(policy, pipeline, logger),
        isStored: true,
      });
    }
    return resolved;
  }

  return {
    async current(organizationId) {
      // Read first: policies that are newer than their generation are only loaded once more.
      const generation = await storage.policyGeneration(organizationId);
      const known = remembered.get(organizationId);
      if (known?.generation === generation) return known.policies;
      const policies = await load(organizationId);
      if (policies.every(({ isStored }) => isStored)) {
        remembered.set(organizationId, { generation, policies });
      }
      return policies;
    },

    async ensureStored(context, policies) {
      const missing = policies.filter(({ isStored }) => !isStored);
      if (missing.length === 0) return;
      const { organizationId } = context.principal;
      const createdAt = clock.now();
      await storage.transaction(context, async (tx) => {
        for (const policy of missing) {
          await tx.ensurePolicyVersion(toVersion(organizationId, policy, null, createdAt));
        }
      });
    },

    starting: findStarting,
    isStarting: (id) => starting.some((policy) => policy.id === id),
  };
}

/** The record of a policy's present version. */
export function toVersion(
  organizationId: string,
  policy: OrganizationPolicy,
  memberId: string | null,
  createdAt: Date,
): PolicyVersion {
  const { id: policyId, version } = policy;
  return { organizationId, policyId, version, ...contentOf(policy), memberId, createdAt };
}

/** The members that versions record. */
export function contentOf(policy: PolicyContent): PolicyContent {
  const { name, description, enabled, mode, isDefault, keyIds, rules } = policy;
  return { name, description, enabled, mode, isDefault, keyIds, rules };
}

/** Versions of a starting policy that are looked at; each release that changes its rules makes one. */
const VERSIONS = { limit: 200, offset: 0 };

/**
 * A starting policy has one version for each content that a release gave it, so that two releases which run side
 * by side name theirs without making new ones in turn.
 */
async function versionOf(
  reads: Pick<PolicyReads, 'listPolicyVersions'>,
  organizationId: string,
  { id, name, enabled = true, rules }: Policy,
): Promise<StartingPolicy> {
  const content: PolicyContent = {
    ...{ name, description: null, enabled, mode: 'enforce' },
    ...{ isDefault: true, keyIds: null, rules },
  };
  const { items } = await reads.listPolicyVersions(organizationId, id, VERSIONS);
  const stored = items.find((version) => isSame(contentOf(version), content));
  const version = stored?.version ?? (items[0]?.version ?? 0) + 1;
  const policy = { id, version, ...content, createdAt: null, updatedAt: null };
  return { policy, isStored: stored !== undefined };
}

function isSame(left: PolicyContent, right: PolicyContent): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/**
 * The policy as the pipeline takes it. A rule about a stage that the pipeline no longer has matches nothing and is
 * left out, with a warning: scans must not fail because of it.
 */
function toPipelinePolicy(
  { id, organizationId, name, enabled, rules }: StoredPolicy,
  pipeline: Pipeline,
  logger: Logger,
): Policy {
  const known = rules.filter((rule, index) => {
    const fault = faultOf(rule, pipeline);
    if (!fault) return true;
    const fields = { organizationId, policyId: id, rule: index, error: fault.message };
    logger.warn('A rule of a policy does not fit the stages and is left out', fields);
    return false;
  });
  return parsePolicies([{ id, name, enabled, rules: known }], { pipeline })[0] as Policy;
}
