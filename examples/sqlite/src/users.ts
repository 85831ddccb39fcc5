import type { Caller } from '@probity/core';

/** The users of the host by their API tokens; the company is the organization of Probity. */
const USERS: ReadonlyMap<string, Caller> = new Map([
  ['token-of-ann', { organizationId: 'acme', memberId: 'ann', role: 'member' }],
]);

/** The user that a token belongs to, or null. */
export function findUser(token: string | null): Caller | null {
  return USERS.get(token ?? '') ?? null;
}
