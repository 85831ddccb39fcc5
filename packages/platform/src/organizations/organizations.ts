import type {
  AuditFields,
  CallContext,
  Page,
  PageOf,
  Runtime,
  Storage,
  TransactionOf,
} from '@probity/core';
import { notFound, ProbityError, validationError } from '@probity/core';
import { changedFields, removeTenant } from '@probity/core/internal';
import { toCanonicalChanges } from './changes.ts';
import { toCidrList } from './ip-allowlist.ts';
import type { OrganizationReads, OrganizationWrites } from './storage.ts';
import type { Organization, OrganizationChanges, OrganizationOverview } from './types.ts';

/**
 * Organizations as seen by their members. All but `list` throw ProbityError `not_found` for any
 * organization but the caller's own.
 */
export interface Organizations {
  /** Lists the organizations that the caller belongs to. */
  list(context: CallContext, page: Page): Promise<PageOf<OrganizationOverview>>;
  get(context: CallContext, id: string): Promise<OrganizationOverview>;
  /**
   * Updates the organization and returns it. An IP allowlist takes effect with the next request.
   * @param options.force allows an owner an allowlist without the owner's own address
   * @throws ProbityError `validation_failed`; `conflict` when the allowlist would lock the caller
   *   out; `forbidden` when another than an owner forces it
   */
  update(
    context: CallContext,
    id: string,
    changes: OrganizationChanges,
    options?: { readonly force?: boolean },
  ): Promise<OrganizationOverview>;
  /**
   * Deletes the organization with all its data, its audit log included. Its keys are invalid at once and
   * none of its events is delivered any more; its rows are deleted in the background.
   * Only a line in the program's log remains.
   * @param confirm the organization's slug
   * @throws ProbityError `validation_failed` when `confirm` is not the slug
   */
  delete(context: CallContext, id: string, confirm: string | undefined): Promise<void>;
}

type OrganizationStorage = Storage<OrganizationReads, OrganizationWrites>;
type Tx = TransactionOf<OrganizationStorage>;

/** Creates the organization service. */
export function createOrganizations(
  { logger, audit, clock }: Runtime,
  { storage }: { readonly storage: OrganizationStorage },
): Organizations {
  async function get(context: CallContext, id: string): Promise<OrganizationOverview> {
    requireOwn(context, id);
    return requireOrganization(storage, id);
  }
  return {
    get,
    async list(context, page) {
      const own = await get(context, context.principal.organizationId);
      return { items: [own].slice(page.offset, page.offset + page.limit), total: 1 };
    },
    async update(context, id, changes, { force = false } = {}) {
      requireOwn(context, id);
      const canonical = toCanonicalChanges(changes);
      refuseLockOut(canonical, context, force);
      return storage.withTenantLock(context, id, (tx) => applyChanges(tx, context, id, canonical));
    },
    async delete(context, id, confirm) {
      requireOwn(context, id);
      await storage.withTenantLock(context, id, async (tx) => {
        const { slug } = await requireOrganization(tx, id);
        if (confirm !== slug) throw notConfirmed(slug);
        await removeTenant(tx, id, clock.now());
        await tx.retireOrganization(id);
        tx.session.afterCommit(() => logger.warn('organization deleted', toLogFields(context)));
      });
    },
  };

  async function applyChanges(
    tx: Tx,
    context: CallContext,
    id: string,
    changes: OrganizationChanges,
  ): Promise<OrganizationOverview> {
    const before = await requireOrganization(tx, id);
    await tx.updateOrganization(id, changes);
    const after = await requireOrganization(tx, id);
    const changed = changedFields(toAuditFields(before), toAuditFields(after));
    if (Object.keys(changed.after).length === 0) return after;
    const target = { type: 'organization', id };
    await audit.record(tx, context, 'organization.updated', target, changed);
    return after;
  }
}

async function requireOrganization(
  reads: OrganizationReads,
  id: string,
): Promise<OrganizationOverview> {
  const organization = await reads.findOrganization(id);
  if (!organization) throw notFound('organization');
  return organization;
}

function requireOwn({ principal }: CallContext, id: string): void {
  if (id !== principal.organizationId) throw notFound('organization');
}

function refuseLockOut(
  { ipAllowlist }: OrganizationChanges,
  { principal, address }: CallContext,
  force: boolean,
): void {
  if (!ipAllowlist || ipAllowlist.length === 0) return;
  if (address !== null && toCidrList(ipAllowlist).contains(address)) return;
  if (force && principal.role === 'owner') return;
  if (force) {
    // It locks out the owners too.
    throw new ProbityError(
      'forbidden',
      `An IP allowlist without your own address needs the role owner; you have the role ${principal.role}.`,
    );
  }
  throw new ProbityError(
    'conflict',
    `settings.ip_allowlist does not contain your own address ${address ?? '(unknown)'} and would lock you out; add it, or repeat the request with ?force=true.`,
  );
}

function notConfirmed(slug: string): ProbityError {
  return validationError({
    field: 'confirm',
    message: `must be the organization's slug, ${slug}, to confirm the deletion of all its data`,
  });
}

function toAuditFields({ name, timezone, settings }: Organization): AuditFields {
  return { name, timezone, ip_allowlist: settings.ipAllowlist };
}

function toLogFields({ principal, requestId, address }: CallContext) {
  return {
    organization_id: principal.organizationId,
    member_id: principal.memberId,
    address,
    request_id: requestId,
  };
}
