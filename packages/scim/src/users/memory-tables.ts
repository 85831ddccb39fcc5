import { defineMemoryTable } from '@probity/core/internal';
import type { ScimUser } from '../resources/types.ts';

/** The table of users. */
export const USERS = defineMemoryTable<ScimUser>('scim_users', 'organizationId');
