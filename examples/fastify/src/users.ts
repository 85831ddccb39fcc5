import type { Caller } from '@probity/core';

/**
 * The users of the host by their API tokens; the company is the organization of Probity. Customers
 * may only scan: every role reads all alerts and scans of the organization, so roles are for staff.
 */
const USERS: ReadonlyMap<string, Caller> = new Map<string, Caller>([
  ['token-of-ann', { organizationId: 'acme', memberId: 'ann', permissions: ['scans:create'] }],
  ['token-of-eve', { organizationId: 'acme', memberId: 'eve', role: 'editor' }],
]);

/** The user that a token belongs to, or null. */
export function findUser(token: string | null): Caller | null {
  return USERS.get(token ?? '') ?? null;
}
