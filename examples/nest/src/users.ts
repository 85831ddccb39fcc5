import type { IncomingMessage } from 'node:http';
import type { Caller } from '@probity/core';

/** A user of the host; the company is the organization of Probity. */
interface User {
  readonly id: string;
  readonly company: string;
}

/** A request of which `readUser` has looked up the user. */
export interface RequestOfUser extends IncomingMessage {
  user?: User;
}

/** The users of the host by their API tokens. */
const USERS: ReadonlyMap<string, User> = new Map([
  ['token-of-ann', { id: 'ann', company: 'acme' }],
]);

/** Middleware that attaches the user to the request, for Probity and for the host's guards. */
export function readUser(request: RequestOfUser, _response: unknown, next: () => void): void {
  const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
  const user = USERS.get(token);
  if (user) request.user = user;
  next();
}

/** The caller of Probity that a request's user is; null for a stranger. */
export function callerOf({ user }: RequestOfUser): Caller | null {
  return user ? { organizationId: user.company, memberId: user.id, role: 'member' } : null;
}
