import type { IncomingMessage } from 'node:http';

/** A customer of the shop who has signed in; the company is the organization of Probity. */
interface Customer {
  readonly id: string;
  readonly company: string;
  /** What the customer may do, as Probity names it. */
  readonly role: 'admin' | 'viewer';
}

/** The sessions by the value of the cookie `session`, as a login makes them. */
const SESSIONS: ReadonlyMap<string, Customer> = new Map([
  ['session-of-ann', { id: 'ann', company: 'acme', role: 'admin' }],
]);

/** The customer that a request's session cookie belongs to, or null. */
export function customerOf({ headers: { cookie = '' } }: IncomingMessage): Customer | null {
  return SESSIONS.get(/(?:^|; )session=([^;]*)/.exec(cookie)?.[1] ?? '') ?? null;
}
