import { defineMemoryTable } from '@probity/core/internal';
import type { Organization } from './types.ts';

/** The table of organizations; an organization is a tenant. */
export const ORGANIZATIONS = defineMemoryTable<Organization>('organizations', 'id');
