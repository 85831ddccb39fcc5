import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import type { Agent } from 'node:https';
import { test } from 'node:test';
import { createTestAuthority } from '@probity/test-support';
import { connect } from '../grpc/client.ts';
import type { GatewayWorld } from '../world.ts';
import { agentOf, call, createTlsFiles, startTlsGateway } from './certificates.ts';

function scan({ url, token }: GatewayWorld, agent: Agent) {
  return call(`${url}/api/v1/governance/scan`, agent, { response: 'Hello.' }, token);
}

test('HTTP, gRPC and the metrics serve clients with a certificate of the authority', async (t) => {
  const { files, gateway } = await startTlsGateway(t);
  const agent = agentOf(files.authority.certificate, await files.client());
  assert.match(gateway.url, /^https:/);
  assert.equal((await scan(gateway, agent)).status, 200);
  assert.match((await call(`${gateway.metricsUrl}/metrics`, agent)).body, /gateway_requests_total/);
  const client = connect(t, gateway, {
    authority: files.authority.certificate,
    identity: await files.client(),
  });
  assert.equal((await client.scan({ response: 'Hello.' })).verdict, 'VERDICT_ALLOWED');
});

test('without a certificate nothing is served, but the health path to this machine', async (t) => {
  const { files, gateway } = await startTlsGateway(t);
  const ca = files.authority.certificate;
  const health = await call(`${gateway.url}/health`, agentOf(ca));
  assert.equal(health.status, 200);
  await assert.rejects(scan(gateway, agentOf(ca)));
  await assert.rejects(call(`${gateway.url}/ready`, agentOf(ca)));
  await assert.rejects(call(`${gateway.metricsUrl}/metrics`, agentOf(ca)));
  await assert.rejects(connect(t, gateway, { authority: ca }).scan({ response: 'Hello.' }), {
    code: 14,
  });
  await assert.rejects(connect(t, gateway).scan({ response: 'Hello.' }), { code: 14 });
  await assert.rejects(fetch(gateway.url.replace('https', 'http')));
});

test('a certificate of another authority is refused, on the health path too', async (t) => {
  const { files, gateway } = await startTlsGateway(t);
  const ca = files.authority.certificate;
  const stranger = await (await createTestAuthority()).issue('client');
  await assert.rejects(call(`${gateway.url}/health`, agentOf(ca, stranger)));
  await assert.rejects(scan(gateway, agentOf(ca, stranger)));
  const client = connect(t, gateway, { authority: ca, identity: stranger });
  await assert.rejects(client.scan({ response: 'Hello.' }), { code: 14 });
});

test('a reload presents the new certificate to new connections, and open ones go on', async (t) => {
  const { files, gateway } = await startTlsGateway(t);
  const ca = files.authority.certificate;
  const identity = await files.client();
  const open = agentOf(ca, identity);
  assert.equal((await scan(gateway, open)).presented, 'first');
  const client = connect(t, gateway, { authority: ca, identity });
  const stream = client.stream();
  stream.write({ scan: { request_id: 'a', response: 'Hello.' } });
  const answers = stream[Symbol.asyncIterator]();
  assert.equal((await answers.next()).value.request_id, 'a');

  files.write(await files.authority.issue('second'));
  await gateway.gateway.reloader.reload();

  assert.equal((await scan(gateway, open)).presented, 'first');
  stream.write({ scan: { request_id: 'b', response: 'Hello.' } });
  assert.equal((await answers.next()).value.request_id, 'b');
  stream.end();
  assert.equal((await scan(gateway, agentOf(ca, identity))).presented, 'second');
  const other = connect(t, gateway, { authority: ca, identity });
  assert.equal((await other.scan({ response: 'Hello.' })).verdict, 'VERDICT_ALLOWED');
});

test('a reload replaces the authority: its clients come in, those of the one before do not', async (t) => {
  const { files, gateway } = await startTlsGateway(t);
  const before = await files.client();
  const next = await createTestAuthority();
  files.write(await next.issue('gateway'), next);
  await gateway.gateway.reloader.reload();
  const ca = next.certificate;
  assert.equal((await scan(gateway, agentOf(ca, await next.issue('client')))).status, 200);
  await assert.rejects(scan(gateway, agentOf(ca, before)));
  const client = connect(t, gateway, { authority: ca, identity: before });
  await assert.rejects(client.scan({ response: 'Hello.' }), { code: 14 });
});

test('a key of another certificate is refused before anything is replaced', async (t) => {
  const { files, gateway } = await startTlsGateway(t);
  const { certificate } = await files.authority.issue('second');
  const { key } = await files.authority.issue('third');
  files.write({ certificate, key });
  await assert.rejects(gateway.gateway.reloader.reload(), {
    details: [
      {
        field: 'security.client_key_path',
        message: 'is not the key of the certificate of security.client_cert_path',
        line: 6,
      },
    ],
  });
  const agent = agentOf(files.authority.certificate, await files.client());
  assert.equal((await scan(gateway, agent)).presented, 'first');
});

test('files that hold something else are errors that name the key', async (t) => {
  const files = await createTlsFiles(t);
  writeFileSync(files.paths.ca, 'nothing');
  writeFileSync(files.paths.key, 'nothing');
  const { readConfig } = await import('../../src/config/read-config.ts');
  const { issues } = await readConfig(Buffer.from(files.text), {}, '.');
  assert.deepEqual(
    issues.map(({ path, message }) => [path, message]),
    [
      ['security.client_key_path', 'holds no private key (PEM) without a passphrase'],
      ['security.ca_cert_path', 'holds no certificate (PEM)'],
    ],
  );
});

test('a key file that others may read is warned about', async (t) => {
  const { files, gateway } = await startTlsGateway(t);
  chmodSync(files.paths.key, 0o644);
  const { warnings } = await gateway.gateway.reloader.reload();
  assert.equal(warnings.length, 1);
  assert.match(String(warnings[0]), /security\.client_key_path: .* its mode should be 0640/);
  chmodSync(files.paths.key, 0o640);
  assert.deepEqual((await gateway.gateway.reloader.reload()).warnings, []);
});

test('a reload that turns client certificates off changes nothing until a restart', async (t) => {
  const { files, gateway } = await startTlsGateway(t);
  gateway.write(files.text.slice(0, files.text.indexOf('security:')));
  const { restartRequired } = await gateway.gateway.reloader.reload();
  assert.deepEqual(restartRequired, ['security.mtls_enabled']);
  const agent = agentOf(files.authority.certificate, await files.client());
  assert.equal((await scan(gateway, agent)).status, 200);
  await assert.rejects(scan(gateway, agentOf(files.authority.certificate)));
});
