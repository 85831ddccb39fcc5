import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Caller } from '@probity/core';
import express from 'express';
import session from 'express-session';

/** A user of the host; the company is the organization of Probity. */
interface User {
  readonly id: string;
  readonly company: string;
  readonly isStaff: boolean;
}

const USERS = new Map<string, User & { readonly password: string }>([
  ['ann', { id: 'ann', company: 'acme', isStaff: false, password: 'correct horse' }],
  ['eve', { id: 'eve', company: 'acme', isStaff: true, password: 'battery staple' }],
]);

/** The host's login: `POST /login {user, password}` sets a session cookie. */
export const login = express
  .Router()
  .use(
    session({
      // Without the variable, a restart signs everybody out.
      secret: process.env.SESSION_SECRET ?? randomBytes(32).toString('hex'),
      resave: false,
      saveUninitialized: false,
      // Needs HTTPS in production, and `app.set('trust proxy', 1)` behind a proxy.
      cookie: { sameSite: 'lax', secure: process.env.NODE_ENV === 'production' },
    }),
  )
  .post('/login', express.json(), (request, response, next) => {
    const user = USERS.get(request.body?.user);
    if (!user || user.password !== request.body.password) {
      response.sendStatus(401);
      return;
    }
    // A session id from before the sign-in may be known to somebody else.
    request.session.regenerate((error) => {
      if (error) return next(error);
      const { password: _, ...stored } = user;
      Object.assign(request.session, { user: stored });
      response.sendStatus(204);
    });
  });

/**
 * The caller that the host's session belongs to; null without a session. Customers may only
 * scan: every role reads all alerts and scans of the organization, so roles are for staff.
 */
export function callerOf(request: IncomingMessage): Caller | null {
  const { user } = (request as IncomingMessage & { session: { user?: User } }).session;
  if (!user) return null;
  const { id: memberId, company: organizationId, isStaff } = user;
  if (isStaff) return { organizationId, memberId, role: 'editor' };
  return { organizationId, memberId, permissions: ['scans:create'] };
}
