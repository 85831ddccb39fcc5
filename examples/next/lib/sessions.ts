import type { Caller } from '@probity/core';

/**
 * The sessions of the host's login by the value of its cookie: a table of Auth.js, for example.
 * Customers may only scan: every role reads all alerts and scans, so roles are for staff.
 */
const SESSIONS: ReadonlyMap<string, Caller> = new Map<string, Caller>([
  ['bob-session', { organizationId: 'acme', memberId: 'bob', permissions: ['scans:create'] }],
  ['ann-session', { organizationId: 'acme', memberId: 'ann', role: 'admin' }],
]);

/** The user that a `Cookie` header belongs to, or null. */
export function callerOf(cookies = ''): Caller | null {
  const session = /(?:^|; )session=([^;]+)/.exec(cookies)?.[1];
  return SESSIONS.get(session ?? '') ?? null;
}
