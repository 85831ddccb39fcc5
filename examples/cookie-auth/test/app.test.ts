import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describeExampleHost } from '@probity/test-support';

describeExampleHost({
  name: 'cookie-auth',
  program: fileURLToPath(new URL('../src/app.js', import.meta.url)),
  login: (url, as) =>
    as === 'staff' ? login(url, 'ann', 'correct horse') : login(url, 'dan', 'paper boat'),
  async check({ url, user }) {
    const crossSite = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
    const siblingSite = { 'Sec-Fetch-Site': 'same-site' };
    const ownPage = { Origin: url, 'Sec-Fetch-Site': 'same-origin' };
    assert.equal(await scan(url, { ...user, ...crossSite }), 403, 'from another site');
    assert.equal(await scan(url, { ...user, ...siblingSite }), 403, 'from another subdomain');
    assert.equal(await scan(url, { ...user, ...ownPage }), 200, 'from the own page');
    assert.equal((await post(`${url}/logout`, { ...user, ...crossSite })).status, 403, 'logout');

    await abortLogin(url);
    const auditor = await login(url, 'bob', 'battery staple');
    assert.equal((await fetch(`${url}/probity/alerts`, { headers: auditor })).status, 200);
    assert.equal(await scan(url, auditor), 403, 'an auditor only reads');
    const visitor = await login(url, 'eve', 'hungry caterpillar');
    assert.equal(await scan(url, visitor), 401, 'a role that is not mapped');

    assert.equal((await post(`${url}/logout`, user)).status, 204);
    assert.equal(await scan(url, user), 401, 'after the logout');
  },
});

async function login(url: string, user: string, password: string) {
  const response = await post(`${url}/login`, {}, new URLSearchParams({ user, password }));
  const cookie = response.headers.get('set-cookie') ?? '';
  assert.match(cookie, /; HttpOnly; SameSite=Lax$/);
  return { Cookie: cookie.split(';')[0] ?? '' };
}

/** Closes the connection in the middle of a form. */
async function abortLogin(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write('POST /login HTTP/1.1\r\nHost: host\r\nContent-Length: 100\r\n');
  socket.write('Expect: 100-continue\r\n\r\n');
  await once(socket, 'data'); // the server reads the body
  socket.destroy();
}

async function scan(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const type = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ response: 'Your order has been packed.' });
  const { status } = await post(`${url}/probity/governance/scan`, { ...headers, ...type }, body);
  return status;
}

function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: string | URLSearchParams,
) {
  return fetch(url, { method: 'POST', headers, ...(body !== undefined && { body }) });
}
