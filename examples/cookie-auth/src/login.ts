import type { IncomingMessage, ServerResponse } from 'node:http';
import type { User } from './sessions.ts';
import { endSession, startSession } from './sessions.ts';

/** Stands for a table of the host, which would hold hashes of the passwords. */
const USERS = new Map<string, User & { readonly password: string }>([
  ['ann', { id: 'ann', company: 'acme', role: 'manager', password: 'correct horse' }],
  ['bob', { id: 'bob', company: 'acme', role: 'auditor', password: 'battery staple' }],
  ['dan', { id: 'dan', company: 'acme', role: 'customer', password: 'paper boat' }],
  ['eve', { id: 'eve', company: 'acme', role: 'visitor', password: 'hungry caterpillar' }],
]);

/** The pages of the host: `POST /login` with a form of `user` and `password`, and `POST /logout`. */
export async function handleLogin(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const route = `${request.method} ${request.url}`;
  if (route === 'GET /') response.end('The page of the host.');
  else if (request.method !== 'POST') response.writeHead(404).end();
  else if (isForeign(request)) response.writeHead(403).end();
  else if (route === 'POST /login') await login(request, response);
  else if (route === 'POST /logout')
    response.writeHead(204, { 'Set-Cookie': endSession(request.headers.cookie) }).end();
  else response.writeHead(404).end();
}

async function login(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) {
    body += chunk;
    if (body.length > 1_000) throw new Error('The form is too large.');
  }
  const form = new URLSearchParams(body);
  const user = USERS.get(form.get('user') ?? '');
  if (user && user.password === form.get('password'))
    response.writeHead(204, { 'Set-Cookie': startSession(user) }).end();
  else response.writeHead(401).end();
}

/** Whether a page of another origin sent the request: Probity's rule, for the host's own forms. */
function isForeign({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  if (headers.origin === undefined) return false; // no browser
  return !URL.canParse(headers.origin) || new URL(headers.origin).host !== headers.host;
}
