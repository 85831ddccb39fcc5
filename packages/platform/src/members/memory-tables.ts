import { defineMemoryTable } from '@probity/core/internal';
import type { Invitation, Member } from './types.ts';

/** The table of members. */
export const MEMBERS = defineMemoryTable<Member>('members', 'organizationId');

/** The table of invitations. */
export const INVITATIONS = defineMemoryTable<Invitation>('invitations', 'organizationId');
