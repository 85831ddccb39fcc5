import type { Page, PageOf } from '@probity/core';
import type { ApiKey, ApiKeyIdentity, ScimToken, ScimTokenIdentity } from './types.ts';

/** Reads of API keys. */
export interface ApiKeyReads {
  /** The keys of an organization that are not revoked, oldest first, ties by id. */
  listApiKeys(organizationId: string, page: Page): Promise<PageOf<ApiKey>>;
  /** The key with this hash and what decides about it now; read at every request. */
  identifyApiKey(tokenHash: string): Promise<ApiKeyIdentity | null>;
}

/** Changes of API keys. Deleting a member deletes its keys. */
export interface ApiKeyWrites {
  insertApiKey(key: ApiKey): Promise<void>;
  /** The revoked key; null when the organization has no such key, or it is revoked already. */
  revokeApiKey(organizationId: string, id: string, at: Date): Promise<ApiKey | null>;
  /** Moves `last_used` forward to these times; keys that do not exist any more are passed over. */
  touchApiKeys(lastUsed: ReadonlyMap<string, Date>): Promise<void>;
}

/** Reads of SCIM tokens. */
export interface ScimTokenReads {
  /** The tokens of an organization that are not revoked, newest first, ties by id; some may be expired. */
  listScimTokens(organizationId: string): Promise<ScimToken[]>;
  /** The token with this hash and what decides about it now; read at every request. */
  identifyScimToken(tokenHash: string): Promise<ScimTokenIdentity | null>;
}

/** Changes of SCIM tokens. */
export interface ScimTokenWrites {
  insertScimToken(token: ScimToken): Promise<void>;
  /** Sets when the token ends; does nothing when it is revoked. */
  expireScimToken(id: string, at: Date): Promise<void>;
  /** Revokes the token; does nothing when it is revoked already. */
  revokeScimToken(id: string, at: Date): Promise<void>;
  /** Moves `last_used` forward to these times; tokens that do not exist any more are passed over. */
  touchScimTokens(lastUsed: ReadonlyMap<string, Date>): Promise<void>;
}
