import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chatEvents, messageEvents, TOOL_BLOCK } from '@probity/test-support';
import type { AnswerEvents, Endpoint, GuardedCall } from '../../src/protocols.ts';
import { CHAT, createEventReader, MESSAGES, RESPONSES } from '../../src/protocols.ts';
import { createAnswerGuard } from '../../src/wrappers/answer-guard.ts';
import { guard, LIMIT } from './cases.ts';

const TOO_LONG = { name: 'StreamTooLongError' };
const LETTERS = 'lorem ipsum '.repeat(100);

function open(endpoint: Endpoint, maxHeld = 20_000): AnswerEvents {
  const answers = createAnswerGuard('test', { guard });
  const call: GuardedCall = answers.open([{ role: 'user', content: 'Where is my parcel?' }]);
  return endpoint.createEvents({ ...call, maxHeld });
}

/** Takes the events of a stream as it is sent. */
async function takeAll(events: AnswerEvents, lines: Iterable<string>): Promise<void> {
  const reader = createEventReader();
  for (const line of lines) for (const event of reader.feed(line)) await events.take(event);
}

function* times<Made>(count: number, make: (at: number) => Made): Generator<Made> {
  for (let at = 0; at < count; at++) yield make(at);
}

const line = (event: object) => `data: ${JSON.stringify(event)}\n\n`;
const chunk = (delta: object, index = 0) => line({ choices: [{ index, delta }] });
const withArguments = (text: string, index = 0, more: object = {}) =>
  chunk({ tool_calls: [{ index, function: { arguments: text, ...more } }] });
const delta = (index: number, kind: string, name: string, text: string) =>
  line({ type: 'content_block_delta', index, delta: { type: kind, [name]: text } });
const textDelta = (at: number, text: string) =>
  line({ type: 'response.output_text.delta', output_index: at, content_index: 0, delta: text });

/** Streams that go on, by what grows in them. */
const FLOODS: readonly (readonly [string, Endpoint, (at: number) => string])[] = [
  ['arguments of one tool call', CHAT, () => withArguments(LETTERS)],
  ['arguments of tool calls', CHAT, (at) => withArguments(LETTERS, at % 100)],
  ['tool calls', CHAT, (at) => withArguments('', at)],
  ['members of a tool call', CHAT, (at) => withArguments('', 0, { [`m${at}`]: 1 })],
  ['a function call', CHAT, () => chunk({ function_call: { arguments: LETTERS } })],
  ['choices', CHAT, (at) => chunk({ content: 'a' }, at)],
  ['texts of choices', CHAT, (at) => chunk({ content: LETTERS }, at % 100)],
  ['the input of a tool', MESSAGES, () => delta(0, 'input_json_delta', 'partial_json', LETTERS)],
  ['blocks', MESSAGES, (at) => delta(at, 'text_delta', 'text', 'a')],
  ['texts of blocks', MESSAGES, (at) => delta(at % 100, 'text_delta', 'text', LETTERS)],
  ['items', RESPONSES, (at) => textDelta(at, '')],
  ['texts of items', RESPONSES, (at) => textDelta(at % 100, LETTERS)],
];

describe('what is kept of a streamed answer', () => {
  for (const [name, endpoint, make] of FLOODS) {
    it(`has a limit: ${name}`, async () => {
      await assert.rejects(takeAll(open(endpoint), times(3_000, make)), TOO_LONG);
    });
  }

  it('is no more than it was when many tool calls of ordinary lengths have been passed on', async () => {
    const block = (at: number) =>
      messageEvents([[TOOL_BLOCK, [{ type: 'input_json_delta', partial_json: `{"a":${at}}` }]]]);
    await takeAll(open(MESSAGES), [...times(2_000, block)].flat());
    const calls = [...times(128, (index) => ({ tool_calls: [{ index, function: {} }] }))];
    await takeAll(open(CHAT), chatEvents(calls, 'tool_calls'));
  });
});

describe('events of a stream', LIMIT, () => {
  it('a line, or an event, that does not end is an error at its limit', () => {
    const line = createEventReader(1_000);
    line.feed('data: ');
    assert.throws(() => {
      for (let at = 0; at < 200; at++) line.feed('0123456789');
    }, TOO_LONG);
    for (const part of ['data: 0123456789\n', 'data\n']) {
      const event = createEventReader(1_000);
      assert.throws(() => {
        for (let at = 0; at < 2_000; at++) event.feed(part);
      }, TOO_LONG);
    }
  });

  it('a long event is read once, however many parts it comes in', () => {
    // A reader that goes over the whole line at each part would look at 10¹¹ characters here.
    const reader = createEventReader();
    reader.feed('data: ');
    for (let at = 0; at < 400_000; at++) assert.deepEqual(reader.feed('a'), []);
    assert.equal(reader.feed('\n\n')[0]?.data.length, 400_000);
  });

  it('are the same wherever the stream is cut, with line ends of any form', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const text = ['event: a', 'data: 1', 'data:2', '', ': ping', 'data: 3', '', ''].join(end);
      const expected = [
        { event: 'a', data: '1\n2' },
        { event: '', data: '3' },
      ];
      for (let length = 1; length <= text.length; length++) {
        const reader = createEventReader();
        const events = [];
        for (let at = 0; at < text.length; at += length) {
          events.push(...reader.feed(text.slice(at, at + length)));
        }
        events.push(...reader.end());
        assert.deepEqual(events, expected, `${JSON.stringify(end)} ${length}`);
      }
    }
  });
});
