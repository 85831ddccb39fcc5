import type { CallContext } from '@probity/core';
import { notFound, validationError } from '@probity/core';
import type { SignInDependencies } from './login.ts';
import type { Account } from './types.ts';

/** Reads the caller's own account. @throws ProbityError `not_found` when the member was removed */
export async function requireAccount(
  { storage }: SignInDependencies,
  { principal }: CallContext,
): Promise<Account> {
  const account = await storage.findAccount(principal);
  if (!account) throw notFound('member');
  return account;
}

/**
 * Verifies the caller's password. A wrong password counts as a failed sign-in, which is stored
 * outside the transaction of the request, before its first write.
 * @param field the field that errors name
 * @throws ProbityError `validation_failed`; `rate_limited` while the account is locked
 */
export async function confirmPassword(
  { passwords, attempts }: SignInDependencies,
  context: CallContext,
  account: Account,
  password: string,
  field: 'password' | 'current_password',
): Promise<void> {
  const { email } = account.member;
  await attempts.requireUnlocked(email, [account]);
  if (await passwords.verify(password, account.passwordHash, context.address)) {
    await attempts.requireUnlocked(email, [account]);
    return;
  }
  await attempts.fail(context, email, [account]);
  throw validationError({ field, message: 'is wrong' });
}
