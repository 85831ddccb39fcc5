import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { test } from 'node:test';
import { createBodyBudget } from '@probity/core/internal';
import { PROTOCOLS } from '../../src/proxy/protocols.ts';
import { LOOPBACK, startGateway } from '../world.ts';

const MIB = 1_048_576;
const SCAN = '/api/v1/governance/scan';
const SIGNING = `${LOOPBACK}security: {request_signing: true, signing_key: a-key-of-sixteen-characters}\n`;

const paths = [
  ...PROTOCOLS.flatMap(({ mounts }) =>
    mounts.map(({ prefix, path }) => prefix + path.replace('{deployment}', 'm')),
  ),
  '/mcp/files',
  SCAN,
];

/** Opens requests whose bodies do not end, until one is answered; returns its status. */
async function firstAnswer(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  const open = Array.from({ length: 6 }, () => {
    const outgoing = request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': 9 * MIB, ...headers },
    });
    outgoing.on('error', () => undefined);
    outgoing.write('x'.repeat(MIB));
    return outgoing;
  });
  const [{ statusCode }] = await Promise.race(open.map((each) => once(each, 'response')));
  for (const each of open) each.destroy();
  return statusCode;
}

test('every route of the gateway counts bodies that do not end', { timeout: 60_000 }, async (t) => {
  const bodyBudget = createBodyBudget(4 * MIB);
  const { url, token } = await startGateway(t, '', { bodyBudget });
  for (const path of paths) {
    assert.equal(await firstAnswer(url + path, { authorization: `Bearer ${token}` }), 503, path);
  }
});

for (const [name, hasKey] of [
  ['anonymous clients', false],
  ['a key', true],
] as const) {
  test(`bodies with a wrong signature of ${name} count before they end`, async (t) => {
    const bodyBudget = createBodyBudget(4 * MIB);
    const { url, token } = await startGateway(t, SIGNING, { bodyBudget });
    const status = await firstAnswer(url + SCAN, {
      'x-signature': `sha256=${'0'.repeat(64)}`,
      'x-signature-timestamp': String(Math.floor(Date.now() / 1_000)),
      ...(hasKey && { authorization: `Bearer ${token}` }),
    });
    assert.equal(status, 503);
  });
}

test('a signed body larger than the limit is refused by its announced length', async (t) => {
  const { url } = await startGateway(t, SIGNING);
  const outgoing = request(url + SCAN, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': 11 * MIB,
      'x-signature': `sha256=${'0'.repeat(64)}`,
      'x-signature-timestamp': String(Math.floor(Date.now() / 1_000)),
    },
  });
  outgoing.on('error', () => undefined);
  outgoing.flushHeaders();
  const [{ statusCode }] = await once(outgoing, 'response');
  outgoing.destroy();
  assert.equal(statusCode, 413);
});
