import type {
  AuditFields,
  AuditTarget,
  CallContext,
  KernelOperations,
  Runtime,
} from '@probity/core';
import { notFound } from '@probity/core';
import { changedFields, mailboxKey } from '@probity/core/internal';
import type { AddressNotice } from '../mails/owner-notices.ts';
import { addressNoticeJob } from '../mails/owner-notices.ts';
import { endMailedReset } from '../sign-in/password-resets.ts';
import type { PasswordResetReads, PasswordResetWrites } from '../sign-in/storage.ts';
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

/** The writes that a change of a member needs. */
export type MemberChangeWrites = MemberWrites &
  InvitationWrites &
  PasswordResetReads &
  PasswordResetWrites;

/** The audit action and the call that a change is recorded under. */
export interface RecordedChange {
  readonly runtime: Pick<Runtime, 'audit' | 'clock' | 'ids'>;
  readonly context: CallContext;
  readonly action: MemberAction;
}

/**
 * Stores and audits a change of a member, and updates the role of its open invitations; fields that
 * keep their value are neither written nor recorded. A replaced e-mail address gets a notice, so that its
 * owner notices a takeover, and the password reset that was mailed to it ends.
 */
export async function changeMember(
  tx: MemberChangeWrites & KernelOperations,
  { runtime, context, action }: RecordedChange,
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
  await runtime.audit.record(tx, context, action, targetOf(member), difference);
  if (mailboxKey(changed.email) !== mailboxKey(member.email)) {
    await endMailedReset(tx, { organizationId, memberId: id });
    await tx.enqueueJobs([addressNoticeJob(runtime, replacedEmailNotice(member, changed.email))]);
  }
  return changed;
}

function replacedEmailNotice(
  { organizationId, id, email }: Member,
  changed: string,
): AddressNotice {
  return {
    organizationId,
    address: email,
    subject: 'Your e-mail address was replaced',
    text: [
      `Your membership was changed from ${email} to ${changed}.`,
      'Sign-in and password resets now use the new address; this one gets no further mails.',
      'If you expected this, do nothing. If not, tell an owner of the organization at once: an owner can suspend the',
      'membership, and set the address back, with an API key:',
      `PATCH /v1/organizations/${organizationId}/members/${id} {"email": "${email}"}`,
    ].join('\n'),
  };
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
