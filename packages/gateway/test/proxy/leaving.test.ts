import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chatEvents, inDeltas, until } from '@probity/test-support';
import type { SentCall } from './model-server.ts';
import { LONG, startProxy } from './proxy-world.ts';

/** How far an answer has come when the client leaves. */
const MOMENTS: Readonly<Record<string, (call: SentCall) => undefined>> = {
  'before the answer': () => undefined,
  'within an answer in JSON': ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":');
    return undefined;
  },
  'within a stream': ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chatEvents(inDeltas(LONG)).slice(0, -1).join(''));
    return undefined;
  },
};

describe('a client that leaves', () => {
  for (const [moment, answer] of Object.entries(MOMENTS)) {
    it(`is no failure: ${moment}`, async (t) => {
      const { world, model } = await startProxy(t);
      model.answer(answer);
      const leave = new AbortController();
      const isStream = moment === 'within a stream';
      const call = fetch(`${world.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${world.token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          model: 'm',
          messages: [{ role: 'user', content: 'Where is my parcel?' }],
          stream: isStream,
        }),
        signal: leave.signal,
      });
      if (isStream) await (await call).body?.getReader().read();
      else await until(() => model.calls.length === 1, 'the call is at the model');
      leave.abort();
      await call.catch(() => undefined);
      const recordOf = (message: string) =>
        world.records().findLast((record) => record.message === message);
      await until(() => recordOf('model call') !== undefined, 'the call has ended');
      assert.deepEqual(
        [recordOf('model call')?.result, recordOf('model call')?.level],
        ['canceled', 'INFO'],
      );
      const failed = world.records().filter(({ level }) => level === 'ERROR');
      assert.deepEqual(failed, []);
    });
  }
});
