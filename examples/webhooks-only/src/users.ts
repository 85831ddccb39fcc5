import type { Caller } from '@probity/core';

/** The users of the shop by their API tokens; the company is the organization of Probity. */
const USERS: ReadonlyMap<string, Caller> = new Map([
  ['token-of-ann', { organizationId: 'acme', memberId: 'ann', role: 'admin' }],
]);

/** The user that an `Authorization: Bearer` header belongs to, or null. */
export function findUser(authorization = ''): Caller | null {
  return USERS.get(authorization.replace('Bearer ', '')) ?? null;
}
