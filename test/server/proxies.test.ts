import assert from 'node:assert/strict';
import { request } from 'node:http';
import { it } from 'node:test';
import { temporaryFolder } from '@probity/test-support';
import { bootstrap, serve } from './support.ts';

/** Sends a request with the given headers, including Host; returns the body. */
function ask(url: string, headers: Record<string, string>, method = 'GET', body = '') {
  const type = body === '' ? {} : { 'Content-Type': 'application/json' };
  return new Promise<Record<string, unknown>>((resolve, reject) => {
    const sent = request(url, { method, headers: { ...headers, ...type } }, async (response) => {
      resolve(JSON.parse(Buffer.concat(await response.toArray()).toString()));
    });
    sent.on('error', reject).end(body);
  });
}

it("the server's address comes only from settings, client addresses only from trusted proxies", async (t) => {
  const location = `sqlite:${temporaryFolder(t).path}/probity.db`;
  const { organization_id: id, api_key: key } = await bootstrap(location);
  const path = `/v1/organizations/${id}`;
  const claims = {
    Authorization: `Bearer ${key}`,
    Host: 'evil.example',
    'X-Forwarded-Host': 'evil.example',
    'X-Forwarded-Proto': 'gopher',
    'X-Forwarded-For': '192.0.2.1, 203.0.113.7, 10.0.0.9',
  };
  const changed = async (url: string, name: string) => {
    await ask(url + path, claims, 'PATCH', JSON.stringify({ name }));
    const { audit_log: log } = await ask(`${url}${path}/audit-log?limit=1`, claims);
    const [{ after, address }] = log as [{ after: { name: string }; address: string }];
    assert.equal(after.name, name);
    return address;
  };
  const direct = await serve(t, location);
  const scim = await ask(`${direct.url}${path}/scim`, claims);
  assert.equal(scim.base_url, `${direct.url}/scim/v2`);
  assert.equal(await changed(direct.url, 'Direct'), '127.0.0.1');

  const env = {
    PROBITY_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8',
    PROBITY_PUBLIC_URL: 'https://probity.acme.example/base',
  };
  const { url } = await serve(t, location, { env });
  const { base_url: base } = await ask(`${url}${path}/scim`, claims);
  assert.equal(base, 'https://probity.acme.example/base/scim/v2');
  const { invoices } = await ask(`${url}${path}/invoices`, claims);
  const [{ pdf_url: pdf }] = invoices as [{ pdf_url: string }];
  assert.ok(pdf.startsWith('https://probity.acme.example/base/v1/invoices/ivc_'), pdf);
  assert.equal(await changed(url, 'Behind a proxy'), '203.0.113.7');
});
