import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '@probity/test-support';
import { PII_TEXTS } from '../texts.ts';
import { startGateway } from '../world.ts';

test('a scan is one record with the fields of the specification', async (t) => {
  const gateway = await startGateway(t);
  await gateway.scan({ response: PII_TEXTS.email }, { 'X-Request-Id': 'request-0001' });
  await gateway.gateway.stop();
  const records = gateway.records().filter(({ message }) => message === 'scan');
  assert.equal(records.length, 1);
  const [record] = records;
  assert.ok(!Number.isNaN(Date.parse(String(record?.timestamp))));
  assert.equal(record?.level, 'INFO');
  assert.equal(record?.request_id, 'request-0001');
  assert.equal(typeof record?.duration_ms, 'number');
  assert.deepEqual(record?.detections, { pii: 1, injection: 0, toxicity: 0 });
  assert.equal(record?.result, 'flagged');
  assert.equal(record?.client_id, 'app');
});

test('no record has what was found, nor the text', async (t) => {
  const gateway = await startGateway(t, 'logging: {level: DEBUG}');
  await gateway.scan({ response: PII_TEXTS.ssn, prompt: 'a very private question' });
  await gateway.gateway.stop();
  const text = gateway.lines.join('\n');
  assert.ok(!text.includes('536-22-8145') && !text.includes('private question'));
});

test('logging.include_fields names the only fields beside timestamp, level and message', async (t) => {
  const gateway = await startGateway(t, 'logging: {include_fields: [request_id, result]}');
  await gateway.scan({ response: 'Hello.' });
  await gateway.gateway.stop();
  const record = gateway.records().find(({ message }) => message === 'scan');
  const names = ['level', 'message', 'request_id', 'result', 'timestamp'];
  assert.deepEqual(Object.keys(record ?? {}).sort(), names);
});

test('logging.level is the least level that is written', async (t) => {
  const counts = await Promise.all(
    ['DEBUG', 'INFO', 'WARN'].map(async (level) => {
      const gateway = await startGateway(t, `logging: {level: ${level}}`);
      await gateway.scan({ response: 'Hello.' });
      await gateway.gateway.stop();
      return gateway.lines.length;
    }),
  );
  const [debug = 0, info = 0, warn = 0] = counts;
  assert.ok(debug > info && info > warn && warn === 0, counts.join(' '));
});

test('logging.format text writes lines that are no JSON', async (t) => {
  const gateway = await startGateway(t, 'logging: {format: text}');
  await gateway.scan({ response: 'Hello.' });
  await gateway.gateway.stop();
  assert.ok(gateway.lines.length >= 3);
  for (const line of gateway.lines) assert.throws(() => JSON.parse(line));
  const line = gateway.lines.find((each) => each.includes(' scan '));
  assert.match(line ?? '', /^\S+ INFO scan request_id=\S+ duration_ms=[\d.]+ .*result=allowed/);
});

test('logging.file takes the records in place of standard output', async (t) => {
  const file = join(temporaryFolder(t).path, 'gateway.log');
  const gateway = await startGateway(t, `logging: {file: ${file}}`);
  await gateway.scan({ response: 'Hello.' });
  await gateway.gateway.stop();
  assert.deepEqual(gateway.lines, []);
  const messages = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly message: string }).message);
  assert.deepEqual(messages, ['listening', 'scan', 'stopped']);
});

for (const [json, form] of [
  [true, /^<134>1 \S+ \S+ probity-gateway \d+ - - \{.*"result":"allowed".*\}$/],
  [false, /^<134>1 \S+ \S+ probity-gateway \d+ - - \S+ INFO scan .*result=allowed/],
] as const) {
  test(`logging.syslog_enabled sends records by RFC 5424, json_output ${json}`, async (t) => {
    const socket = createSocket('udp4');
    t.after(() => socket.close());
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const { port } = socket.address() as AddressInfo;
    const received = new Promise<string>((resolve) => {
      socket.on('message', (datagram) => {
        const text = datagram.toString();
        if (text.includes('scan')) resolve(text);
      });
    });
    const gateway = await startGateway(
      t,
      `logging: {syslog_enabled: true, syslog_host: 127.0.0.1, syslog_port: ${port}, json_output: ${json}}`,
    );
    await gateway.scan({ response: 'Hello.' });
    assert.match(await received, form);
  });
}
