import type { ScimToken, ScimTokenIdentity } from '../organizations/types.ts';

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
