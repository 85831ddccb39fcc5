import type { CallContext, Grant } from '../context.ts';
import type { ScopedTokenPrefix } from '../contract/prefixes.ts';
import { hashSecret } from '../crypto/secret-box.ts';
import { mintToken } from '../crypto/tokens.ts';
import { ProbityError } from '../errors.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { ScopedTokenReads, ScopedTokenWrites } from './storage.ts';
import type { ScopedToken } from './types.ts';

/** Largest number of an organization's tokens of one kind that are in force. */
export const MAX_SCOPED_TOKENS = 10_000;

/** A new token of limited scope. */
export interface NewScopedToken {
  readonly kind: ScopedTokenPrefix;
  readonly grant: Grant;
  readonly expiresInSeconds: number;
}

/** A token of limited scope with its text, which is returned only here. */
export interface IssuedScopedToken {
  readonly issued: ScopedToken;
  readonly token: string;
}

/**
 * Issues a token of limited scope on behalf of the caller. Call it under the tenant's lock, so that
 * concurrent calls cannot exceed the limit.
 * @throws ProbityError `conflict` when {@link MAX_SCOPED_TOKENS} are in force; `forbidden` for a
 *   caller of limited scope
 */
export async function issueScopedToken(
  { ids, clock, random }: Pick<Runtime, 'ids' | 'clock' | 'random'>,
  tx: ScopedTokenReads & ScopedTokenWrites,
  { principal }: CallContext,
  { kind, grant, expiresInSeconds }: NewScopedToken,
): Promise<IssuedScopedToken> {
  const { grant: own, permissions: _, role, ...credential } = principal;
  if (own) throw new ProbityError('forbidden', 'A token of limited scope issues no further ones.');
  if (role === null) {
    throw new ProbityError(
      'forbidden',
      'A token of limited scope has the role of its issuer at most: issue it as a caller with a role.',
    );
  }
  const { organizationId } = principal;
  const createdAt = clock.now();
  if ((await tx.countScopedTokens(organizationId, kind, createdAt)) >= MAX_SCOPED_TOKENS) {
    throw new ProbityError(
      'conflict',
      `${MAX_SCOPED_TOKENS} tokens of the organization are in force, the largest number; revoke some, or wait until they expire.`,
    );
  }
  const token = mintToken(kind, random);
  const issued: ScopedToken = {
    id: ids.next('ptk'),
    kind,
    tokenHash: hashSecret(token),
    organizationId,
    issuer: { ...credential, role },
    grant,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + expiresInSeconds * 1_000),
  };
  await tx.insertScopedToken(issued);
  return { issued, token };
}
