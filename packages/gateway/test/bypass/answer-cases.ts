import {
  chatAnswer,
  chatEvents,
  deltasOf,
  messageAnswer,
  messageEvents,
} from '@probity/test-support';
import type { Plant } from './encodings.ts';

/** An answer with a plant in one place. */
export interface AnswerCase {
  readonly path: string;
  readonly place: string;
  /** Of a request that gets it. */
  readonly body: object;
  whole(plant: Plant): object;
  /** The same in events, with parts of a text of `length` units. */
  events(plant: Plant, length: number): string[];
}

const FILLER = 'The parcel left the warehouse this morning and will arrive in two days. '.repeat(8);
const around = (text: string) => `${FILLER}${text} ${FILLER}`;
const parts = (text: string, length: number) =>
  deltasOf('', 'text', text, length).map((part) => (part as { readonly text: string }).text);

/** An answer ends where its tokens are spent. */
const brokenOff = (json: string) => json.slice(0, -2);

function chatCase(
  place: string,
  message: (plant: Plant) => object,
  delta: (plant: Plant) => readonly [text: string, wrap: (part: string, at: number) => object],
): AnswerCase {
  return {
    path: '/v1/chat/completions',
    place,
    body: { messages: [{ role: 'user', content: 'Where is my parcel?' }] },
    whole: (plant) => chatAnswer(message(plant)),
    events(plant, length) {
      const [text, wrap] = delta(plant);
      return chatEvents(parts(text, length).map(wrap));
    },
  };
}

const call = (args: string) => ({
  id: 'c1',
  type: 'function',
  function: { name: 'f', arguments: args },
});

const CHAT: readonly AnswerCase[] = [
  ...['content', 'refusal', 'reasoning_content'].map((name) =>
    chatCase(
      name,
      ({ text }) => ({ content: null, [name]: around(text) }),
      ({ text }) => [around(text), (part) => ({ [name]: part })],
    ),
  ),
  chatCase(
    'tool arguments',
    ({ text, json }) => ({ content: null, tool_calls: [call(json({ a: [text] }))] }),
    ({ text, json }) => [
      json({ a: [text] }),
      (part, at) => ({
        tool_calls: [
          at === 0 ? { index: 0, ...call(part) } : { index: 0, function: { arguments: part } },
        ],
      }),
    ],
  ),
  chatCase(
    'tool arguments that break off',
    ({ text, json }) => ({ content: null, tool_calls: [call(brokenOff(json({ a: [text] })))] }),
    ({ text, json }) => [
      brokenOff(json({ a: [text] })),
      (part, at) => ({
        tool_calls: [
          at === 0 ? { index: 0, ...call(part) } : { index: 0, function: { arguments: part } },
        ],
      }),
    ],
  ),
  chatCase(
    'function call',
    ({ text, json }) => ({
      content: null,
      function_call: { name: 'f', arguments: json({ text }) },
    }),
    ({ text, json }) => [
      json({ text }),
      (part, at) => ({ function_call: { ...(at === 0 && { name: 'f' }), arguments: part } }),
    ],
  ),
];

const sse = (events: readonly object[]) =>
  events.map((event) => {
    const { type } = event as { readonly type: string };
    return `event: ${type}\ndata: ${JSON.stringify(event)}\n\n`;
  });
const response = (output: readonly object[]) => ({ id: 'r', object: 'response', output });

function responseCase(
  place: string,
  kind: string,
  {
    item,
    text,
    name,
  }: {
    readonly item: (text: string) => object;
    readonly text: (plant: Plant) => string;
    readonly name: string;
  },
): AnswerCase {
  const at = { item_id: 'i', output_index: 0, content_index: 0, summary_index: 0 };
  return {
    path: '/v1/responses',
    place,
    body: { input: 'Where is my parcel?' },
    whole: (plant) => response([item(text(plant))]),
    events(plant, length) {
      const given = text(plant);
      return sse([
        { type: 'response.created', response: response([]) },
        { type: 'response.output_item.added', output_index: 0, item: item('') },
        ...parts(given, length).map((delta) => ({ type: `response.${kind}.delta`, ...at, delta })),
        { type: `response.${kind}.done`, ...at, [name]: given },
        { type: 'response.output_item.done', output_index: 0, item: item(given) },
        { type: 'response.completed', response: response([item(given)]) },
      ]);
    },
  };
}

const message = (part: object) => ({
  type: 'message',
  id: 'i',
  role: 'assistant',
  content: [part],
});

const RESPONSES: readonly AnswerCase[] = [
  responseCase('text', 'output_text', {
    item: (text) => message({ type: 'output_text', text, annotations: [] }),
    text: ({ text }) => around(text),
    name: 'text',
  }),
  responseCase('refusal', 'refusal', {
    item: (refusal) => message({ type: 'refusal', refusal }),
    text: ({ text }) => around(text),
    name: 'refusal',
  }),
  responseCase('reasoning', 'reasoning_summary_text', {
    item: (text) => ({ type: 'reasoning', id: 'i', summary: [{ type: 'summary_text', text }] }),
    text: ({ text }) => around(text),
    name: 'text',
  }),
  responseCase('function arguments', 'function_call_arguments', {
    item: (args) => ({ type: 'function_call', id: 'i', call_id: 'c', name: 'f', arguments: args }),
    text: ({ text, json }) => json({ a: [text] }),
    name: 'arguments',
  }),
  responseCase('custom input', 'custom_tool_call_input', {
    item: (input) => ({ type: 'custom_tool_call', id: 'i', call_id: 'c', name: 'f', input }),
    text: ({ text }) => text,
    name: 'input',
  }),
];

function messageCase(
  place: string,
  block: (text: string) => object,
  delta: readonly [type: string, name: string],
  write: (plant: Plant) => string = ({ text }) => around(text),
): AnswerCase {
  return {
    path: '/v1/messages',
    place,
    body: { max_tokens: 9, messages: [{ role: 'user', content: 'Where is my parcel?' }] },
    whole: (plant) => messageAnswer(block(write(plant))),
    events: (plant, length) =>
      messageEvents([[block(''), deltasOf(...delta, write(plant), length)]]),
  };
}

const tool = (type: string) => (input: string) => ({
  ...{ type, id: 't', name: 'f', input: input === '' ? {} : JSON.parse(input) },
});
const input = ({ text, json }: Plant) => json({ a: [text] });

const MESSAGES: readonly AnswerCase[] = [
  messageCase('text', (text) => ({ type: 'text', text }), ['text_delta', 'text']),
  messageCase('thinking', (thinking) => ({ type: 'thinking', thinking, signature: '' }), [
    'thinking_delta',
    'thinking',
  ]),
  messageCase('tool input', tool('tool_use'), ['input_json_delta', 'partial_json'], input),
  {
    ...messageCase('tool input that breaks off', tool('tool_use'), ['', ''], input),
    events: (plant, length) =>
      messageEvents([
        [
          tool('tool_use')(''),
          deltasOf('input_json_delta', 'partial_json', brokenOff(input(plant)), length),
        ],
      ]),
  },
  messageCase('server tool', tool('server_tool_use'), ['input_json_delta', 'partial_json'], input),
  {
    ...messageCase('citation', (text) => ({ type: 'text', text }), ['', '']),
    whole: ({ text }) =>
      messageAnswer({ type: 'text', text: 'See.', citations: [{ cited_text: text }] }),
    events: ({ text }) =>
      messageEvents([
        [{ type: 'text', text: '' }, [{ type: 'citations_delta', citation: { cited_text: text } }]],
      ]),
  },
  {
    ...messageCase('beginning of a block', (text) => ({ type: 'text', text }), ['', '']),
    events: ({ text }) => messageEvents([[{ type: 'text', text: around(text) }, []]]),
  },
];

/** Every place of an answer of the proxy. */
export const ANSWER_CASES: readonly AnswerCase[] = [...CHAT, ...RESPONSES, ...MESSAGES];
