import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { start } from '../api.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

async function startWithClient(t: TestContext) {
  const { url } = await start(t, {
    clientCredentials: {
      issue: async ({ clientId, clientSecret }) =>
        clientId === 'a b' && clientSecret === 's:1'
          ? { token: 'issued', expiresInSeconds: 3_600 }
          : null,
    },
  });
  return async (body: string, headers: Record<string, string> = {}) => {
    const init = { method: 'POST', headers: { ...FORM, ...headers }, body };
    const response = await fetch(`${url}/oauth/token`, init);
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
}

test('a client gets an access token, by the form and by HTTP Basic', async (t) => {
  const request = await startWithClient(t);
  const byForm = await request('grant_type=client_credentials&client_id=a+b&client_secret=s%3A1');
  const expected = { access_token: 'issued', token_type: 'Bearer', expires_in: 3_600 };
  assert.deepEqual([byForm.status, byForm.body], [200, expected]);
  assert.equal(byForm.headers.get('cache-control'), 'no-store');
  assert.match(byForm.headers.get('content-type') ?? '', /^application\/json/);
  const authorization = `Basic ${Buffer.from('a+b:s%3A1').toString('base64')}`;
  const byBasic = await request('grant_type=client_credentials&scope=x', { authorization });
  assert.deepEqual([byBasic.status, byBasic.body], [200, expected]);
});

const REFUSED = [
  ['grant_type=client_credentials&client_id=a+b&client_secret=wrong', 401, 'invalid_client'],
  ['grant_type=client_credentials', 401, 'invalid_client'],
  ['grant_type=password&client_id=a+b&client_secret=s%3A1', 400, 'unsupported_grant_type'],
  ['client_id=a+b&client_secret=s%3A1', 400, 'invalid_request'],
] as const;

for (const [form, status, error] of REFUSED) {
  test(`a token request ${form} is refused as ${error}`, async (t) => {
    const request = await startWithClient(t);
    const answer = await request(form);
    assert.deepEqual([answer.status, (answer.body as { error: string }).error], [status, error]);
  });
}
