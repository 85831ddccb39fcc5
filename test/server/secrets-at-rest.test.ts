import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import { describe, it, test } from 'node:test';
import type { SmtpPeer } from '@probity/test-support';
import { startHttpsReceiver, startSmtpPeer } from '@probity/test-support';
import { contentOf } from './database-content.ts';
import type { Secret } from './secret-forms.ts';
import { formsOf, secretsIn } from './secret-forms.ts';
import type { Answer, EmptyDatabase, RunningServer } from './support.ts';
import { bootstrap, call, emptyDatabases, scanLeak, serveProcess } from './support.ts';
import { totpAt } from './totp.ts';

/** The characters of a token that are stored, to tell tokens apart (contract, section 3). */
const VISIBLE = 12;

/** A server that sends mail, and every secret that it has returned. */
interface World {
  readonly server: RunningServer;
  readonly inbox: SmtpPeer;
  readonly receiverUrl: string;
  readonly organizationId: string;
  readonly key: string;
  readonly secrets: Secret[];
  keep(name: string, value: string | undefined, visible?: number): void;
  send(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Sends a POST twice with one Idempotency-Key; both answers must be equal. */
  repeat(path: string, body: unknown, token?: string): Promise<Answer['body']>;
}

async function createWorld(
  t: TestContext,
  location: string,
): Promise<World & { delivered(): Promise<unknown> }> {
  const [inbox, receiver] = [await startSmtpPeer(t), await startHttpsReceiver({ test: t })];
  const encryptionKey = randomBytes(32).toString('base64');
  const env = {
    PROBITY_SMTP_URL: inbox.url,
    PROBITY_MAIL_FROM: 'probity@acme.example',
    PROBITY_ENCRYPTION_KEY: encryptionKey,
    PROBITY_LOG_LEVEL: 'debug',
  };
  const owner = await bootstrap(location, 'enterprise', env);
  const server = await serveProcess(t, location, { env, receiver });
  const secrets: Secret[] = [];
  const keep: World['keep'] = (name, value, visible = 0) => {
    assert.ok(value && value.length - visible >= 6, `no ${name}`);
    secrets.push({ name, value: value.slice(visible) });
  };
  keep('the encryption key', encryptionKey);
  keep('the first API key', owner.api_key, VISIBLE);
  keep('the first SCIM token', owner.scim_token, VISIBLE);
  const send: World['send'] = (method, path, body) =>
    call(server.url + path, owner.api_key, method, body);
  return {
    server,
    inbox,
    receiverUrl: receiver.url,
    organizationId: owner.organization_id,
    key: owner.api_key,
    secrets,
    keep,
    send,
    repeat: (path, body, token = owner.api_key) => sendTwice(server.url + path, token, body),
    delivered: () => receiver.waitFor(() => true),
  };
}

async function sendTwice(url: string, key: string, body: unknown): Promise<Answer['body']> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  };
  const send = async () => {
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    return [answer.status, await answer.text()] as const;
  };
  const first = await send();
  assert.ok(first[0] < 300, first[1]);
  assert.deepEqual(await send(), first);
  return JSON.parse(first[1]);
}

async function makeTokens({ organizationId, server, repeat, keep, send }: World): Promise<void> {
  const own = `/v1/organizations/${organizationId}`;
  keep('an API key', (await repeat(`${own}/api-keys`, { name: 'CI' })).token, VISIBLE);
  const portal = await repeat('/api/v1/webhooks/portal-tokens', { capabilities: ['view'] });
  keep('a portal token', portal.data.token, 'ppt_'.length);
  keep('a SCIM token', (await repeat(`${own}/scim`, {})).token, VISIBLE);
  const { invoices } = (await send('GET', `${own}/invoices`)).body;
  const link = new URL(invoices[0].pdf_url);
  assert.equal((await fetch(server.url + link.pathname + link.search)).status, 200);
  keep('the signature of an invoice link', link.searchParams.get('signature') ?? undefined);
}

const EMAIL = 'bob@acme.example';
const PASSWORDS = ['correct horse battery', 'staple under the moon', 'third time is a charm'];

/** Invites Bob twice; he accepts with a password. */
async function invite(world: World): Promise<void> {
  const { organizationId, repeat, keep, send, inbox } = world;
  const own = `/v1/organizations/${organizationId}`;
  const email = EMAIL;
  await repeat(`${own}/members`, { email, role: 'admin' });
  const tokenIn = async (n: number) =>
    /token=(\w+)/.exec(await inbox.textTo(email, n))?.[1] as string;
  keep('an invitation token', await tokenIn(1), VISIBLE);
  const { invitations } = (await send('GET', `${own}/invitations`)).body;
  await repeat(`${own}/invitations/${invitations[0].id}/resend`, undefined);
  const token = await tokenIn(2);
  keep('a renewed invitation token', token, VISIBLE);
  const accepted = await send('POST', '/v1/invitations/accept', {
    token,
    password: PASSWORDS[0],
  });
  assert.equal(accepted.status, 200, JSON.stringify(accepted.body));
}

/** Records every token returned by a sign-in or a renewal. */
function keepSession({ keep }: World, name: string, { headers, body }: Answer): void {
  keep(`the CSRF token of ${name}`, body.csrf_token);
  const [, payload, signature] = String(body.access_token).split('.');
  keep(`the claims of ${name}`, payload);
  keep(`the signature of ${name}`, signature);
  const cookies = headers.getSetCookie().join('\n');
  keep(`the refresh token of ${name}`, /__Host-probity_refresh=([^;]+)/.exec(cookies)?.[1]);
}

/** Bob signs in, renews, turns a second factor on, uses it, and changes and forgets his password. */
async function signIn(world: World): Promise<void> {
  const { server, keep, repeat, inbox } = world;
  const auth = `${server.url}/v1/auth`;
  const logIn = async (name: string, password: string | undefined, otp?: string) => {
    const body = { email: EMAIL, password, otp };
    const answer = await call(`${auth}/login`, null, 'POST', body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    keepSession(world, name, answer);
    return answer;
  };
  for (const [index, password] of PASSWORDS.entries()) keep(`password ${index + 1}`, password);
  const first = await logIn('the first session', PASSWORDS[0]);
  const cookie = first.headers.getSetCookie().map((line) => line.split(';')[0]);
  const headers = { cookie: cookie.join('; '), 'x-csrf-token': first.body.csrf_token };
  const renewed = await fetch(`${auth}/refresh`, { method: 'POST', headers });
  const body: Answer['body'] = await renewed.json();
  const session = { status: renewed.status, headers: renewed.headers, body };
  keepSession(world, 'the renewed session', session);
  const token = body.access_token;

  const { secret } = await repeat('/v1/auth/mfa', { password: PASSWORDS[0] }, token);
  keep('the secret of the second factor', secret);
  // The current code, then the next: both are valid for at least half a minute.
  const nowMs = Date.now();
  const otp = totpAt(secret, nowMs);
  const { recovery_codes: codes } = await repeat('/v1/auth/mfa/confirm', { otp }, token);
  for (const code of codes) keep('a recovery code', code);
  await logIn('the session by a second factor', PASSWORDS[0], totpAt(secret, nowMs + 30_000));
  await logIn('the session by a recovery code', PASSWORDS[0], codes[0]);

  const change = { current_password: PASSWORDS[0], new_password: PASSWORDS[1] };
  assert.equal((await call(`${auth}/password`, token, 'POST', change)).status, 204);
  assert.equal((await call(`${auth}/password/forgot`, null, 'POST', { email: EMAIL })).status, 202);
  const [, reset] = /reset\?token=(\w+)/.exec(await inbox.textTo(EMAIL, 3)) ?? [];
  keep('the token to set a new password', reset, VISIBLE);
  const choice = { token: reset, password: PASSWORDS[2] };
  assert.equal((await call(`${auth}/password/reset`, null, 'POST', choice)).status, 204);
  await logIn('the last session', PASSWORDS[2], codes[1]);
}

async function useWebhooks({ repeat, keep, receiverUrl, server, key }: World): Promise<void> {
  const { data } = await repeat('/api/v1/webhooks', {
    url: `${receiverUrl}/hook`,
    events: ['alert.created'],
  });
  const { data: rotated } = await repeat(`/api/v1/webhooks/${data.id}/rotate-secret`, {});
  for (const { secret } of [data, rotated]) {
    keep('a webhook secret', secret);
    keep('the key in a webhook secret', Buffer.from(secret.slice(6), 'base64').toString('hex'));
  }
  await scanLeak(server.url, key);
}

/** All data that a thief of disks and logs would have. */
async function stolen(location: string, { program }: RunningServer): Promise<string> {
  return [await contentOf(location), program.stdout, program.stderr].join('\n');
}

async function proveOn(t: TestContext, database: EmptyDatabase): Promise<void> {
  const location = await database.create(t);
  const world = await createWorld(t, location);
  await makeTokens(world);
  await invite(world);
  await signIn(world);
  await useWebhooks(world);
  await world.delivered();
  const { server, secrets } = world;
  assert.deepEqual(secretsIn(await stolen(location, server), secrets), [], 'while it runs');
  assert.equal(await server.program.terminate(), 0);
  const text = await stolen(location, server);
  assert.deepEqual(secretsIn(text, secrets), []);
  // Values that are not secret are found, so the right places are searched.
  for (const known of ['bob@acme.example', world.key.slice(0, VISIBLE), '"listening"']) {
    assert.ok(text.includes(known), known);
  }
  t.diagnostic(`${secrets.length} secrets, ${text.length} characters`);
}

for (const database of emptyDatabases) {
  describe(`${database.name}: after a full run`, () => {
    it('after a full run no secret is in the database, its files or the logs, in any form', (t) =>
      proveOn(t, database));
  });
}

test('the secret search of the tests finds a secret in every encoding', () => {
  const secret = { name: 'it', value: 'abcdefghijklmnopqrstuvwxyz' };
  for (const before of ['', 'x', 'xy', 'xyz']) {
    const bytes = Buffer.from(`${before}${secret.value}123`);
    for (const encoding of ['latin1', 'hex', 'base64', 'base64url'] as const) {
      assert.ok(secretsIn(`...${bytes.toString(encoding)}...`, [secret]).length > 0, encoding);
    }
  }
  assert.deepEqual(secretsIn('abcdefghijklmnopqrstuvwxy', [secret]), []);
  for (const [form, searched] of formsOf(secret.value)) assert.ok(searched.length >= 24, form);
});
