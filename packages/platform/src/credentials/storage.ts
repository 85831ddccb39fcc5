import type { Page, PageOf } from '@probity/core';
import type { ApiKey, ApiKeyIdentity, ScimToken, ScimTokenIdentity } from './types.ts';

/** Reads of API keys. */
export interface ApiKeyReads {
  /** The organization's keys that are not revoked, oldest first, ties by id. */
  listApiKeys(organizationId: string, page: Page): Promise<PageOf<ApiKey>>;
  /**
   * Looks up the key with this hash and its present authorization state; runs on every request.
   * @param isHeld in a transaction: keeps the key and its member as they are until it ends
   */
  identifyApiKey(tokenHash: string, isHeld?: boolean): Promise<ApiKeyIdentity | null>;
  /** As `identifyApiKey`, by the id of the key. */
  identifyApiKeyById(id: string, isHeld?: boolean): Promise<ApiKeyIdentity | null>;
}

/** Writes of API keys. Deleting a member deletes its keys. */
export interface ApiKeyWrites {
  insertApiKey(key: ApiKey): Promise<void>;
  /**
   * Revokes the key, after transactions that hold it have ended, and returns it; null when the
   * organization has none such or it is revoked already.
   */
  revokeApiKey(organizationId: string, id: string, at: Date): Promise<ApiKey | null>;
  /**
   * Moves `last_used` forward to these times. Never waits: returns the ids of the keys that another
   * transaction changes, and of those that no longer exist.
   */
  touchApiKeys(lastUsed: ReadonlyMap<string, Date>): Promise<string[]>;
}

/** Reads of SCIM tokens. */
export interface ScimTokenReads {
  /**
   * The organization's tokens that are not revoked, newest first, ties by id; some may have
   * expired.
   */
  listScimTokens(organizationId: string): Promise<ScimToken[]>;
  /**
   * Looks up the token with this hash and its present authorization state; runs on every request.
   * @param isHeld in a transaction: keeps the token as it is until it ends
   */
  identifyScimToken(tokenHash: string, isHeld?: boolean): Promise<ScimTokenIdentity | null>;
  /** As `identifyScimToken`, by the id of the token. */
  identifyScimTokenById(id: string, isHeld?: boolean): Promise<ScimTokenIdentity | null>;
}

/** Writes of SCIM tokens. */
export interface ScimTokenWrites {
  insertScimToken(token: ScimToken): Promise<void>;
  /** Sets when the token expires; no effect on a revoked token. */
  expireScimToken(id: string, at: Date): Promise<void>;
  /** Revokes the token; no effect on a revoked token. */
  revokeScimToken(id: string, at: Date): Promise<void>;
  /** As `touchApiKeys`, for SCIM tokens. */
  touchScimTokens(lastUsed: ReadonlyMap<string, Date>): Promise<string[]>;
}
