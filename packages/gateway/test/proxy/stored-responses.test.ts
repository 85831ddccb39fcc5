import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestLifetime } from '@probity/test-support';
import { createTestClock } from '@probity/test-support';
import { startProxy } from './proxy-world.ts';

const SSN = '536-22-8145';

function responseOf(id: string, text = 'Hello.', status = 'completed') {
  const content = [{ type: 'output_text', text, annotations: [] }];
  const message = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content };
  return { id, object: 'response', created_at: 1, status, model: 'm', output: [message] };
}

/** A gateway whose provider answers `text` for stored responses. */
async function startStored(t: TestLifetime, text = 'Hello.') {
  const clock = createTestClock();
  const proxy = await startProxy(t, { clock });
  const other = proxy.world.addKey({ name: 'other' });
  // The file of the keys is looked at once a second.
  await clock.advance(1_000);
  proxy.model.answer(({ path, method }) => {
    if (method === 'POST' && path === '/v1/responses')
      return { ...responseOf('resp_1'), output: [], status: 'queued' };
    if (path.endsWith('/cancel')) return responseOf('resp_1', text, 'cancelled');
    if (path.includes('/input_items')) {
      const content = [{ type: 'input_text', text: 'A question.' }];
      const data = [{ id: 'msg_0', type: 'message', role: 'user', content }];
      return { object: 'list', data, first_id: 'msg_0', last_id: 'msg_0', has_more: false };
    }
    if (method === 'DELETE') return { id: 'resp_1', object: 'response', deleted: true };
    if (path.includes('stream=true')) return eventsOf(text);
    return responseOf('resp_1', text);
  });
  return { ...proxy, other };
}

function eventsOf(text: string): readonly string[] {
  const place = { item_id: 'msg_1', output_index: 0, content_index: 0 };
  const events = [
    { type: 'response.output_text.delta', sequence_number: 5, ...place, delta: text },
    { type: 'response.output_text.done', sequence_number: 6, ...place, text },
    { type: 'response.completed', sequence_number: 7, response: responseOf('resp_1', text) },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

test('a background response is created, retrieved, listed, cancelled and deleted by its key', async (t) => {
  const { client, model } = await startStored(t);
  const created = await client.responses.create({ model: 'm', input: 'x', background: true });
  assert.equal(created.status, 'queued');
  const retrieved = await client.responses.retrieve(created.id);
  assert.equal(retrieved.output_text, 'Hello.');
  const items = await client.responses.inputItems.list(created.id, { limit: 10, order: 'asc' });
  assert.equal(items.data[0]?.id, 'msg_0');
  assert.equal((await client.responses.cancel(created.id)).status, 'cancelled');
  await client.responses.delete(created.id);
  assert.deepEqual(
    model.calls.map(({ method, path }) => `${method} ${path}`),
    [
      'POST /v1/responses',
      'GET /v1/responses/resp_1',
      'GET /v1/responses/resp_1/input_items?limit=10&order=asc',
      'POST /v1/responses/resp_1/cancel',
      'DELETE /v1/responses/resp_1',
    ],
  );
});

test('streams a stored response from the event that the client names', async (t) => {
  const { client, model } = await startStored(t);
  const stream = await client.responses.retrieve('resp_1', { stream: true, starting_after: 4 });
  let text = '';
  for await (const event of stream) {
    if (event.type === 'response.output_text.delta') text += event.delta;
  }
  assert.equal(text, 'Hello.');
  assert.equal(model.calls[0]?.path, '/v1/responses/resp_1?stream=true&starting_after=4');
});

test('blocks a stored response by the policies, whole or streamed', async (t) => {
  const { client, world } = await startStored(t, `Her SSN is ${SSN}.`);
  for (const path of ['resp_1', 'resp_1?stream=true', 'resp_1/cancel']) {
    const response = await fetch(`${world.url}/v1/responses/${path}`, {
      method: path.endsWith('cancel') ? 'POST' : 'GET',
      headers: { Authorization: `Bearer ${world.token}` },
    });
    const text = await response.text();
    assert.equal(text.includes(SSN), false, path);
    assert.match(text, /probity_blocked/, path);
  }
  await assert.rejects(client.responses.retrieve('resp_1'), { status: 403 });
});

test('a response of another key does not exist for a key, whatever it asks', async (t) => {
  const { client, world, model, other } = await startStored(t);
  await client.responses.create({ model: 'm', input: 'x', background: true });
  const before = model.calls.length;
  for (const [method, path] of [
    ['GET', 'resp_1'],
    ['GET', 'resp_1?stream=true'],
    ['GET', 'resp_1/input_items'],
    ['POST', 'resp_1/cancel'],
    ['DELETE', 'resp_1'],
    ['GET', '..%2Fmodels'],
  ] as const) {
    const headers = { Authorization: `Bearer ${other}` };
    const response = await fetch(`${world.url}/v1/responses/${path}`, { method, headers });
    assert.equal(response.status, 404, `${method} ${path}`);
    assert.match(await response.text(), /not found/);
  }
  assert.equal(model.calls.length, before);
});

test('a call does not go on from a response of another key', async (t) => {
  const { client, world, model, other } = await startStored(t);
  const { id } = await client.responses.create({ model: 'm', input: 'My name is Jane.' });
  const next = { model: 'm', input: 'What is my name?', previous_response_id: id };
  const call = async (token: string) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(next) };
    const response = await fetch(`${world.url}/v1/responses`, init);
    return { status: response.status, text: await response.text() };
  };
  const before = model.calls.length;
  const refused = await call(other);
  assert.equal(refused.status, 400);
  const { error } = JSON.parse(refused.text);
  assert.deepEqual(
    [error.code, error.param, error.message],
    [
      'previous_response_not_found',
      'previous_response_id',
      'Previous response with id "resp_1" not found.',
    ],
  );
  assert.equal(model.calls.length, before);
  assert.equal((await call(world.token)).status, 200);
});

test('a stored response of a streamed call belongs to its key', async (t) => {
  const { client, world, model, other } = await startStored(t);
  model.answer(() => {
    const created = {
      type: 'response.created',
      sequence_number: 0,
      response: responseOf('resp_2'),
    };
    return [`event: response.created\ndata: ${JSON.stringify(created)}\n\n`, ...eventsOf('Hello.')];
  });
  const stream = await client.responses.create({ model: 'm', input: 'x', stream: true });
  for await (const _ of stream);
  const headers = { Authorization: `Bearer ${other}` };
  assert.equal((await fetch(`${world.url}/v1/responses/resp_2`, { headers })).status, 404);
});
