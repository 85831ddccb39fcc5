import { keyOf } from './login.ts';
import type { AccountWrites, SecondFactorWrites } from './storage.ts';
import type { Account } from './types.ts';

/**
 * Replaces the password of an account, and drops a second factor that was begun with the former one and
 * not confirmed: confirming it takes no password, and whoever knew the former one may know its secret.
 * Call it under the lock of the organization with the account read there.
 */
export async function replacePassword(
  tx: AccountWrites & SecondFactorWrites,
  account: Account,
  passwordHash: string,
): Promise<void> {
  const key = keyOf(account);
  await tx.setPasswordHash(key, passwordHash);
  if (!account.member.mfaEnabled) await tx.disableMfa(key);
}
