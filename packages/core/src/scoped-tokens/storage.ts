import type { ScopedTokenPrefix } from '../contract/prefixes.ts';
import type { Page, PageOf } from '../paging.ts';
import type { ScopedToken } from './types.ts';

/** Selects an organization's tokens of one kind that are in force. */
interface ScopedTokenFilter {
  readonly organizationId: string;
  readonly kind: ScopedTokenPrefix;
  /** Those that expire later. */
  readonly after: Date;
  /** Those that this member made; default: all. */
  readonly memberId?: string | undefined;
}

/** Reads of tokens of limited scope. */
export interface ScopedTokenReads {
  /**
   * Looks up the token with this hash, expired ones included; null when there is none, or its tenant
   * was removed. Runs on every request with such a token.
   * @param isHeld in a transaction: keeps the token as it is until it ends
   */
  identifyScopedToken(tokenHash: string, isHeld?: boolean): Promise<ScopedToken | null>;
  /** The number of an organization's tokens of a kind that expire after `after`. */
  countScopedTokens(organizationId: string, kind: ScopedTokenPrefix, after: Date): Promise<number>;
  /** Those that expire last first, ties by descending id. */
  listScopedTokens(filter: ScopedTokenFilter, page: Page): Promise<PageOf<ScopedToken>>;
}

/** Writes of tokens of limited scope. */
export interface ScopedTokenWrites {
  insertScopedToken(token: ScopedToken): Promise<void>;
  /** Deletes a token; false when the organization has no such token of this kind. */
  deleteScopedToken(organizationId: string, kind: ScopedTokenPrefix, id: string): Promise<boolean>;
  /**
   * Deletes the tokens of a kind that an organization has, and returns their number.
   * @param memberId only those that this member made
   */
  deleteScopedTokensOf(
    organizationId: string,
    kind: ScopedTokenPrefix,
    memberId?: string,
  ): Promise<number>;
  /** Deletes up to `limit` tokens that expired before `before`; returns their number. */
  deleteExpiredScopedTokens(before: Date, limit: number): Promise<number>;
}
