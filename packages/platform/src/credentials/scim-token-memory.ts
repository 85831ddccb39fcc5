import type { MemorySession } from '@probity/core';
import type { Organization, ScimToken } from '../organizations/types.ts';
import type { ScimTokenReads, ScimTokenWrites } from './scim-token-storage.ts';

/** SCIM tokens in memory. */
export function createMemoryScimTokens(session: MemorySession): ScimTokenReads & ScimTokenWrites {
  const tokens = () => session.table<ScimToken>('scim_tokens');
  const change = (id: string, changes: (token: ScimToken) => Partial<ScimToken>) => {
    const token = tokens().get(id);
    if (token) tokens().put(id, { ...token, ...changes(token) });
  };
  return {
    async listScimTokens(organizationId) {
      return tokens()
        .filter((token) => token.organizationId === organizationId && !token.revokedAt)
        .sort(newestFirst);
    },
    async identifyScimToken(tokenHash) {
      const [token] = tokens().filter((row) => row.tokenHash === tokenHash);
      const organizations = session.table<Organization>('organizations');
      const organization = token && organizations.get(token.organizationId);
      if (!token || !organization) return null;
      return {
        tokenId: token.id,
        organizationId: token.organizationId,
        plan: organization.plan,
        ipAllowlist: JSON.stringify(organization.settings.ipAllowlist),
        expiresAt: token.expiresAt,
        revokedAt: token.revokedAt,
      };
    },
    async insertScimToken(token) {
      tokens().put(token.id, token);
    },
    async expireScimToken(id, at) {
      change(id, ({ revokedAt }) => (revokedAt ? {} : { expiresAt: at }));
    },
    async revokeScimToken(id, at) {
      change(id, ({ revokedAt }) => ({ revokedAt: revokedAt ?? at }));
    },
    async touchScimTokens(lastUsed) {
      for (const [id, at] of lastUsed) {
        change(id, (token) => (token.lastUsed && token.lastUsed >= at ? {} : { lastUsed: at }));
      }
    },
  };
}

function newestFirst(left: ScimToken, right: ScimToken): number {
  return right.createdAt.getTime() - left.createdAt.getTime() || (left.id < right.id ? 1 : -1);
}
