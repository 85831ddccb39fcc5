import type { AuditFields, AuditRecorder, AuditTarget, CallContext } from '@probity/core';
import { notFound } from '@probity/core';
import type { AuditWrites } from '@probity/core/internal';
import { changedFields } from '@probity/core/internal';
import type { InvitationWrites, MemberChanges, MemberWrites } from './storage.ts';
import { suspendingParties } from './suspension.ts';
import type { Member } from './types.ts';

/** Audit actions for changes of members. */
export type MemberAction =
  | 'member.role_changed'
  | 'member.suspended'
  | 'member.reactivated'
  | 'member.activated'
  | 'member.updated';

/** The audit action and the call that a change is recorded under. */
export interface RecordedChange {
  readonly audit: AuditRecorder;
  readonly context: CallContext;
  readonly action: MemberAction;
}

/**
 * Stores and audits a change of a member, and updates the role of its open invitations; fields that
 * keep their value are neither written nor recorded.
 */
export async function changeMember(
  tx: MemberWrites & InvitationWrites & AuditWrites,
  { audit, context, action }: RecordedChange,
  member: Member,
  changes: MemberChanges,
): Promise<Member> {
  const difference = changedFields(
    toChangeFields(member),
    toChangeFields({ ...member, ...changes }),
  );
  if (Object.keys(difference.after).length === 0) return member;
  const { organizationId, id } = member;
  const changed = await tx.updateMember(organizationId, id, changes);
  if (!changed) throw notFound('member');
  if (changes.role) await tx.setInvitedRole(organizationId, id, changes.role);
  await audit.record(tx, context, action, targetOf(member), difference);
  return changed;
}

/** The member as an audit target. */
export function targetOf({ id }: Member): AuditTarget {
  return { type: 'member', id };
}

/** The fields of a member that audit entries contain. */
export function toAuditFields({ email, name, role, status }: Member): AuditFields {
  return { email, name, role, status };
}

function toChangeFields(member: Member): AuditFields {
  const parties = suspendingParties(member.suspendedAt);
  return { ...toAuditFields(member), suspended_by: parties.length > 0 ? parties : null };
}
