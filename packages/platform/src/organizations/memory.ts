import type { MemorySession } from '@probity/core';
import { createMemoryTenants, deleteRowsOf } from '@probity/core/internal';
import { MEMBERS } from '../members/memory-tables.ts';
import { ORGANIZATIONS } from './memory-tables.ts';
import { slugTaken } from './slugs.ts';
import type { OrganizationReads, OrganizationWrites } from './storage.ts';

/** Creates the in-memory storage for organizations. */
export function createMemoryOrganizations(
  session: MemorySession,
): OrganizationReads & OrganizationWrites {
  const organizations = () => session.table(ORGANIZATIONS);
  return {
    async findOrganization(id) {
      const organization = organizations().get(id);
      if (!organization) return null;
      const members = session
        .table(MEMBERS)
        .filter(({ organizationId, status }) => organizationId === id && status !== 'suspended');
      return { ...organization, membersCount: members.length };
    },
    async countOrganizations() {
      return organizations().filter(() => true).length;
    },
    async listOrganizationIds() {
      return organizations()
        .filter(() => true)
        .map(({ id }) => id)
        .sort();
    },
    async isSlugTaken(slug) {
      return organizations().filter((row) => row.slug === slug).length > 0;
    },
    async insertOrganization(organization) {
      if (organizations().filter(({ slug }) => slug === organization.slug).length > 0) {
        throw slugTaken(organization.slug);
      }
      await createMemoryTenants(session).ensureTenant(organization.id);
      organizations().put(organization.id, organization);
    },
    async retireOrganization(id) {
      deleteRowsOf(session, id);
    },
    async updateOrganization(id, { name, timezone, ipAllowlist }) {
      const row = organizations().get(id);
      if (!row) return;
      organizations().put(id, {
        ...row,
        name: name ?? row.name,
        timezone: timezone ?? row.timezone,
        settings: { ...row.settings, ipAllowlist: ipAllowlist ?? row.settings.ipAllowlist },
      });
    },
  };
}
