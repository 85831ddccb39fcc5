import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import type { TestLifetime } from '@probity/test-support';
import { providerText, startProxy } from './proxy-world.ts';

const ASKED = { role: 'user', content: 'Where is my parcel?' } as const;
const CALL = { model: 'm', messages: [ASKED] };
const PATH = '/v1/chat/completions';
const LIMIT = 100_000;
/** Far more than the sockets between take in by themselves. */
const FLOOD = 50_000_000;

/** A gateway that takes answers of {@link LIMIT} bytes. */
function startLimited(t: TestLifetime) {
  const server = `server: {host: 127.0.0.1, port: 0, workers: 2, max_payload_size: ${LIMIT}}\n`;
  const ports = 'monitoring: {prometheus: {port: 0}, health_check: {port: 0}}\n';
  return startProxy(t, { models: (url) => providerText(url), listen: server + ports });
}

/** Writes parts of a stream until the gateway ends the connection, and says how much that was. */
async function flood(response: ServerResponse, make: (at: number) => string): Promise<number> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const closed = once(response, 'close');
  let sent = 0;
  for (let at = 0; sent < FLOOD && !response.destroyed; at++) {
    const part = make(at);
    sent += part.length;
    if (!response.write(part)) await Promise.race([once(response, 'drain'), closed]);
  }
  response.end();
  return sent;
}

const chunk = (delta: object, index = 0) =>
  `data: ${JSON.stringify({ id: 'c', choices: [{ index, delta }] })}\n\n`;

describe('answers without end', () => {
  const letters = 'lorem ipsum '.repeat(1_000);
  const floods: readonly (readonly [string, (at: number) => string])[] = [
    [
      'arguments of a tool call',
      () => chunk({ tool_calls: [{ index: 0, function: { arguments: letters } }] }),
    ],
    ['choices', (at) => chunk({ content: 'a'.repeat(200) }, at)],
    ['one line', (at) => (at === 0 ? 'data: ' : letters)],
  ];
  for (const [name, make] of floods) {
    it(`${name}: the stream ends with an error, and so does the call to the model`, async (t) => {
      const { post, model } = await startLimited(t);
      const sent: Promise<number>[] = [];
      model.answer(({ response }) => {
        sent.push(flood(response, make));
        return undefined;
      });
      const { text } = await post(PATH, { ...CALL, stream: true });
      const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));
      assert.equal(events.at(-1).error.code, 'upstream_broken', text.slice(-300));
      assert.match(events.at(-1).error.message, /too large/);
      assert.ok(((await sent[0]) ?? FLOOD) < FLOOD);
    });
  }
});
