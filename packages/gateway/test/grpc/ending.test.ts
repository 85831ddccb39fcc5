import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { status } from '@grpc/grpc-js';
import { LOOPBACK, startGateway } from '../world.ts';
import type { Message } from './client.ts';
import { answersOf, connect } from './client.ts';

const NO_LIMITS = 'rate_limiting: {enabled: false}';

test('a stream on which nothing is in progress ends with UNAVAILABLE when the gateway ends', async (t) => {
  const world = await startGateway(t, NO_LIMITS);
  const stream = connect(t, world).stream();
  stream.write({ scan: { request_id: 'before', response: 'Hello.' } });
  await once(stream, 'data');
  stream.on('data', () => undefined);
  const stopped = world.gateway.stop();
  assert.equal((await onceFailed(stream)).code, status.UNAVAILABLE);
  await stopped;
});

test('a text that is being sent when the gateway ends is scanned to its end', async (t) => {
  const world = await startGateway(t, NO_LIMITS);
  const stream = connect(t, world).stream();
  stream.write({ open: { request_id: 'text' } });
  stream.write({ scan: { request_id: 'whole', response: 'Hello.' } });
  await once(stream, 'data');
  const answers: Message[] = [];
  stream.on('data', (answer: Message) => answers.push(answer));
  const failed = onceFailed(stream);
  const stopped = world.gateway.stop();
  stream.write({ chunk: { request_id: 'text', sequence: 1, text: 'Her SSN is 536-22-' } });
  stream.write({ chunk: { request_id: 'text', sequence: 2, text: '8145.' } });
  stream.write({ close: { request_id: 'text' } });
  assert.equal((await failed).code, status.UNAVAILABLE);
  await stopped;
  const [final] = answers.flatMap((answer) => (answer.final ? [answer.final as Message] : []));
  assert.equal(final?.verdict, 'VERDICT_BLOCKED');
});

test('a text that nobody ends is cut with UNAVAILABLE after server.request_timeout_ms', async (t) => {
  const world = await startGateway(
    t,
    `${LOOPBACK.replace('server: {', 'server: {request_timeout_ms: 100, ')}${NO_LIMITS}`,
  );
  const stream = connect(t, world).stream();
  stream.write({ open: { request_id: 'text' } });
  stream.write({ scan: { request_id: 'whole', response: 'Hello.' } });
  await once(stream, 'data');
  const answers = answersOf(stream);
  await Promise.all([assert.rejects(answers, { code: status.UNAVAILABLE }), world.gateway.stop()]);
});

async function onceFailed(stream: NodeJS.EventEmitter): Promise<{ readonly code: number }> {
  const [error] = (await once(stream, 'error')) as [{ readonly code: number }];
  return error;
}
