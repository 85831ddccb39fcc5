import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuthenticationRequest, Caller } from '../../src/http/authentication.ts';
import { COOKIES, readCookie, toSetCookie } from '../../src/http/cookies.ts';
import { serveKoa } from '../../src/testing/http.ts';
import { sampleRouter } from './sample.ts';

const caller: Caller = {
  organizationId: 'org_1',
  memberId: 'mem_1',
  keyId: 'ses_1',
  sessionId: 'ses_1',
  role: 'owner',
  plan: 'enterprise',
  session: { csrfToken: 'present', secret: 'stable' },
};

/** A router that knows one session, `session`, and one token without, `key`. */
async function serve(t: Parameters<typeof serveKoa>[0]): Promise<string> {
  const { session: _, ...key } = caller;
  const authenticate = async ({ token }: AuthenticationRequest) =>
    token === 'session' ? caller : token === 'key' ? key : null;
  return serveKoa(t, sampleRouter({ authenticate }));
}

const cookie = (value: string) => `other=1; ${COOKIES.access}=${value}; last=2`;

test('the access cookie authenticates only without an Authorization header', async (t) => {
  const url = await serve(t);
  const statusWith = async (headers: Record<string, string>) =>
    (await fetch(`${url}/things`, { headers })).status;
  assert.equal(await statusWith({ cookie: cookie('session') }), 200);
  assert.equal(await statusWith({ cookie: cookie('wrong') }), 401);
  assert.equal(await statusWith({ cookie: cookie('') }), 401);
  assert.equal(await statusWith({ cookie: `x${COOKIES.access}=session` }), 401);
  for (const authorization of ['Bearer wrong', 'Basic session', '']) {
    const status = await statusWith({ cookie: cookie('session'), authorization });
    assert.equal(status, 401, authorization);
  }
});

test('a cookie with a token other than an access token does not authenticate', async (t) => {
  const url = await serve(t);
  const bearer = await fetch(`${url}/things`, { headers: { authorization: 'Bearer key' } });
  assert.equal(bearer.status, 200);
  const response = await fetch(`${url}/things`, { headers: { cookie: cookie('key') } });
  assert.equal(response.status, 401);
  assert.match(response.headers.get('www-authenticate') ?? '', /invalid_token/);
});

test('a state-changing request by cookie must repeat the CSRF token of its session', async (t) => {
  const url = await serve(t);
  const send = (headers: Record<string, string>, method = 'POST', path = '/things') =>
    fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(method === 'POST' ? { body: '{"name":"a"}' } : {}),
    });
  const by = { cookie: cookie('session') };
  assert.equal((await send({ ...by, 'x-csrf-token': 'present' })).status, 201);
  for (const token of ['', 'wrong', 'present ,present', 'presen', 'stable']) {
    const response = await send({ ...by, 'x-csrf-token': token });
    assert.equal(response.status, 403, token);
    assert.match(await response.text(), /X-CSRF-Token/);
  }
  assert.equal((await send(by)).status, 403);
  assert.equal((await send(by, 'DELETE', '/things/1')).status, 403);
  assert.equal((await send(by, 'GET')).status, 200);
  assert.equal((await send(by, 'HEAD')).status, 200);
  assert.equal((await send({ authorization: 'Bearer session' })).status, 201);
});

test('a cookie is read by its whole name and set for this host, over HTTPS, for our pages', () => {
  assert.equal(readCookie('a=1; b = 2 ;c=3=4', 'b'), '2');
  assert.equal(readCookie('a=1; b=2;c=3=4', 'c'), '3=4');
  assert.equal(readCookie('ab=1', 'b'), undefined);
  assert.equal(readCookie(undefined, 'b'), undefined);
  assert.equal(
    toSetCookie('a', 'b', { maxAgeSeconds: 5 }),
    'a=b; Path=/; Max-Age=5; Secure; SameSite=Strict; HttpOnly',
  );
  assert.equal(
    toSetCookie('a', '', { maxAgeSeconds: 0, isReadable: true }),
    'a=; Path=/; Max-Age=0; Secure; SameSite=Strict',
  );
});
