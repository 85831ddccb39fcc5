import { validationError } from '@probity/core';

/** Who can be given an alert; declared here, and fitted by whatever knows the members of an organization. */
export interface AlertMembers {
  /** Whether the organization has this member, and the member may sign in. */
  isActiveMember(organizationId: string, memberId: string): Promise<boolean>;
}

/** @throws ProbityError `validation_failed` naming `memberId` */
export async function requireAssignable(
  members: AlertMembers | undefined,
  organizationId: string,
  memberId: string | null,
): Promise<void> {
  if (memberId === null || !members) return;
  if (await members.isActiveMember(organizationId, memberId)) return;
  const message = 'must be the id of an active member of the organization, or null';
  throw validationError({ field: 'memberId', message });
}
