import { bindStorage } from '../bind-storage.ts';
import type { MemorySession } from '../memory/database.ts';
import type { Database } from '../storage.ts';
import { emailTaken, slugTaken } from './errors.ts';
import type { PlatformReads, PlatformStorage, PlatformWrites } from './storage.ts';
import type { ApiKey, Member, Organization, ScimToken } from './types.ts';

/** The platform's storage in memory. */
export function createMemoryPlatformStorage(database: Database<MemorySession>): PlatformStorage {
  return bindStorage<MemorySession, PlatformReads, PlatformWrites>(database, (session) => ({
    ...createReads(session),
    ...createWrites(session),
  }));
}

function tablesOf(session: MemorySession) {
  return {
    organizations: () => session.table<Organization>('organizations'),
    members: () => session.table<Member>('members'),
    apiKeys: () => session.table<ApiKey>('api_keys'),
    scimTokens: () => session.table<ScimToken>('scim_tokens'),
  };
}

function createReads(session: MemorySession): PlatformReads {
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

function createWrites(session: MemorySession): PlatformWrites {
  const { organizations, members, apiKeys, scimTokens } = tablesOf(session);
  return {
    async insertOrganization(organization) {
      if (organizations().filter(({ slug }) => slug === organization.slug).length > 0) {
        throw slugTaken(organization.slug);
      }
      organizations().put(organization.id, organization);
    },
    async insertMember(member) {
      const email = member.email.toLowerCase();
      const clash = members().filter(
        (row) => row.organizationId === member.organizationId && row.email.toLowerCase() === email,
      );
      if (clash.length > 0) throw emailTaken();
      members().put(member.id, member);
    },
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
    async insertScimToken(token) {
      scimTokens().put(token.id, token);
    },
  };
}

function byCreation(left: ApiKey, right: ApiKey): number {
  return left.createdAt.getTime() - right.createdAt.getTime() || (left.id < right.id ? -1 : 1);
}
