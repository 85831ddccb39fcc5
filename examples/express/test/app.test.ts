import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { describeExampleHost, runCurlBlocks } from '@probity/test-support';

/** Nobody gets a session without the right password, and no session survives a sign-in. */
async function checkLogin(url: string): Promise<void> {
  const login = (body: unknown, headers = {}) =>
    fetch(`${url}/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  for (const body of [{}, { user: 'nobody' }, { user: null }, { user: 'ann' }, []]) {
    const refused = await login(body);
    assert.equal(refused.status, 401, JSON.stringify(body));
    assert.equal(refused.headers.get('set-cookie'), null);
  }
  const ann = { user: 'ann', password: 'correct horse' };
  const first = (await login(ann)).headers.get('set-cookie') ?? '';
  assert.match(first, /HttpOnly; SameSite=Lax/);
  const Cookie = first.split(';')[0] ?? '';
  const again = (await login(ann, { Cookie })).headers.get('set-cookie') ?? '';
  assert.notEqual(again.split(';')[0], Cookie);
}

describeExampleHost({
  name: 'express',
  program: fileURLToPath(new URL('../src/app.js', import.meta.url)),
  async login(url, as) {
    const customer = { user: 'ann', password: 'correct horse' };
    const staff = { user: 'eve', password: 'battery staple' };
    const response = await fetch(`${url}/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(as === 'staff' ? staff : customer),
    });
    return { Cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' };
  },
  check: async ({ url, user, folder }) => {
    await checkLogin(url);
    const variables = { SESSION_COOKIE: user.Cookie };
    return runCurlBlocks(import.meta.url, { url, folder, variables });
  },
});
