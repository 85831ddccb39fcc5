import type { CallContext } from '@probity/core';
import { ProbityError } from '@probity/core';
import { confirmPassword, requireAccount } from './confirmation.ts';
import type { SignInDependencies } from './login.ts';
import { keyOf } from './login.ts';
import { requireGoodPassword } from './password-rules.ts';
import type { Account } from './types.ts';

/** Input for changing the caller's password. */
export interface PasswordChange {
  /** Not needed for the first password. */
  readonly currentPassword?: string | undefined;
  readonly newPassword: string;
}

/**
 * Sets the password of the caller and ends all other sessions. An API key can set only the first
 * password, and only with the full role of its member; the owner of a new organization uses this.
 * @throws ProbityError `validation_failed` that names `current_password` or `new_password`;
 *   `forbidden` for an API key with a lower role; `conflict` when it was changed concurrently;
 *   `rate_limited` after too many wrong passwords
 */
export async function changeOwnPassword(
  dependencies: SignInDependencies,
  context: CallContext,
  { currentPassword, newPassword }: PasswordChange,
): Promise<void> {
  const { runtime, storage, passwords } = dependencies;
  const account = await requireAccount(dependencies, context);
  if (account.passwordHash === null) requireAllRights(context, account);
  else {
    if (context.principal.sessionId === undefined) throw needsPerson();
    await confirmPassword(dependencies, context, account, currentPassword, 'current_password');
  }
  requireGoodPassword(newPassword, account.member.email, 'new_password');
  const passwordHash = await passwords.hash(newPassword);
  const key = keyOf(account);
  await storage.withTenantLock(context, key.organizationId, async (tx) => {
    const current = await tx.findAccount(key);
    if (current?.passwordHash !== account.passwordHash) throw changedMeanwhile();
    await tx.setPasswordHash(key, passwordHash);
    const endedSessions = await tx.deleteSessionsOf(key, context.principal.sessionId);
    const action = account.passwordHash === null ? 'password.set' : 'password.changed';
    const target = { type: 'member', id: key.memberId };
    const after = { ended_sessions: endedSessions };
    await runtime.audit.record(tx, context, action, target, { after });
  });
}

function requireAllRights({ principal }: CallContext, { member }: Account): void {
  if (principal.role === member.role) return;
  throw new ProbityError(
    'forbidden',
    `The first password needs a key with the member's own role, ${member.role}.`,
  );
}

function needsPerson(): ProbityError {
  return new ProbityError(
    'forbidden',
    'The member has a password; an API key can only set the first one. Sign in to change it.',
  );
}

function changedMeanwhile(): ProbityError {
  return new ProbityError('conflict', 'The password was changed by another request.');
}
