import type { Runtime, Storage } from '@probity/core';
import { notFound, OUTSIDE_REQUEST } from '@probity/core';
import type { AccountReads, SecondFactorWrites, SessionWrites } from './storage.ts';
import type { MemberKey } from './types.ts';

/** Dependencies of {@link resetMfa}. */
export interface MfaResetOptions {
  readonly storage: Storage<AccountReads, SecondFactorWrites & SessionWrites>;
}

/**
 * Disables the second factor of a member who has lost it together with the recovery codes, and ends
 * the member's sessions; without one nothing is changed or recorded. For operators with access to the database: nobody else can let the last
 * owner of an organization in again.
 * @param system the program, for the audit log
 * @returns whether there was one
 * @throws ProbityError `not_found`
 */
export function resetMfa(
  { audit }: Pick<Runtime, 'audit'>,
  { storage }: MfaResetOptions,
  key: MemberKey,
  system: string,
): Promise<boolean> {
  const { organizationId, memberId } = key;
  return storage.withTenantLock(OUTSIDE_REQUEST, organizationId, async (tx) => {
    const account = await tx.findAccount(key);
    if (!account) throw notFound('member');
    if (!account.member.mfaEnabled) return false;
    await tx.disableMfa(key);
    const endedSessions = await tx.deleteSessionsOf(key);
    const target = { type: 'member', id: memberId };
    await audit.record(tx, { organizationId, system }, 'mfa.reset', target, {
      before: { mfa_enabled: true },
      after: { mfa_enabled: false, ended_sessions: endedSessions },
    });
    return true;
  });
}
