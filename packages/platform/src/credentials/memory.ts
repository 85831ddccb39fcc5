import type { MemorySession } from '@probity/core';
import { byCreation, newestFirst, pageOf } from '@probity/core/internal';
import { MEMBERS } from '../members/memory-tables.ts';
import { ORGANIZATIONS } from '../organizations/memory-tables.ts';
import { API_KEYS, SCIM_TOKENS } from './memory-tables.ts';
import type { ApiKeyReads, ApiKeyWrites, ScimTokenReads, ScimTokenWrites } from './storage.ts';
import type { ApiKey, ApiKeyIdentity, ScimToken, ScimTokenIdentity } from './types.ts';

/** Creates the in-memory storage for API keys. */
export function createMemoryApiKeys(session: MemorySession): ApiKeyReads & ApiKeyWrites {
  const apiKeys = () => session.table(API_KEYS);
  const identityOf = (key: ApiKey | undefined): ApiKeyIdentity | null => {
    const member = key && session.table(MEMBERS).get(key.memberId);
    const organization = key && session.table(ORGANIZATIONS).get(key.organizationId);
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
  };
  return {
    async listApiKeys(organizationId, page) {
      const keys = apiKeys().filter(
        (key) => key.organizationId === organizationId && !key.revokedAt,
      );
      return pageOf(keys, page, byCreation);
    },
    async identifyApiKey(tokenHash) {
      return identityOf(apiKeys().filter((row) => row.tokenHash === tokenHash)[0]);
    },
    async identifyApiKeyById(id) {
      return identityOf(apiKeys().get(id));
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
      return [...lastUsed.keys()].filter((id) => !apiKeys().get(id));
    },
  };
}

/** Creates the in-memory storage for SCIM tokens. */
export function createMemoryScimTokens(session: MemorySession): ScimTokenReads & ScimTokenWrites {
  const tokens = () => session.table(SCIM_TOKENS);
  const change = (id: string, changes: (token: ScimToken) => Partial<ScimToken>) => {
    const token = tokens().get(id);
    if (token) tokens().put(id, { ...token, ...changes(token) });
  };
  const identityOf = (token: ScimToken | undefined): ScimTokenIdentity | null => {
    const organization = token && session.table(ORGANIZATIONS).get(token.organizationId);
    if (!token || !organization) return null;
    return {
      tokenId: token.id,
      organizationId: token.organizationId,
      plan: organization.plan,
      ipAllowlist: JSON.stringify(organization.settings.ipAllowlist),
      expiresAt: token.expiresAt,
      revokedAt: token.revokedAt,
    };
  };
  return {
    async listScimTokens(organizationId) {
      return tokens()
        .filter((token) => token.organizationId === organizationId && !token.revokedAt)
        .sort(newestFirst);
    },
    async identifyScimToken(tokenHash) {
      return identityOf(tokens().filter((row) => row.tokenHash === tokenHash)[0]);
    },
    identifyScimTokenById: async (id) => identityOf(tokens().get(id)),
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
      return [...lastUsed.keys()].filter((id) => !tokens().get(id));
    },
  };
}
