import type { Database, MemorySession } from '@probity/core';
import { bindStorage } from '@probity/core';
import { createMemoryTenants } from '@probity/core/internal';
import { createMemorySubscriptionInserts } from '../billing/memory.ts';
import type { SubscriptionInserts } from '../billing/storage.ts';
import { createMemoryScimTokens } from '../credentials/scim-token-memory.ts';
import type { ScimTokenReads, ScimTokenWrites } from '../credentials/scim-token-storage.ts';
import { slugTaken } from '../errors.ts';
import { insertMember } from '../members/memory.ts';
import type { PlatformReads, PlatformStorage, PlatformWrites } from './storage.ts';
import type { ApiKey, Member, Organization } from './types.ts';

/** The platform's storage in memory. */
export function createMemoryPlatformStorage(database: Database<MemorySession>): PlatformStorage {
  return bindStorage<MemorySession, PlatformReads, PlatformWrites>(database, (session) => ({
    ...createReads(session),
    ...createWrites(session),
    ...createMemoryScimTokens(session),
    ...createMemorySubscriptionInserts(session),
  }));
}

function tablesOf(session: MemorySession) {
  return {
    organizations: () => session.table<Organization>('organizations'),
    members: () => session.table<Member>('members'),
    apiKeys: () => session.table<ApiKey>('api_keys'),
  };
}

function createReads(session: MemorySession): Omit<PlatformReads, keyof ScimTokenReads> {
  const { organizations, members, apiKeys } = tablesOf(session);
  return {
    async findOrganization(id) {
      const organization = organizations().get(id);
      if (!organization) return null;
      const counted = members().filter(
        ({ organizationId, status }) => organizationId === id && status !== 'suspended',
      );
      return { ...organization, membersCount: counted.length };
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
    async listApiKeys(organizationId, { limit, offset }) {
      const keys = apiKeys()
        .filter((key) => key.organizationId === organizationId && !key.revokedAt)
        .sort(byCreation);
      return { items: keys.slice(offset, offset + limit), total: keys.length };
    },
    async identifyApiKey(tokenHash) {
      const [key] = apiKeys().filter((row) => row.tokenHash === tokenHash);
      const member = key && members().get(key.memberId);
      const organization = key && organizations().get(key.organizationId);
      if (!key || !member || !organization) return null;
      return {
        keyId: key.id,
        organizationId: key.organizationId,
        memberId: key.memberId,
        keyRole: key.role,
        memberRole: member.role,
        memberStatus: member.status,
        plan: organization.plan,
        ipAllowlist: JSON.stringify(organization.settings.ipAllowlist),
        expiresAt: key.expiresAt,
        revokedAt: key.revokedAt,
      };
    },
    async findMember(organizationId, id) {
      const member = members().get(id);
      return member?.organizationId === organizationId ? member : null;
    },
  };
}

function createWrites(
  session: MemorySession,
): Omit<PlatformWrites, keyof ScimTokenWrites | keyof SubscriptionInserts> {
  const { organizations, apiKeys } = tablesOf(session);
  return {
    async insertOrganization(organization) {
      if (organizations().filter(({ slug }) => slug === organization.slug).length > 0) {
        throw slugTaken(organization.slug);
      }
      await createMemoryTenants(session).ensureTenant(organization.id);
      organizations().put(organization.id, organization);
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
    insertMember: async (member) => insertMember(session, member),
    async insertApiKey(key) {
      apiKeys().put(key.id, key);
    },
    async revokeApiKey(organizationId, id, at) {
      const key = apiKeys().get(id);
      if (key?.organizationId !== organizationId || key.revokedAt) return null;
      const revoked = { ...key, revokedAt: at };
      apiKeys().put(id, revoked);
      return revoked;
    },
    async touchApiKeys(lastUsed) {
      for (const [id, at] of lastUsed) {
        const key = apiKeys().get(id);
        if (key && (!key.lastUsed || key.lastUsed < at))
          apiKeys().put(id, { ...key, lastUsed: at });
      }
    },
  };
}

function byCreation(left: ApiKey, right: ApiKey): number {
  return left.createdAt.getTime() - right.createdAt.getTime() || (left.id < right.id ? -1 : 1);
}
