import type { Runtime, Storage } from '@probity/core';
import { notFound, OUTSIDE_REQUEST } from '@probity/core';
import type { OrganizationReads, OrganizationWrites } from './storage.ts';

/** Dependencies of {@link clearAllowlist}. */
export interface ClearAllowlistOptions {
  readonly storage: Storage<OrganizationReads, OrganizationWrites>;
}

/**
 * Empties the IP allowlist of an organization, whose people and keys are all outside of it. For
 * operators with access to the database.
 * @param system the program, for the audit log
 * @returns the networks that were on it; nothing is recorded when there were none
 * @throws ProbityError `not_found`
 */
export function clearAllowlist(
  { audit }: Pick<Runtime, 'audit'>,
  { storage }: ClearAllowlistOptions,
  organizationId: string,
  system: string,
): Promise<readonly string[]> {
  return storage.withTenantLock(OUTSIDE_REQUEST, organizationId, async (tx) => {
    const organization = await tx.findOrganization(organizationId);
    if (!organization) throw notFound('organization');
    const { ipAllowlist } = organization.settings;
    if (ipAllowlist.length === 0) return ipAllowlist;
    await tx.updateOrganization(organizationId, { ipAllowlist: [] });
    const target = { type: 'organization', id: organizationId };
    await audit.record(tx, { organizationId, system }, 'ip_allowlist.cleared', target, {
      before: { ip_allowlist: ipAllowlist },
      after: { ip_allowlist: [] },
    });
    return ipAllowlist;
  });
}
