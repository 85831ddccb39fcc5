import type { HttpsReceiver, SmtpPeer } from '@probity/test-support';
import { until } from '@probity/test-support';
import { CHANGE_RECIPES } from './change-recipes.ts';
import type { Operation } from './furnished.ts';
import { canSucceed, credentialOf, fill, furnish, operationsOf } from './furnished.ts';
import type { CallRecipe, RecipeWorld } from './post-recipes.ts';
import { activeMember, ownPath, PASSWORD, POST_RECIPES, succeed } from './post-recipes.ts';
import { callScim } from './scim-recipes.ts';
import type { Bootstrapped } from './support.ts';
import { call, createWebhook, LEAK, scanLeak } from './support.ts';

/** The bodies of one call of an operation. */
export interface RecordedCall {
  readonly operationId: string;
  readonly request?: unknown;
  readonly status: number;
  readonly response: unknown;
}

/** A running server, an owner, and what receives its mails and events. */
export interface ExampleServer {
  readonly url: string;
  readonly owner: Bootstrapped;
  readonly inbox: SmtpPeer;
  readonly receiver: HttpsReceiver;
}

/** Calls every operation with a JSON body, at least once each. */
export async function recordCalls(server: ExampleServer): Promise<RecordedCall[]> {
  const { url, owner, inbox } = server;
  const operations = await operationsOf(url);
  const world = { url, organizationId: owner.organization_id, key: owner.api_key, inbox };
  return [
    ...(await readAll(server, operations)),
    // Before the recipes, which end the token.
    ...(await callScim({ ...world, scimToken: owner.scim_token })),
    ...(await runRecipes(world, operations)),
    ...(await callPublicPosts(world)),
    await send(world, 'scan', '/api/v1/governance/scan', { response: LEAK }),
  ];
}

/** Operations that answer a file. */
const FILES = new Set([
  ...['openInvoicePdf', 'getReferencePage', 'getCertificatePage', 'getCertificatePageScript'],
  ...['getEvidenceReport'],
]);

async function readAll(
  { url, owner, receiver }: ExampleServer,
  operations: readonly Operation[],
): Promise<RecordedCall[]> {
  const identifiers = await furnish(url, owner);
  const { api_key: key } = owner;
  const webhook = await createWebhook(url, key, receiver);
  const path = `${url}/api/v1/webhooks/${webhook.id}`;
  const deliveries = `${path}/deliveries`;
  await scanLeak(url, key);
  await until(async () => {
    const { data } = (await call(deliveries, key)).body;
    return data.length > 0 && data.every(({ status }: { status: string }) => status !== 'pending');
  }, 'the events are delivered');
  const { data: sent } = (await call(deliveries, key)).body;
  const since = '2026-01-01T00:00:00.000Z';
  const { data: replay } = (await call(`${path}/replay`, key, 'POST', { since })).body;
  const made = { webhook_id: webhook.id, delivery_id: sent[0].id, replay_id: replay.id };
  const reads = operations.filter(
    (each) => each.method === 'get' && !FILES.has(each.operationId) && canSucceed(each),
  );
  const calls: RecordedCall[] = [];
  for (const { path, operationId, security, tags } of reads) {
    const known = { ...identifiers, ...made };
    const credential = credentialOf({ tags }, owner, identifiers);
    const answer = await call(url + fill(path, known), security.length > 0 ? credential : null);
    calls.push({ operationId, status: answer.status, response: answer.body });
  }
  return calls;
}

async function runRecipes(
  world: RecipeWorld,
  operations: readonly Operation[],
): Promise<RecordedCall[]> {
  const recipes: Readonly<Record<string, CallRecipe>> = { ...POST_RECIPES, ...CHANGE_RECIPES };
  const calls: RecordedCall[] = [];
  for (const { method, operationId } of operations) {
    const prepared = await recipes[operationId]?.(world);
    if (!prepared) continue;
    const { path, body, key = world.key } = prepared;
    const answer = await call(world.url + path, key, method.toUpperCase(), body);
    // Events are no JSON body.
    if (answer.headers.get('content-type') === 'text/event-stream') continue;
    calls.push({ operationId, request: body, status: answer.status, response: answer.body });
  }
  return calls;
}

/** The operations of POST_RECIPES' exceptions that have bodies. */
async function callPublicPosts(world: RecipeWorld): Promise<RecordedCall[]> {
  const email = 'carol@acme.example';
  await succeed(world, ownPath(world, '/members'), { email, role: 'viewer' });
  const [, token] = /token=(\w+)/.exec(await world.inbox.textTo(email)) ?? [];
  const acceptance = { token, name: 'Carol Diaz', password: PASSWORD };
  const calls = [await send(world, 'acceptInvitation', '/v1/invitations/accept', acceptance)];

  const credentials = { email: (await activeMember(world)).email, password: PASSWORD };
  calls.push(await send(world, 'logIn', '/v1/auth/login', credentials));
  const session = await signIn(world, credentials);
  const refreshed = await fetch(`${world.url}/v1/auth/refresh`, {
    method: 'POST',
    headers: session,
  });
  calls.push({
    operationId: 'refreshSession',
    status: refreshed.status,
    response: await refreshed.json(),
  });

  calls.push(await send(world, 'forgetPassword', '/v1/auth/password/forgot', { email }));
  const [, reset] = /token=(prs_\w+)/.exec(await world.inbox.textTo(email, 2)) ?? [];
  const change = { token: reset, password: 'another one of my own' };
  calls.push(await send(world, 'resetPassword', '/v1/auth/password/reset', change));
  return calls;
}

/** The headers of a signed-in browser. */
async function signIn({ url }: RecipeWorld, credentials: object): Promise<Record<string, string>> {
  const { headers, body } = await call(`${url}/v1/auth/login`, null, 'POST', credentials);
  const cookies = headers.getSetCookie().map((line) => line.split(';', 1)[0]);
  return { cookie: cookies.join('; '), 'x-csrf-token': body.csrf_token };
}

async function send(
  { url, key }: RecipeWorld,
  operationId: string,
  path: string,
  request: unknown,
): Promise<RecordedCall> {
  const isPublic = path.startsWith('/v1/');
  const { status, body } = await call(url + path, isPublic ? null : key, 'POST', request);
  return { operationId, request, status, response: body };
}
