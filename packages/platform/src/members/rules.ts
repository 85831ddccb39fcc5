import type { CallContext, Role } from '@probity/core';
import { ProbityError } from '@probity/core';
import { isAtLeast } from '@probity/core/internal';
import type { InvitationWrites, MemberReads, MemberWrites } from './storage.ts';
import type { Member } from './types.ts';

/**
 * Refuses to grant a role above the caller's, or to change a member who has one. The caller's role
 * is that of the credential, so a key with fewer rights cannot remove the owner who created it.
 * @throws ProbityError `forbidden`
 */
export function requireRoleWithinOwn({ principal }: CallContext, role: Role): void {
  if (isAtLeast(principal.role, role)) return;
  throw new ProbityError(
    'forbidden',
    `The role ${principal.role} may not grant, change or remove the role ${role}.`,
  );
}

/**
 * Ensures that the organization keeps an active owner; pending and suspended ones don't count. Call
 * it under the tenant's lock before `member` stops being an owner. A suspended owner is also kept
 * until another one is active: its owner role may be the last one.
 * @throws ProbityError `conflict` when no other owner is active
 */
export async function requireOtherActiveOwner(reads: MemberReads, member: Member): Promise<void> {
  if (member.role !== 'owner' || member.status === 'pending_invite') return;
  if (await hasOtherActiveOwner(reads, member)) return;
  throw new ProbityError(
    'conflict',
    'This is the last active owner of the organization; make another member owner first.',
  );
}

/** Whether the organization has an active owner other than `member`. */
export async function hasOtherActiveOwner(
  reads: MemberReads,
  { organizationId, id }: Member,
): Promise<boolean> {
  return (await reads.countOtherActiveOwners(organizationId, id)) > 0;
}

/** @throws ProbityError `conflict` for a member who has not accepted the invitation */
export function requireAccepted({ status }: Member): void {
  if (status !== 'pending_invite') return;
  throw new ProbityError('conflict', 'The member has not accepted the invitation yet.');
}

/**
 * Removes a member with its API keys, sessions and open invitations. Call it under the tenant's
 * lock.
 * @throws ProbityError `conflict` when it is the last owner
 */
export async function removeMember(
  tx: MemberReads & MemberWrites & InvitationWrites,
  member: Member,
  at: Date,
): Promise<void> {
  await requireOtherActiveOwner(tx, member);
  await tx.revokeInvitationsOf(member.organizationId, member.id, at);
  await tx.deleteMember(member.organizationId, member.id);
}

/** The error for a second member with the same e-mail. */
export function emailTaken(): ProbityError {
  return new ProbityError(
    'already_exists',
    'The organization already has a member with this e-mail address.',
  );
}
