import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Endpoint } from '../../src/protocols.ts';
import { CHAT, MESSAGES, RESPONSES } from '../../src/protocols.ts';
import { guard, LIMIT, MAIL } from './cases.ts';
import type { Event } from './pass-events.ts';
import { chunkOf, passData, passEvents } from './pass-events.ts';

const delta = (given: object) => ({ type: 'content_block_delta', index: 0, delta: given });
const cited = (citation: object) => delta({ type: 'citations_delta', citation });
const annotated = (annotation: object, annotation_index: number) => ({
  type: 'response.output_text.annotation.added',
  ...{ item_id: 'msg_1', output_index: 0, content_index: 0, annotation_index, annotation },
});
const location = (text: string) => ({
  ...{ type: 'char_location', cited_text: text, document_index: 0, document_title: 'Meadows' },
  ...{ start_char_index: 0, end_char_index: 20, file_id: null },
});
const found = (url: string) => ({
  ...{ type: 'web_search_result_location', url, title: 'A', encrypted_index: 'Eo8BCioI' },
  cited_text: 'The grass is green.',
});
const linked = (url: string) => ({
  type: 'url_citation',
  url_citation: { url, title: 'A', start_index: 0, end_index: 9, content: 'Grass.' },
});

/** Streams of objects, two of a kind one after the other. */
const STREAMS: readonly (readonly [string, Endpoint, (text: string, at: number) => Event])[] = [
  ['citations of a document', MESSAGES, (text) => cited(location(text))],
  ['citations of a search', MESSAGES, (text) => cited(found(text))],
  ['citations with one text', MESSAGES, (text) => cited({ cited_text: text })],
  ['objects of a later delta', MESSAGES, (text) => delta({ type: 'later_delta', of: { text } })],
  ['annotations of a response', RESPONSES, (text, at) => annotated({ ...linked(text) }, at)],
  ['annotations in a chat', CHAT, (text) => chunkOf({ annotations: [linked(text)] })],
  ['one annotation in a chat', CHAT, (text) => chunkOf({ annotation: linked(text) })],
  ['citations in a chat', CHAT, (text) => chunkOf({ citation: { source: { title: text } } })],
  [
    'details of reasoning',
    CHAT,
    (text) => chunkOf({ reasoning_details: [{ type: 'reasoning.text', text, index: 0 }] }),
  ],
];

describe('objects in the deltas of a stream', LIMIT, () => {
  for (const [name, endpoint, write] of STREAMS) {
    const two = (first: string, second: string) => [write(first, 0), write(second, 1)];

    it(`a stream passes each object once and whole: ${name}`, async () => {
      const events = two('https://example.com/a', 'https://example.com/b');
      assert.deepEqual(await passEvents(endpoint, events), events);
    });

    it(`a stream redacts an object as a whole: ${name}`, async () => {
      const events = two(`Write to ${MAIL}.`, 'The end.');
      const expected = two('Write to [EMAIL_1].', 'The end.');
      assert.deepEqual(await passEvents(endpoint, events, guard), expected);
    });
  }

  it('a stream passes citations between texts', async () => {
    const events = [
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      delta({ type: 'text_delta', text: 'the grass is green' }),
      cited(location('The grass is green.')),
      { type: 'content_block_stop', index: 0 },
      { type: 'message_stop' },
    ];
    const passed = await passEvents(MESSAGES, events);
    assert.deepEqual(
      passed.filter((event) => JSON.stringify(event).includes('citations_delta')),
      [events[2]],
    );
  });
});

describe('events of a stream without findings', LIMIT, () => {
  const SOURCES: readonly (readonly [string, Endpoint, string])[] = [
    [
      'a chunk with a whole answer and the usage',
      CHAT,
      '{"id": "c", "choices": [{"delta":{"role":"assistant","content":"Hello."}, "index":0,"finish_reason":"stop"}], "usage":{"total_tokens":3},"seed":175928847299117063}',
    ],
    [
      'a chunk without text',
      CHAT,
      '{"id":"c","choices":[{"index":0,"delta":{"content":""},"logprobs":null}],"usage":null}',
    ],
    [
      'a chunk with a whole call',
      CHAT,
      '{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"f","arguments":"{\\"id\\": 175928847299117063}"}}]},"finish_reason":"tool_calls"}]}',
    ],
    [
      'a block of a tool',
      MESSAGES,
      '{"type":"content_block_start","index":0, "content_block":{"type":"tool_use","id":"toolu_1","name":"f","input":{"id":175928847299117063}}}',
    ],
    [
      'a whole response',
      RESPONSES,
      '{"type":"response.completed","response":{"id":"resp_1","output":[], "max_output_tokens":175928847299117063}}',
    ],
  ];
  for (const [name, endpoint, data] of SOURCES) {
    it(`a stream sends an unchanged event byte for byte: ${name}`, async () => {
      assert.deepEqual(await passData(endpoint, [data]), [data]);
    });
  }
});
