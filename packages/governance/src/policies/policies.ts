import type { AuditFields, CallContext, Page, PageOf, Runtime } from '@probity/core';
import { notFound, ProbityError } from '@probity/core';
import { changedFields, requireContext, validate } from '@probity/core/internal';
import type { Pipeline } from '@probity/pipeline';
import { newPolicy, policyChanges, requireKnownRules } from './input.ts';
import { MAX_POLICIES } from './limits.ts';
import type { PolicySets } from './policy-sets.ts';
import { contentOf, toVersion } from './policy-sets.ts';
import type { PolicyReads, PolicyStorage, PolicyTransaction } from './storage.ts';
import type {
  NewPolicy,
  OrganizationPolicy,
  PolicyChanges,
  PolicyContent,
  PolicyVersion,
  StoredPolicy,
} from './types.ts';

/** The policies of the caller's organization. A change holds for every scan that begins after it, on every instance. */
export interface Policies {
  /**
   * @throws ProbityError `validation_failed` with every bad field; `conflict` when the organization has
   *   {@link MAX_POLICIES} policies already
   */
  create(context: CallContext, input: NewPolicy): Promise<OrganizationPolicy>;
  /** Those that the organization started with, then its own, oldest first. */
  list(context: CallContext, page: Page): Promise<PageOf<OrganizationPolicy>>;
  /** @throws ProbityError `not_found` when the organization has no policy with this id */
  get(context: CallContext, id: string): Promise<OrganizationPolicy>;
  /**
   * Changes the given members, as a new version. Without a difference there is none.
   * @throws ProbityError `not_found`, or `validation_failed` with every bad field
   */
  update(context: CallContext, id: string, changes: PolicyChanges): Promise<OrganizationPolicy>;
  /**
   * Deletes a policy and keeps its versions.
   * @throws ProbityError `not_found`; `conflict` for one that every organization has
   */
  remove(context: CallContext, id: string): Promise<void>;
  /**
   * The versions of a policy, newest first, also of one that was deleted.
   * @throws ProbityError `not_found` when there never was such a policy
   */
  versions(context: CallContext, id: string, page: Page): Promise<PageOf<PolicyVersion>>;
}

/** Dependencies of the service beside a runtime. */
export interface PolicyOptions {
  readonly storage: PolicyStorage;
  readonly pipeline: Pipeline;
  readonly sets: PolicySets;
}

/** Creates the policy service. */
export function createPolicies(runtime: Runtime, options: PolicyOptions): Policies {
  const { storage, sets } = options;
  const find = (reads: PolicyReads, organizationId: string, id: string) =>
    findPolicy(reads, sets, organizationId, id);
  return {
    create: (context, input) => createPolicy(runtime, options, context, input),
    update: (context, id, changes) => updatePolicy(runtime, options, context, id, changes),
    remove: (context, id) => removePolicy(runtime, options, context, id),

    async list({ principal }, { limit, offset }) {
      const all = await sets.current(principal.organizationId);
      return { items: all.slice(offset, offset + limit), total: all.length };
    },

    get: ({ principal }, id) => find(storage, principal.organizationId, id),

    async versions({ principal }, id, page) {
      const { organizationId } = principal;
      const found = await storage.listPolicyVersions(organizationId, id, page);
      // A starting policy has none before the first scan; its page is empty then.
      if (found.total === 0) await find(storage, organizationId, id);
      return found;
    },
  };
}

async function findPolicy(
  reads: PolicyReads,
  sets: PolicySets,
  organizationId: string,
  id: string,
): Promise<OrganizationPolicy> {
  const own = await reads.findPolicy(organizationId, id);
  const policy = own ?? (await sets.starting(reads, organizationId, id))?.policy;
  if (!policy) throw notFound('policy');
  return policy;
}

async function createPolicy(
  { audit, clock, ids, tenants }: Runtime,
  { storage, pipeline, sets }: PolicyOptions,
  context: CallContext,
  input: NewPolicy,
): Promise<OrganizationPolicy> {
  requireContext('createPolicy', context);
  const { default: isDefault = true, ...given } = validate(newPolicy, input, 'input');
  requireKnownRules(given.rules, pipeline);
  const { organizationId, memberId } = context.principal;
  const now = clock.now();
  const policy: StoredPolicy = {
    ...{ id: ids.next('pol'), organizationId, version: 1, name: given.name },
    description: given.description ?? null,
    enabled: given.enabled ?? true,
    mode: given.mode ?? 'enforce',
    isDefault,
    keyIds: unique(given.keyIds),
    rules: given.rules,
    ...{ createdAt: now, updatedAt: now },
  };
  await tenants?.ensure(organizationId, context);
  await storage.withTenantLock(context, organizationId, async (tx) => {
    await requireRoom(tx, sets, organizationId);
    await tx.insertPolicy(policy);
    await tx.ensurePolicyVersion(toVersion(organizationId, policy, memberId, now));
    const after = auditFieldsOf(policy);
    await audit.record(tx, context, 'policy.created', targetOf(policy.id), { after });
  });
  return policy;
}

async function updatePolicy(
  { audit, clock, tenants }: Runtime,
  { storage, pipeline, sets }: PolicyOptions,
  context: CallContext,
  id: string,
  changes: PolicyChanges,
): Promise<OrganizationPolicy> {
  requireContext('updatePolicy', context);
  const given = toContentChanges(validate(policyChanges, changes, 'changes'));
  if (given.rules) requireKnownRules(given.rules, pipeline);
  const { organizationId, memberId } = context.principal;
  await tenants?.ensure(organizationId, context);
  return storage.withTenantLock(context, organizationId, async (tx) => {
    const before = await findPolicy(tx, sets, organizationId, id);
    const content = { ...contentOf(before), ...given };
    const change = changedFields(auditFieldsOf(before), auditFieldsOf(content));
    if (Object.keys(change.after).length === 0) return before;
    const now = clock.now();
    const after: StoredPolicy = {
      ...{ id, organizationId, version: await nextVersion(tx, organizationId, before) },
      ...content,
      ...{ createdAt: before.createdAt ?? now, updatedAt: now },
    };
    await (before.createdAt ? tx.replacePolicy(after) : tx.insertPolicy(after));
    if (!before.createdAt) {
      await tx.ensurePolicyVersion(toVersion(organizationId, before, null, now));
    }
    await tx.ensurePolicyVersion(toVersion(organizationId, after, memberId, now));
    await audit.record(tx, context, 'policy.updated', targetOf(id), change);
    return after;
  });
}

/** Of a starting policy another release may have stored a version that is later than this release's. */
async function nextVersion(
  tx: PolicyTransaction,
  organizationId: string,
  { id, version }: OrganizationPolicy,
): Promise<number> {
  const { items } = await tx.listPolicyVersions(organizationId, id, { limit: 1, offset: 0 });
  return Math.max(items[0]?.version ?? 0, version) + 1;
}

async function removePolicy(
  { audit }: Runtime,
  { storage, sets }: PolicyOptions,
  context: CallContext,
  id: string,
): Promise<void> {
  const { organizationId } = context.principal;
  await storage.withTenantLock(context, organizationId, async (tx) => {
    const policy = await findPolicy(tx, sets, organizationId, id);
    if (sets.isStarting(id)) throw isNeeded();
    await tx.deletePolicy(organizationId, id);
    const before = auditFieldsOf(policy);
    await audit.record(tx, context, 'policy.deleted', targetOf(id), { before });
  });
}

function isNeeded(): ProbityError {
  return new ProbityError(
    'conflict',
    'Every organization has this policy, so it cannot be deleted; disable it with {"enabled": false} instead.',
  );
}

async function requireRoom(
  tx: PolicyTransaction,
  sets: PolicySets,
  organizationId: string,
): Promise<void> {
  const own = await tx.listPolicies(organizationId);
  if (own.filter(({ id }) => !sets.isStarting(id)).length < MAX_POLICIES) return;
  throw new ProbityError(
    'conflict',
    `The organization already has the maximum of ${MAX_POLICIES} policies of its own; delete one first.`,
  );
}

function toContentChanges({
  default: isDefault,
  keyIds,
  ...others
}: PolicyChanges): Partial<PolicyContent> {
  const changes = {
    ...others,
    isDefault,
    keyIds: keyIds === undefined ? undefined : unique(keyIds),
  };
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Partial<PolicyContent>;
}

function unique(keyIds: readonly string[] | null | undefined): readonly string[] | null {
  return keyIds ? [...new Set(keyIds)] : null;
}

/** The fields of a policy in the audit log. */
function auditFieldsOf({ isDefault, ...content }: PolicyContent): AuditFields {
  const { name, description, enabled, mode, keyIds, rules } = content;
  return { name, description, enabled, mode, default: isDefault, keyIds, rules };
}

function targetOf(id: string) {
  return { type: 'policy', id };
}
