import { defineMemoryTable } from '@probity/core/internal';
import type { ScimGroup } from '../resources/types.ts';

/** A membership as stored. */
export interface StoredMembership {
  readonly organizationId: string;
  readonly groupId: string;
  readonly memberId: string;
  readonly type: 'User' | 'Group';
  readonly addedAt: Date;
}

/** The table of groups. */
export const GROUPS = defineMemoryTable<ScimGroup>('scim_groups', 'organizationId');

/** The table of memberships, by {@link toMembershipKey}. */
export const MEMBERSHIPS = defineMemoryTable<StoredMembership>(
  'scim_group_members',
  'organizationId',
);

/** The key of a membership; ids hold no space. */
export function toMembershipKey(groupId: string, memberId: string): string {
  return `${groupId} ${memberId}`;
}
