import { ProbityError } from '@probity/core';
import { requireAccepted } from './rules.ts';
import type { MemberChanges } from './storage.ts';
import type { Member, SuspendingParty, SuspensionTimes } from './types.ts';
import { SUSPENDING_PARTIES } from './types.ts';

/**
 * Returns the change for a suspension by `party`; an existing suspension by that party keeps its
 * time.
 * @throws ProbityError `conflict` for a pending member
 */
export function suspensionBy(party: SuspendingParty, member: Member, now: Date): MemberChanges {
  requireAccepted(member);
  const suspendedAt = { ...member.suspendedAt, [party]: member.suspendedAt[party] ?? now };
  return { status: 'suspended', suspendedAt };
}

/**
 * Returns the change that ends the suspension by `party`; the member is active again unless the
 * other party suspends it as well.
 * @throws ProbityError `conflict` for a pending member
 */
export function reactivationBy(party: SuspendingParty, member: Member): MemberChanges {
  requireAccepted(member);
  const suspendedAt = { ...member.suspendedAt, [party]: null };
  const isSuspended = SUSPENDING_PARTIES.some((each) => suspendedAt[each] !== null);
  return { status: isSuspended ? 'suspended' : 'active', suspendedAt };
}

/** @throws ProbityError `conflict` when only the identity provider suspends the member */
export function requireOwnSuspension({ suspendedAt }: Member): void {
  if (suspendedAt.admin || !suspendedAt.scim) return;
  throw new ProbityError(
    'conflict',
    'The identity provider suspended this member; reactivate the member there.',
  );
}

/** The parties that suspend a member, for the audit log. */
export function suspendingParties(suspendedAt: SuspensionTimes): readonly SuspendingParty[] {
  return SUSPENDING_PARTIES.filter((party) => suspendedAt[party] !== null);
}
