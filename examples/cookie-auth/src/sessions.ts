import { createHash, randomBytes } from 'node:crypto';
import type { Caller } from '@probity/core';

/** A user of the host; the company is the organization of Probity. */
export interface User {
  readonly id: string;
  readonly company: string;
  readonly role: string;
}

/**
 * The rights in Probity of each role of the host; users of other roles may do nothing.
 * Customers may only scan: every role of Probity reads all alerts and scans of the organization.
 */
const RIGHTS = new Map(
  Object.entries({
    manager: { role: 'admin' },
    clerk: { role: 'member' },
    auditor: { role: 'viewer' },
    customer: { permissions: ['scans:create'] },
  } as const),
);

const LIFETIME_S = 8 * 3_600;

/** By the hash of the cookie's value: a table of the host, whose copy must not sign anyone in. */
const sessions = new Map<string, { readonly user: User; readonly expiresAt: number }>();

/** Starts a session; the value of `Set-Cookie`. */
export function startSession(user: User): string {
  const id = randomBytes(32).toString('base64url');
  sessions.set(hash(id), { user, expiresAt: Date.now() + LIFETIME_S * 1_000 });
  return toCookie(id, LIFETIME_S);
}

/** Ends the session of a `Cookie` header; the value of `Set-Cookie` that removes the cookie. */
export function endSession(cookies: string | undefined): string {
  sessions.delete(hash(sessionIdOf(cookies)));
  return toCookie('', 0);
}

/** The caller of Probity that a `Cookie` header belongs to; null without a session or a role. */
export function callerOf(cookies: string | undefined): Caller | null {
  const session = sessions.get(hash(sessionIdOf(cookies)));
  if (!session || session.expiresAt <= Date.now()) return null;
  const { id, company, role: hostRole } = session.user;
  const rights = RIGHTS.get(hostRole);
  return rights ? { organizationId: company, memberId: id, ...rights } : null;
}

/** Scripts cannot read the cookie, and requests by POST from other sites do not carry it. */
function toCookie(value: string, lifetimeS: number): string {
  const secure = process.env.NODE_ENV === 'production' ? '; Secure' : ''; // needs HTTPS
  return `session=${value}; Path=/; Max-Age=${lifetimeS}; HttpOnly; SameSite=Lax${secure}`;
}

function sessionIdOf(cookies = ''): string {
  return /(?:^|; )session=([^;]*)/.exec(cookies)?.[1] ?? '';
}

function hash(id: string): string {
  return createHash('sha256').update(id).digest('hex');
}
