import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PII_TEXTS } from '../texts.ts';
import { at, startGateway } from '../world.ts';

const LEAK = { response: PII_TEXTS.ssn };

test('allowlists.whitelisted_domains exempt scans that name one of them, and no others', async (t) => {
  const gateway = await startGateway(
    t,
    'allowlists: {whitelisted_domains: [example.com, "*.bücher.example"]}',
    { key: { domains: ['*'] } },
  );
  const statusOf = async (source_domain: string) =>
    (await gateway.scan({ ...LEAK, metadata: { source_domain } })).status;
  for (const domain of [
    'example.com',
    'EXAMPLE.com',
    'example.com.',
    'a.bücher.example',
    'a.xn--bcher-kva.example',
  ]) {
    assert.equal(await statusOf(domain), 200, domain);
  }
  for (const domain of [
    'notexample.com',
    'example.com.evil',
    'a.example.com',
    'bücher.example',
    '',
  ]) {
    assert.equal(await statusOf(domain), 403, domain);
  }
});

test('allowlists.whitelisted_domains needs a key that may name the domain', async (t) => {
  const text = 'allowlists: {whitelisted_domains: [example.com, "*.example.org"]}';
  const statusOf = async (domains: readonly string[], source_domain: string) => {
    const gateway = await startGateway(t, text, { key: { domains } });
    return (await gateway.scan({ ...LEAK, metadata: { source_domain } })).status;
  };
  assert.equal(await statusOf([], 'example.com'), 403, 'a key without domains');
  assert.equal(await statusOf(['example.com'], 'EXAMPLE.com.'), 200);
  assert.equal(await statusOf(['example.com'], 'a.example.org'), 403, 'a domain of another key');
  assert.equal(await statusOf(['*.example.org'], 'a.example.org'), 200);
  assert.equal(await statusOf(['evil.example'], 'evil.example'), 403, 'a domain of no list');
});

test('what is not scanned is counted and logged as bypassed, without stages', async (t) => {
  const gateway = await startGateway(t, 'allowlists: {whitelisted_domains: [example.com]}', {
    key: { domains: ['example.com'] },
  });
  const { body } = await gateway.scan({ ...LEAK, metadata: { source_domain: 'example.com' } });
  assert.deepEqual(at(body, 'data.stages'), []);
  assert.equal(at(body, 'data.verdict'), 'allowed');
  assert.match(
    await gateway.metrics(),
    /gateway_requests_total\{method="scan",status="success"\} 1/,
  );
  await gateway.gateway.stop();
  const record = gateway.records().find(({ message }) => message === 'scan');
  assert.equal(record?.result, 'bypassed');
});

test('allowlists.exempt_users need a key that may name the user', async (t) => {
  const gateway = await startGateway(t, 'allowlists: {exempt_users: [alice, carol]}');
  const keys = {
    bound: gateway.addKey({ users: ['alice', 'bob'] }),
    any: gateway.addKey({ users: ['*'] }),
  };
  const statusOf = async (user_id: string, key?: string) =>
    (
      await gateway.scan(
        { ...LEAK, metadata: { user_id } },
        key === undefined ? {} : { Authorization: `Bearer ${key}` },
      )
    ).status;
  // The keys file is looked at once a second; a gateway that starts has it at once.
  const later = await startGateway(t, 'allowlists: {exempt_users: [alice, carol]}');
  assert.equal((await later.scan({ ...LEAK, metadata: { user_id: 'alice' } })).status, 403);
  const deadline = Date.now() + 10_000;
  while ((await statusOf('alice', keys.bound)) === 401 && Date.now() < deadline);
  assert.equal(await statusOf('alice', keys.bound), 200);
  assert.equal(await statusOf('carol', keys.any), 200);
  assert.equal(await statusOf('bob', keys.bound), 403, 'bob is not exempt');
  assert.equal(await statusOf('carol', keys.bound), 403, 'the key may not name carol');
  assert.equal(await statusOf('alice'), 403, 'the key may name nobody');
});

test('allowlists.exempt_ips are those of connections, never of headers', async (t) => {
  const exempt = await startGateway(t, 'allowlists: {exempt_ips: ["127.0.0.0/8", "::1"]}');
  assert.equal((await exempt.scan(LEAK)).status, 200);
  const other = await startGateway(t, 'allowlists: {exempt_ips: [192.0.2.0/24, "2001:db8::/32"]}');
  const forwarded = { 'X-Forwarded-For': '192.0.2.1', Forwarded: 'for=192.0.2.1' };
  assert.equal((await other.scan(LEAK, forwarded)).status, 403);
});
