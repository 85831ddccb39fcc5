import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LOOPBACK, startGateway } from '../world.ts';

const ORIGIN = 'https://app.example.com';
const SECURITY = `security: {cors_origins: ["${ORIGIN}"]}\n`;

test('a preflight of a configured origin is answered before authentication', async (t) => {
  const { url } = await startGateway(t, LOOPBACK + SECURITY);
  for (const path of ['/v1/chat/completions', '/mcp/files', '/api/v1/governance/scan']) {
    const answer = await fetch(url + path, {
      method: 'OPTIONS',
      headers: {
        Origin: ORIGIN,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type',
      },
    });
    assert.equal(answer.status, 204, path);
    assert.equal(answer.headers.get('access-control-allow-origin'), ORIGIN);
    assert.equal(answer.headers.get('access-control-allow-headers'), 'authorization,content-type');
    assert.match(answer.headers.get('access-control-allow-methods') ?? '', /POST/);
  }
});

test('pages of a configured origin read answers, errors and the headers of the gateway', async (t) => {
  const { url, token } = await startGateway(t, LOOPBACK + SECURITY);
  for (const [key, status] of [
    [token, 200],
    ['pbk_unknown', 401],
  ] as const) {
    const headers = { Origin: ORIGIN, Authorization: `Bearer ${key}` };
    const answer = await fetch(`${url}/v1/models`, { headers });
    assert.equal(answer.status, status);
    assert.equal(answer.headers.get('access-control-allow-origin'), ORIGIN);
    const exposed = answer.headers.get('access-control-expose-headers') ?? '';
    for (const name of ['X-Request-Id', 'X-Probity-Config-Hash', 'Mcp-Session-Id', 'Retry-After']) {
      assert.ok(exposed.split(',').includes(name), name);
    }
  }
});

test('other origins, and a gateway without the setting, get no CORS headers', async (t) => {
  const configured = await startGateway(t, LOOPBACK + SECURITY);
  const plain = await startGateway(t);
  for (const [world, origin] of [
    [configured, 'https://other.example.com'],
    [plain, ORIGIN],
  ] as const) {
    const headers = { Origin: origin, 'Access-Control-Request-Method': 'POST' };
    const answer = await fetch(`${world.url}/v1/models`, { method: 'OPTIONS', headers });
    assert.equal(answer.headers.get('access-control-allow-origin'), null);
  }
});
