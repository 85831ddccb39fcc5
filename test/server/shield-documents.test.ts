import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCurlBlocks, temporaryFolder } from '@probity/test-support';
import { bootstrap, call, emptyDatabases, serve } from './support.ts';
import { isCertified } from './verify-offline.ts';

const CLAIM = 'Refunds are possible within 30 days.';

async function createWorld(t: Parameters<typeof serve>[0]) {
  const location = (await emptyDatabases[0]?.create(t)) ?? '';
  const { api_key: key } = await bootstrap(location);
  const env = { PROBITY_TRUST_URL: 'https://trust.acme.example' };
  const { url } = await serve(t, location, { env });
  const nugget = { claim: CLAIM, source_url: 'https://acme.example/terms' };
  await call(`${url}/api/v1/knowledge/nuggets`, key, 'POST', nugget);
  const body = { content: CLAIM, certify: true };
  const answer = await call(`${url}/api/v1/shield/verify`, key, 'POST', body);
  return { url, key, certificate: answer.body.data.certificate };
}

test('the commands of docs/verify.md work on a server', async (t) => {
  const { url, key: TOKEN, certificate } = await createWorld(t);
  const variables = { TOKEN, CERTIFICATE: certificate.id };
  await runCurlBlocks(import.meta.url, { url, folder: temporaryFolder(t).path, variables });
});

test('the program of docs/verify.md verifies a certificate with a copy of the key set, and refuses others', async (t) => {
  const { url, certificate } = await createWorld(t);
  const { body: keySet } = await call(`${url}/.well-known/jwks.json`, null);
  const issuer = 'https://trust.acme.example';
  assert.equal(certificate.pageUrl, `${issuer}/certificates/${certificate.id}`);
  const { jws } = certificate;
  assert.equal(await isCertified(CLAIM, jws, { issuer, keySet }), true);
  assert.equal(await isCertified(`${CLAIM} `, jws, { issuer, keySet }), false);
  const [header, payload = '', signature] = jws.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const changed = Buffer.from(JSON.stringify({ ...claims, exp: claims.exp + 1 }));
  const forged = `${header}.${changed.toString('base64url')}.${signature}`;
  await assert.rejects(isCertified(CLAIM, forged, { issuer, keySet }), /signature/);
  const other = { issuer: 'https://other.example', keySet };
  await assert.rejects(isCertified(CLAIM, jws, other), /"iss"/);
});
