import type { IncomingMessage } from 'node:http';
import type { Caller } from '@probity/core';

/** A user of the host; the company is the organization of Probity. */
interface User {
  readonly id: string;
  readonly company: string;
  readonly isStaff: boolean;
}

/** A request of which `readUser` has looked up the user. */
export interface RequestOfUser extends IncomingMessage {
  user?: User;
}

/** The users of the host by their API tokens. */
const USERS: ReadonlyMap<string, User> = new Map([
  ['token-of-ann', { id: 'ann', company: 'acme', isStaff: false }],
  ['token-of-eve', { id: 'eve', company: 'acme', isStaff: true }],
]);

/** Middleware that attaches the user to the request, for Probity and for the host's guards. */
export function readUser(request: RequestOfUser, _response: unknown, next: () => void): void {
  const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
  const user = USERS.get(token);
  if (user) request.user = user;
  next();
}

/**
 * The caller of Probity that a request's user is; null for a stranger. Customers may only scan: every
 * role reads all alerts and scans of the organization, so roles are for staff.
 */
export function callerOf({ user }: RequestOfUser): Caller | null {
  if (!user) return null;
  const { id: memberId, company: organizationId, isStaff } = user;
  if (isStaff) return { organizationId, memberId, role: 'editor' };
  return { organizationId, memberId, permissions: ['scans:create'] };
}
