import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCurlBlocks, startSmtpPeer, temporaryFolder } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import { bootstrap, call, emptyDatabases, serve, setPassword } from './support.ts';

const EMAIL = 'ann@acme.example';

/** The cookies of an answer as a browser returns them, with the CSRF token. */
function cookiesOf(headers: Headers): Record<string, string> {
  const pairs = headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? '');
  const csrf = pairs.find((pair) => pair.startsWith('__Host-probity_csrf='))?.split('=')[1] ?? '';
  return { cookie: pairs.join('; '), 'x-csrf-token': csrf };
}

for (const database of sampleTargets(emptyDatabases)) {
  test(`${database.name}: the owner of a new organization signs in on every instance and resets the password by mail`, async (t) => {
    const peer = await startSmtpPeer(t);
    const location = await database.create(t);
    const owner = await bootstrap(location);
    const env = { PROBITY_SMTP_URL: peer.url, PROBITY_MAIL_FROM: 'probity@acme.example' };
    const server = await serve(t, location, { env });
    const other = await serve(t, location, { args: ['--role', 'api'] });
    const auth = `${server.url}/v1/auth`;
    const [first, second] = ['the first one of Ann', 'the second one of Ann'];
    await setPassword(server.url, owner, first);
    const login = await call(`${auth}/login`, null, 'POST', { email: EMAIL, password: first });
    assert.deepEqual([login.status, login.body.member.id], [200, owner.owner_id]);
    const headers = cookiesOf(login.headers);

    const scan = (csrf: object) =>
      fetch(`${other.url}/api/v1/governance/scan`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: headers.cookie ?? '', ...csrf },
        body: '{"response":"Hello."}',
      });
    assert.equal((await scan({})).status, 403);
    assert.equal((await scan(headers)).status, 200);
    const refreshed = await fetch(`${other.url}/v1/auth/refresh`, { method: 'POST', headers });
    assert.equal(refreshed.status, 200);
    const tokens = [login.body.access_token, ...refreshed.headers.getSetCookie()];

    const forgot = await call(`${auth}/password/forgot`, null, 'POST', { email: EMAIL });
    assert.equal(forgot.status, 202);
    const token = /\/password\/reset\?token=(prs_\w{38})/.exec(await peer.textTo(EMAIL))?.[1] ?? '';
    const body = { token, password: second };
    assert.equal((await call(`${auth}/password/reset`, null, 'POST', body)).status, 204);
    const session = await call(`${other.url}/v1/auth/session`, login.body.access_token);
    assert.equal(session.status, 401);
    const again = await call(`${auth}/login`, null, 'POST', { email: EMAIL, password: second });
    assert.equal(again.status, 200);

    for (const { program } of [server, other]) {
      await program.terminate();
      for (const secret of [first, second, token, ...tokens.map((text) => valueIn(text))]) {
        assert.ok(secret.length > 15);
        assert.ok(!program.stdout.includes(secret), 'a secret was logged');
      }
    }
  });
}

test('the owner of a new organization signs in with the commands of the documents', async (t) => {
  const folder = temporaryFolder(t).path;
  const database = `sqlite:${folder}/probity.db`;
  const { api_key: API_KEY, setup_url: setupUrl } = await bootstrap(database);
  const [, SETUP_TOKEN] = /token=(\w+)/.exec(setupUrl) ?? [];
  const { url } = await serve(t, database);
  await runCurlBlocks(import.meta.url, { url, folder, variables: { API_KEY, SETUP_TOKEN } });
});

/** The value of a cookie, or the text itself. */
function valueIn(text: string): string {
  return /^__Host-\w+=([^;]+)/.exec(text)?.[1] ?? text;
}
