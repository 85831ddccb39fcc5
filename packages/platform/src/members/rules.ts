import type { CallContext, Role } from '@probity/core';
import { ProbityError } from '@probity/core';
import { isAtLeast } from '@probity/core/internal';
import type { Member } from '../organizations/types.ts';
import type { MemberReads, MemberWrites } from './storage.ts';

/**
 * Nobody grants a role above their own, nor changes a member who has one. The caller's role is
 * that of the credential, so a key with little power cannot remove the owner who made it.
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
 * An organization always keeps an active owner; pending and suspended ones don't count. To be
 * called under the organization's lock before `member` stops being one.
 * @throws ProbityError `conflict` when `member` is the last
 */
export async function requireOtherActiveOwner(reads: MemberReads, member: Member): Promise<void> {
  if (member.role !== 'owner' || member.status !== 'active') return;
  if ((await reads.countOtherActiveOwners(member.organizationId, member.id)) > 0) return;
  throw new ProbityError(
    'conflict',
    'This is the last active owner of the organization; make another member owner first.',
  );
}

/**
 * Takes a member out of its organization, with API keys and open invitations. To be called under
 * the organization's lock.
 * @throws ProbityError `conflict` when it is the last active owner
 */
export async function removeMember(
  tx: MemberReads & MemberWrites,
  member: Member,
  at: Date,
): Promise<void> {
  await requireOtherActiveOwner(tx, member);
  await tx.revokeInvitationsOf(member.organizationId, member.id, at);
  await tx.deleteMember(member.organizationId, member.id);
}
