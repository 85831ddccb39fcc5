import type { CallContext } from '@probity/core';
import { ProbityError } from '@probity/core';
import { confirmPassword, requireAccount } from './confirmation.ts';
import type { SignInDependencies } from './login.ts';
import { keyOf } from './login.ts';
import { requireGoodPassword } from './password-rules.ts';
import { replacePassword } from './replace-password.ts';

/** Input for changing the caller's password. */
export interface PasswordChange {
  readonly currentPassword: string;
  readonly newPassword: string;
}

/**
 * Changes the password of the caller and ends all other sessions. A member without a password gets
 * the first one by an invitation or a mailed link.
 * @throws ProbityError `validation_failed` that names `current_password` or `new_password`;
 *   `conflict` when it was changed concurrently; `rate_limited` after too many wrong passwords
 */
export async function changeOwnPassword(
  dependencies: SignInDependencies,
  context: CallContext,
  { currentPassword, newPassword }: PasswordChange,
): Promise<void> {
  const { runtime, storage, passwords } = dependencies;
  const account = await requireAccount(dependencies, context);
  await confirmPassword(dependencies, context, account, currentPassword, 'current_password');
  requireGoodPassword(newPassword, account.member.email, 'new_password');
  const passwordHash = await passwords.hash(newPassword, context.address);
  const key = keyOf(account);
  await storage.withTenantLock(context, key.organizationId, async (tx) => {
    const current = await tx.findAccount(key);
    if (current?.passwordHash !== account.passwordHash) throw changedMeanwhile();
    await replacePassword(tx, current, passwordHash);
    const endedSessions = await tx.deleteSessionsOf(key, context.principal.sessionId);
    const target = { type: 'member', id: key.memberId };
    const after = { ended_sessions: endedSessions };
    await runtime.audit.record(tx, context, 'password.changed', target, { after });
  });
}

function changedMeanwhile(): ProbityError {
  return new ProbityError('conflict', 'The password was changed by another request.');
}
