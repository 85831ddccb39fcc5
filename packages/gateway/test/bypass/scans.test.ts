import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TestLifetime } from '@probity/test-support';
import type { Message, ScanClient } from '../grpc/client.ts';
import { answersOf, connect } from '../grpc/client.ts';
import { startGateway } from '../world.ts';
import type { Plant } from './encodings.ts';
import { pairsOf, partsOf, plants } from './encodings.ts';

const NO_LIMITS = 'rate_limiting: {enabled: false}\n';
const PLANTS = plants();
const FILLER = 'The parcel left the warehouse this morning and will arrive in two days. '.repeat(8);

type Fields = Readonly<Record<string, (plant: Plant) => object>>;

const TEXTS: Fields = {
  prompt: ({ text }) => ({ prompt: text, response: 'Hi.' }),
  response: ({ text }) => ({ response: text }),
  'end of a response': ({ text }) => ({ response: `${FILLER}${text}` }),
  'middle of a response': ({ text }) => ({ response: `${FILLER}${text} ${FILLER}` }),
  context: ({ text }) => ({ response: 'Hi.', context: ['Fine.', text] }),
};
const call = (args: string) => ({
  id: 'c',
  type: 'function',
  function: { name: 'f', arguments: args },
});
const MESSAGES: Fields = {
  'user message': ({ text }) => ({ messages: [{ role: 'user', content: text }] }),
  'system message': ({ text }) => ({
    messages: [
      { role: 'system', content: text },
      { role: 'user', content: 'Hi.' },
    ],
  }),
  'tool arguments': ({ text, json }) => ({
    messages: [
      { role: 'user', content: 'Hi.' },
      { role: 'assistant', content: null, tool_calls: [call(json({ a: [text] }))] },
    ],
  }),
  'tool result': ({ text, json }) => ({
    messages: [
      { role: 'user', content: 'Hi.' },
      { role: 'tool', tool_call_id: 'c', content: json({ rows: [text] }) },
    ],
  }),
};
const SIZES = [1, 2, 5, 64, 100_000];
const SCANS = pairsOf(Object.entries({ ...TEXTS, ...MESSAGES }), PLANTS);
const TEXT_SCANS = pairsOf(Object.entries(TEXTS), PLANTS);
const STREAMED = pairsOf(
  ['TARGET_RESPONSE', 'TARGET_PROMPT'].flatMap((target) =>
    ['end', 'middle'].map((place) => ({ target, place })),
  ),
  PLANTS,
);

async function startBoth(t: TestLifetime) {
  return {
    guarded: await startGateway(t, NO_LIMITS),
    control: await startGateway(t, `${NO_LIMITS}scanning: {stages: []}\n`),
  };
}

/** Sends a text in parts of `size` units, and gives what is released of it, and the verdict. */
async function sendInParts(client: ScanClient, open: object, text: string, size: number) {
  const stream = client.stream();
  const answers = answersOf(stream);
  stream.write({ open: { request_id: 'text', ...open } });
  for (const [at, part] of partsOf(text, size).entries()) {
    stream.write({ chunk: { request_id: 'text', sequence: at + 1, text: part } });
  }
  stream.write({ close: { request_id: 'text' } });
  stream.end();
  let released = '';
  let verdict: unknown;
  for (const { release, final } of await answers) {
    released += (release as Message | undefined)?.text ?? '';
    verdict = (final as Message | undefined)?.verdict ?? verdict;
  }
  return { released, verdict };
}

describe('nothing gets through a scan', () => {
  it(`over HTTP: ${SCANS.length} cases`, async (t) => {
    const { guarded, control } = await startBoth(t);
    for (const [[place, build], plant] of SCANS) {
      const name = `${place}, ${plant.name}: ${plant.text}`;
      const plain = await control.scan(build(plant));
      assert.equal(plain.status, 200, name);
      const { status, body } = await guarded.scan(build(plant));
      assert.equal(status, 403, `${name}: ${JSON.stringify(body)}`);
      assert.ok(!JSON.stringify(body).includes(plant.needle), name);
    }
  });

  it(`over gRPC, one by one: ${TEXT_SCANS.length} cases, and on a stream as many`, async (t) => {
    const { guarded, control } = await startBoth(t);
    const clients = { guarded: connect(t, guarded), control: connect(t, control) };
    const cases = TEXT_SCANS.map(([[place, build], plant]) => ({
      name: `${place}, ${plant.name}: ${plant.text}`,
      ...build(plant),
    }));
    const verdictsOf = async (client: ScanClient) => {
      const stream = client.stream();
      for (const [at, { name: _, ...scan }] of cases.entries()) {
        stream.write({ scan: { request_id: `${at}`, ...scan } });
      }
      stream.end();
      const answers = await answersOf(stream);
      return new Map(
        answers.map(({ request_id, final }) => [request_id, (final as Message).verdict]),
      );
    };
    const streamed = await verdictsOf(clients.guarded);
    const plain = await verdictsOf(clients.control);
    for (const [at, { name, ...scan }] of cases.entries()) {
      assert.equal(plain.get(`${at}`), 'VERDICT_ALLOWED', name);
      assert.equal(streamed.get(`${at}`), 'VERDICT_BLOCKED', name);
      const { verdict } = await clients.guarded.scan(scan);
      assert.equal(verdict, 'VERDICT_BLOCKED', name);
    }
  });

  it(`over gRPC in parts: ${STREAMED.length} cases`, async (t) => {
    const { guarded, control } = await startBoth(t);
    const clients = { guarded: connect(t, guarded), control: connect(t, control) };
    for (const [index, [{ target, place }, plant]] of STREAMED.entries()) {
      const text = FILLER + plant.text + (place === 'end' ? '' : ` ${FILLER}`);
      const size = SIZES[index % SIZES.length] ?? 1;
      const name = `${target}, ${place}, ${plant.name}, ${size}: ${plant.text}`;
      const plain = await sendInParts(clients.control, { target }, text, size);
      assert.deepEqual([plain.released, plain.verdict], [text, 'VERDICT_ALLOWED'], name);
      const { released, verdict } = await sendInParts(clients.guarded, { target }, text, size);
      assert.equal(verdict, 'VERDICT_BLOCKED', name);
      assert.ok(!released.includes(plant.needle) && text.startsWith(released), name);
    }
  });
});
