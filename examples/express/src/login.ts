import type { IncomingMessage } from 'node:http';
import type { Caller } from '@probity/core';
import express from 'express';
import session from 'express-session';

/** A user of the host; the company is the organization of Probity. */
interface User {
  readonly id: string;
  readonly company: string;
}

const USERS = new Map<string, User & { readonly password: string }>([
  ['ann', { id: 'ann', company: 'acme', password: 'correct horse' }],
]);

/** The host's login: `POST /login {user, password}` sets a session cookie. */
export const login = express
  .Router()
  .use(session({ secret: 'keep this secret', resave: false, saveUninitialized: false }))
  .post('/login', express.json(), (request, response) => {
    const user = USERS.get(request.body?.user);
    if (user?.password !== request.body?.password) {
      response.sendStatus(401);
      return;
    }
    Object.assign(request.session, { user: { id: user?.id, company: user?.company } });
    response.sendStatus(204);
  });

/** The caller that the host's session belongs to; null when nobody is signed in. */
export function callerOf(request: IncomingMessage): Caller | null {
  const { user } = (request as IncomingMessage & { session: { user?: User } }).session;
  return user ? { organizationId: user.company, memberId: user.id, role: 'member' } : null;
}
