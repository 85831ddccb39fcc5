import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTestAuthority, temporaryFolder, until } from '@probity/test-support';
import type { GatewayWorld } from '../world.ts';
import { LOOPBACK, startGateway } from '../world.ts';
import type { Receiver } from './receiver.ts';
import { assertAbsent, partialSuccess, startReceiver } from './receiver.ts';
import { PROMPT, tracedText, tracingText } from './tracing-world.ts';

/** The records of lost spans. */
function lossesOf(gateway: GatewayWorld) {
  return gateway.records().filter(({ message }) => message === 'spans were not exported');
}

/** Scans once, and waits until its spans are lost. */
async function lossAfterScan(gateway: GatewayWorld) {
  assert.equal((await gateway.scan({ response: 'Fine.' })).status, 200);
  await until(() => lossesOf(gateway).length > 0, 'the loss is recorded');
  const [loss] = lossesOf(gateway);
  return { lost: loss?.lost, error: loss?.error };
}

/** The request, its scan, and the seven stages. */
const SPANS = 9;

/** All spans of a scan are exported together. */
const TOGETHER = { OTEL_BSP_SCHEDULE_DELAY: '50' };

test('spans go to /v1/traces below the endpoint, with the headers and the compression of the environment', async (t) => {
  const receiver = await startReceiver(t);
  const env = {
    ...PROMPT,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=key%20one,x-tenant=t1',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    OTEL_SERVICE_NAME: 'edge',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.name=other',
  };
  const gateway = await startGateway(t, tracedText({ url: `${receiver.url}/otlp/` }), { env });
  await gateway.scan({ response: 'Fine.' });
  await gateway.gateway.stop();
  const [first] = receiver.exports;
  assert.equal(first?.path, '/otlp/v1/traces');
  assert.equal(first.headers['content-type'], 'application/x-protobuf');
  assert.equal(first.headers['content-encoding'], 'gzip');
  assert.deepEqual([first.headers['x-api-key'], first.headers['x-tenant']], ['key one', 't1']);
  const [span] = receiver.spans;
  assert.equal(span?.resource['service.name'], 'edge');
  assert.equal(span?.resource['deployment.environment.name'], 'test');
});

test('a variable of the environment with a wrong value is named, and its value is not', async (t) => {
  for (const [name, value] of [
    ['OTEL_EXPORTER_OTLP_HEADERS', 'secret-without-a-name'],
    ['OTEL_EXPORTER_OTLP_COMPRESSION', 'secret'],
    ['OTEL_BSP_MAX_QUEUE_SIZE', 'secret'],
  ] as const) {
    const failed = startGateway(t, tracedText({ url: 'http://127.0.0.1:1' }), {
      env: { [name]: value },
    });
    await assert.rejects(failed, (error: Error) => {
      assert.match(error.message, new RegExp(name));
      return !error.message.includes('secret');
    });
  }
});

test('an answer that may pass is tried again after its Retry-After, and no span is lost', async (t) => {
  const receiver = await startReceiver(t);
  receiver.answer((response) => {
    const isFirst = receiver.exports.length === 1;
    response.writeHead(isFirst ? 503 : 200, isFirst ? { 'retry-after': '0' } : {}).end();
  });
  const gateway = await startGateway(t, tracedText(receiver), { env: TOGETHER });
  await gateway.scan({ response: 'Fine.' });
  await until(() => receiver.exports.length >= 2, 'the second attempt');
  await gateway.gateway.stop();
  assert.deepEqual(receiver.exports[0]?.bytes, receiver.exports[1]?.bytes);
  assert.deepEqual(lossesOf(gateway), []);
});

test('spans are lost and counted where a receiver refuses them, wants a longer wait, or sends them elsewhere', async (t) => {
  const other = await startReceiver(t);
  const cases: [number, Record<string, string>][] = [
    [400, {}],
    [401, {}],
    [429, { 'retry-after': '3600' }],
    [307, { location: `${other.url}/v1/traces` }],
  ];
  for (const [status, headers] of cases) {
    const receiver = await startReceiver(t);
    receiver.answer((response) => response.writeHead(status, headers).end('marker-answer'));
    const gateway = await startGateway(t, tracedText(receiver), { env: TOGETHER });
    assert.deepEqual(await lossAfterScan(gateway), { lost: SPANS, error: `HTTP ${status}` });
    assert.equal(receiver.exports.length, 1);
    assert.ok(!gateway.lines.some((line) => line.includes('marker-answer')));
  }
  assert.deepEqual(other.exports, []);
});

test('spans that a receiver rejects in part are counted, and its words are not logged', async (t) => {
  const receiver = await startReceiver(t);
  receiver.answer((response) => {
    response.writeHead(200, { 'content-type': 'application/x-protobuf' });
    response.end(partialSuccess(2, 'marker-message'));
  });
  const gateway = await startGateway(t, tracedText(receiver), { env: TOGETHER });
  assert.deepEqual(await lossAfterScan(gateway), { lost: 2, error: 'partial success' });
  assert.ok(!gateway.lines.some((line) => line.includes('marker-message')));
});

test('a receiver that is down, or never answers, delays no scan, and its spans are counted', async (t) => {
  const down = await startGateway(
    t,
    tracedText({ url: `http://127.0.0.1:${await closedPort()}` }),
    {
      env: { ...TOGETHER, OTEL_EXPORTER_OTLP_TIMEOUT: '450' },
    },
  );
  assert.deepEqual(await lossAfterScan(down), { lost: SPANS, error: 'ECONNREFUSED' });
  const receiver = await startReceiver(t);
  receiver.answer(() => undefined);
  const hanging = await startGateway(t, tracedText(receiver), {
    env: { ...TOGETHER, OTEL_EXPORTER_OTLP_TIMEOUT: '100' },
  });
  assert.deepEqual(await lossAfterScan(hanging), { lost: SPANS, error: 'timeout' });
});

test('the end of a gateway does not wait for a receiver that never answers', async (t) => {
  const receiver = await startReceiver(t);
  receiver.answer(() => undefined);
  const listen = LOOPBACK.replace('workers: 2', 'workers: 2, request_timeout_ms: 2000');
  const gateway = await startGateway(t, listen + tracingText(receiver), {
    env: { ...TOGETHER, OTEL_EXPORTER_OTLP_TIMEOUT: '100000000' },
  });
  await gateway.scan({ response: 'Fine.' });
  await gateway.gateway.stop();
  assert.deepEqual(
    lossesOf(gateway).map(({ lost, error }) => [lost, error]),
    [[SPANS, 'end']],
  );
});

test('no more spans wait than OTEL_BSP_MAX_QUEUE_SIZE, those that are being sent included', async (t) => {
  const receiver = await startReceiver(t);
  receiver.answer(() => undefined);
  const env = { ...PROMPT, OTEL_BSP_MAX_QUEUE_SIZE: '4', OTEL_EXPORTER_OTLP_TIMEOUT: '6000' };
  const gateway = await startGateway(t, tracedText(receiver), { env });
  for (let scan = 0; scan < 3; scan++) await gateway.scan({ response: 'Fine.' });
  assert.equal(lossesOf(gateway)[0]?.error, 'queue full');
  await gateway.gateway.stop();
  // All but the last line a minute ago at most: the total says how many in all.
  assert.equal(lossesOf(gateway).at(-1)?.lost_in_all, 3 * SPANS);
});

test('an endless answer is read no further than 64 KiB, and the spans are taken as received', async (t) => {
  const receiver = await startReceiver(t);
  const closed = new Promise<number>((resolve) => {
    receiver.answer((response) => {
      response.writeHead(200, { 'content-type': 'application/x-protobuf' });
      let written = 0;
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) written += 65_536;
        response.once('drain', write);
      };
      response.on('close', () => resolve(written));
      write();
    });
  });
  const gateway = await startGateway(t, tracedText(receiver), { env: TOGETHER });
  await gateway.scan({ response: 'Fine.' });
  // What the sockets of the machine take in is a matter of its kernel; it is far from a gibibyte.
  assert.ok((await closed) < 256 * 1_048_576);
  await gateway.gateway.stop();
  assert.deepEqual(lossesOf(gateway), []);
});

test('observability.ca_cert_path is trusted, and nobody else', async (t) => {
  const authority = await createTestAuthority();
  const { key, certificate } = await authority.issue('receiver');
  const receiver = await startReceiver(t, { key, cert: certificate });
  const ca = join(temporaryFolder(t).path, 'ca.pem');
  writeFileSync(ca, authority.certificate);
  const trusting = await startGateway(t, tracedText(receiver, `ca_cert_path: ${ca}`), {
    env: TOGETHER,
  });
  await trusting.scan({ response: 'Fine.' });
  await trusting.gateway.stop();
  assert.equal(receiver.spans.length, SPANS);
  const doubting = await startGateway(t, tracedText(receiver), {
    env: { ...TOGETHER, OTEL_EXPORTER_OTLP_TIMEOUT: '300' },
  });
  const { lost } = await lossAfterScan(doubting);
  assert.equal(lost, SPANS);
  assertExported(receiver, SPANS);
  const missing = `ca_cert_path: ${ca}.missing`;
  await assert.rejects(
    startGateway(t, tracedText(receiver, missing)),
    /observability\.ca_cert_path/,
  );
  writeFileSync(ca, 'no certificate');
  await assert.rejects(
    startGateway(t, tracedText(receiver, `ca_cert_path: ${ca}`)),
    /observability\.ca_cert_path/,
  );
});

function assertExported(receiver: Receiver, spans: number): void {
  assert.equal(receiver.spans.length, spans);
  assertAbsent(receiver, ['Fine.']);
}

/** A port that nobody listens on. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
