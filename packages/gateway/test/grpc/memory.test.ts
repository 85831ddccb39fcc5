import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect as connectSocket } from 'node:net';
import { test } from 'node:test';
import { silentLogger } from '@probity/core';
import { createBodyBudget } from '@probity/core/internal';
import { until } from '@probity/test-support';
import { createGrpcConnections } from '../../src/grpc/connections.ts';
import { LOOPBACK, startGateway } from '../world.ts';
import { connect } from './client.ts';
import { beginning, rawCall, rawSession } from './raw-calls.ts';

const MIB = 1_048_576;
const SCAN = 'governance.gateway.v1.ScanService/Scan';
const STREAM = 'governance.gateway.v1.ScanService/ScanStream';
const PROCESS = 'envoy.service.ext_proc.v3.ExternalProcessor/Process';
const SIGNING = `${LOOPBACK}security: {request_signing: true, signing_key: a-key-of-sixteen-characters}\n`;

test('gRPC refuses 60 connections without a key before their messages end', async (t) => {
  const { grpcAddress } = await startGateway(t);
  const calls = Array.from({ length: 60 }, (_, at) => {
    const method = [SCAN, STREAM, PROCESS][at % 3] as string;
    const call = rawCall(rawSession(t, grpcAddress), method);
    call.stream.write(beginning(9 * MIB, 16_384));
    return call;
  });
  for (const { ended } of calls) assert.equal((await ended).status, '16');
});

test('gRPC refuses 40 streams of one connection with an unknown key, and closes them', async (t) => {
  const { grpcAddress } = await startGateway(t);
  const session = rawSession(t, grpcAddress);
  const calls = Array.from({ length: 40 }, () => {
    const call = rawCall(session, SCAN, { authorization: 'Bearer pbk_unknown' });
    call.stream.write(beginning(9 * MIB, 1_000));
    return call;
  });
  for (const { stream, ended } of calls) {
    assert.equal((await ended).status, '16');
    await until(() => stream.destroyed, 'the stream is closed');
  }
});

test('gRPC refuses a signature that is missing, malformed or expired before the message', async (t) => {
  const { grpcAddress, token } = await startGateway(t, SIGNING);
  const session = rawSession(t, grpcAddress);
  const now = String(Math.floor(Date.now() / 1_000));
  const zeros = `sha256=${'0'.repeat(64)}`;
  const heads = [
    {},
    { authorization: `Bearer ${token}` },
    { 'x-signature': 'sha256=0', 'x-signature-timestamp': now },
    { 'x-signature': zeros, 'x-signature-timestamp': '1' },
    { 'x-signature': zeros, 'x-signature-timestamp': now, authorization: 'Bearer pbk_unknown' },
  ];
  for (const head of heads) {
    const { stream, ended } = rawCall(session, SCAN, head);
    stream.write(beginning(9 * MIB, 1_000));
    assert.equal((await ended).status, '16');
  }
});

for (const [name, method, isSigned] of [
  ['a wrong signature', SCAN, true],
  ['a key', SCAN, false],
  ['a key, as a stream', STREAM, false],
  ['a key, for Envoy', PROCESS, false],
] as const) {
  test(`gRPC messages that do not end, of callers with ${name}, stay within the budget`, async (t) => {
    const bodyBudget = createBodyBudget(4 * MIB);
    const world = await startGateway(t, isSigned ? SIGNING : '', { bodyBudget });
    const head = isSigned
      ? {
          'x-signature': `sha256=${'0'.repeat(64)}`,
          'x-signature-timestamp': String(Math.floor(Date.now() / 1_000)),
        }
      : { authorization: `Bearer ${world.token}` };
    let refused = 0;
    const sessions = Array.from({ length: 6 }, () => rawSession(t, world.grpcAddress));
    for (const session of sessions) {
      const { stream, ended } = rawCall(session, method, head);
      void ended.then(({ status }) => {
        if (status === '14') refused += 1;
      });
      stream.write(beginning(9 * MIB, MIB));
    }
    await until(() => refused >= 2, 'calls are refused');
    for (const session of sessions) session.destroy();
  });
}

test('gRPC and HTTP share one budget', async (t) => {
  const bodyBudget = createBodyBudget(8 * MIB);
  const { url, grpcAddress, token } = await startGateway(t, '', { bodyBudget });
  const authorization = `Bearer ${token}`;
  const session = rawSession(t, grpcAddress);
  const call = rawCall(session, SCAN, { authorization });
  call.stream.write(beginning(9 * MIB, 1.5 * MIB));
  const headers = { authorization, 'content-type': 'application/json' };
  const sent = request(`${url}/api/v1/governance/scan`, { method: 'POST', headers });
  sent.on('error', () => undefined);
  sent.write('x'.repeat(1.5 * MIB));
  const answered = once(sent, 'response').then(([{ statusCode }]) => String(statusCode));
  const status = await Promise.race([answered, call.ended.then((ended) => ended.status)]);
  sent.destroy();
  session.destroy();
  assert.match(String(status), /^(503|14)$/);
});

test('gRPC refuses large messages to services that need no key', async (t) => {
  const { grpcAddress } = await startGateway(t);
  for (const method of [
    'grpc.health.v1.Health/Check',
    'grpc.health.v1.Health/Watch',
    'grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
  ]) {
    const { stream, ended } = rawCall(rawSession(t, grpcAddress), method);
    stream.write(beginning(20_000, 100));
    assert.equal((await ended).status, '8', method);
  }
});

test('a compressed gRPC message counts as the largest one until it is whole', async (t) => {
  const bodyBudget = createBodyBudget(16 * MIB);
  const { grpcAddress, token } = await startGateway(t, '', { bodyBudget });
  const head = { authorization: `Bearer ${token}`, 'grpc-encoding': 'gzip' };
  const session = rawSession(t, grpcAddress);
  const calls = [1, 2].map(() => rawCall(session, SCAN, head));
  for (const { stream } of calls) stream.write(beginning(10_000, 10, true));
  const { status } = await Promise.race(calls.map(({ ended }) => ended));
  session.destroy();
  assert.equal(status, '14');
});

test('gRPC gives the memory of messages back when they have been answered', async (t) => {
  const bodyBudget = createBodyBudget(MIB);
  const world = await startGateway(t, '', { bodyBudget });
  const client = connect(t, world);
  const response = 'Hello there. '.repeat(8_000);
  for (let at = 0; at < 10; at++) await client.scan({ response });
  const stream = client.stream();
  let finals = 0;
  stream.on('data', ({ final }) => {
    if (final) finals += 1;
  });
  stream.on('error', assert.fail);
  for (let at = 0; at < 10; at++) {
    const request_id = `text-${at}`;
    stream.write({ open: { request_id } });
    stream.write({ chunk: { request_id, sequence: 1, text: response } });
    stream.write({ close: { request_id } });
    await until(() => finals === at + 1, 'the text is answered');
    stream.write({ scan: { request_id: `whole-${at}`, response } });
    await until(() => finals === at + 2, 'the scan is answered').finally(() => finals--);
  }
  stream.end();
  await once(stream, 'end');
  const share = bodyBudget.open({ address: '192.0.2.1', organizationId: 'other' });
  await until(() => {
    try {
      share.take(MIB / 2);
      return true;
    } catch {
      return false;
    }
  }, 'nothing is kept');
});

test('gRPC closes connections of an address beyond its limit', async (t) => {
  let injected = 0;
  const connections = createGrpcConnections(
    {
      injectConnection() {
        injected += 1;
      },
      drain: () => {},
      destroy: () => {},
    },
    silentLogger,
    { total: 10, perAddress: 2 },
  );
  const port = await connections.start({ host: '127.0.0.1', port: 0 });
  t.after(() => connections.stop());
  const sockets = [1, 2, 3].map(() => connectSocket(port, '127.0.0.1'));
  t.after(() => sockets.forEach((socket) => void socket.destroy()));
  for (const socket of sockets) socket.on('error', () => undefined).resume();
  await until(() => sockets.filter(({ closed }) => closed).length === 1, 'one is closed');
  assert.equal(injected, 2);
});
