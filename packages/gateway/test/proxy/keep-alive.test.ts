import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import type { TestLifetime } from '@probity/test-support';
import { chatEvents, createTestClock, inDeltas, until } from '@probity/test-support';
import { within } from '../../src/proxy/keep-alive.ts';
import { startProxy } from './proxy-world.ts';

const CALL = { model: 'm', messages: [{ role: 'user', content: 'Hi.' }], stream: true };

const event = (data: { readonly type: string; readonly [name: string]: unknown }) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const DELTA = { name: 'write', arguments: '{"path":"a' };
/** Streams whose provider has begun a call of a tool, which is held back until it is whole. */
const HELD: Readonly<Record<string, readonly string[]>> = {
  '/v1/chat/completions': [
    `data: ${JSON.stringify({
      ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' },
      choices: [
        {
          index: 0,
          delta: { tool_calls: [{ index: 0, id: 'c1', type: 'function', function: DELTA }] },
        },
      ],
    })}\n\n`,
  ],
  '/v1/responses': [
    { item: { id: 'fc_1', type: 'function_call', call_id: 'c1', name: 'write', arguments: '' } },
    { item_id: 'fc_1', delta: '{"path":"a' },
  ].map((each) => {
    const type = 'delta' in each ? 'function_call_arguments.delta' : 'output_item.added';
    return event({ type: `response.${type}`, output_index: 0, ...each });
  }),
  '/v1/messages': [
    { content_block: { type: 'tool_use', id: 't1', name: 'write', input: {} } },
    { delta: { type: 'input_json_delta', partial_json: '{"path":"a' } },
  ].map((each) =>
    event({
      type: 'delta' in each ? 'content_block_delta' : 'content_block_start',
      ...{ index: 0, ...each },
    }),
  ),
};

/** A gateway with a clock that the test turns, and the delays of the timers that have been set. */
async function startTurned(t: TestLifetime) {
  const clock = createTestClock();
  const delays: number[] = [];
  const watched = {
    ...clock,
    setTimer(run: () => void, delayMs: number) {
      delays.push(delayMs);
      return clock.setTimer(run, delayMs);
    },
  };
  return { clock, delays, ...(await startProxy(t, { clock: watched })) };
}

describe('keep-alive comments of a stream', () => {
  it('a stream passes comments of the provider as keep-alives', async (t) => {
    const { model, post } = await startProxy(t);
    model.answer(() => [': SOME PROVIDER\n\n', ...chatEvents(inDeltas('Hello.'))]);
    const { text } = await post('/v1/chat/completions', CALL);
    assert.ok(!text.includes('SOME PROVIDER') && text.includes('Hello.'), text);
    assert.ok(!text.includes('error'), text);
  });

  for (const [path, events] of Object.entries(HELD)) {
    it(`a client of ${path} gets one every 10 seconds while a call of a tool is held back`, async (t) => {
      const { clock, delays, world, model } = await startTurned(t);
      let held: ServerResponse | undefined;
      model.answer(({ response }) => {
        held = response.writeHead(200, { 'content-type': 'text/event-stream' });
        held.write(events.join(''));
        return undefined;
      });
      const answer = await fetch(world.url + path, {
        method: 'POST',
        headers: { Authorization: `Bearer ${world.token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...CALL, max_tokens: 9, input: 'Hi.' }),
      });
      let text = '';
      const read = (async () => {
        for await (const part of answer.body ?? []) text += Buffer.from(part).toString();
      })();
      for (let count = 1; count <= 3; count++) {
        await until(async () => {
          // A timer of 10 seconds shows that the gateway waits.
          if (delays.includes(10_000)) await clock.advance(10_000);
          return text.split(': keep-alive').length > count;
        }, 'a comment has come');
      }
      assert.ok(!text.includes('"path'), text);
      held?.destroy();
      await read.catch(() => undefined);
    });
  }

  it('a wait ends without a value after its time', async () => {
    const clock = createTestClock();
    const waiting = within(clock, new Promise(() => {}), 10_000);
    clock.advance(10_000);
    assert.equal(await waiting, undefined);
    assert.equal(await within(clock, Promise.resolve('a'), 10_000), 'a');
  });
});
