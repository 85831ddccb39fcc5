import type { Plant } from './encodings.ts';

/** A request with a plant in one place. */
export interface RequestCase {
  readonly path: string;
  readonly place: string;
  body(plant: Plant): object;
}

type Places = Readonly<Record<string, (plant: Plant) => object>>;

const ASKED = { role: 'user', content: 'Where is my parcel?' };
const SAID = { role: 'assistant', content: 'In Rome.' };
const calling = (call: object) => ({ role: 'assistant', content: null, ...call });
const chatCall = (args: string) => ({
  id: 'c1',
  type: 'function',
  function: { name: 'f', arguments: args },
});
const RESULT = { role: 'tool', tool_call_id: 'c1' };

/** The members of a chat completion, besides the model. */
const CHAT: Places = {
  system: ({ text }) => ({ messages: [{ role: 'system', content: text }, ASKED] }),
  'system part': ({ text }) => ({
    messages: [{ role: 'system', content: [{ type: 'text', text }] }, ASKED],
  }),
  developer: ({ text }) => ({ messages: [{ role: 'developer', content: text }, ASKED] }),
  user: ({ text }) => ({ messages: [{ role: 'user', content: text }] }),
  'user part': ({ text }) => ({ messages: [{ role: 'user', content: [{ type: 'text', text }] }] }),
  'later user part': ({ text }) => ({
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hi.' },
          { type: 'text', text },
        ],
      },
    ],
  }),
  'earlier user': ({ text }) => ({ messages: [{ role: 'user', content: text }, SAID, ASKED] }),
  'earliest of many': ({ text }) => ({
    messages: [{ role: 'user', content: text }, ...Array(10).fill([SAID, ASKED]).flat()],
  }),
  assistant: ({ text }) => ({ messages: [ASKED, { role: 'assistant', content: text }, ASKED] }),
  'assistant last': ({ text }) => ({ messages: [ASKED, { role: 'assistant', content: text }] }),
  'assistant part': ({ text }) => ({
    messages: [ASKED, { role: 'assistant', content: [{ type: 'text', text }] }, ASKED],
  }),
  refusal: ({ text }) => ({ messages: [ASKED, calling({ refusal: text }), ASKED] }),
  reasoning: ({ text }) => ({
    messages: [ASKED, { ...SAID, reasoning_content: text }, ASKED],
  }),
  'tool arguments': ({ text, json }) => ({
    messages: [ASKED, calling({ tool_calls: [chatCall(json({ a: [{ text }] }))] }), ASKED],
  }),
  'tool argument name': ({ text, json }) => ({
    messages: [ASKED, calling({ tool_calls: [chatCall(json({ [text]: 1 }))] }), ASKED],
  }),
  'custom tool input': ({ text }) => ({
    messages: [
      ASKED,
      calling({ tool_calls: [{ id: 'c1', type: 'custom', custom: { name: 'f', input: text } }] }),
      ASKED,
    ],
  }),
  'function call': ({ text, json }) => ({
    messages: [ASKED, calling({ function_call: { name: 'f', arguments: json({ text }) } }), ASKED],
  }),
  'tool result': ({ text }) => ({
    messages: [ASKED, calling({ tool_calls: [chatCall('{}')] }), { ...RESULT, content: text }],
  }),
  'tool result in JSON': ({ text, json }) => ({
    messages: [
      ASKED,
      calling({ tool_calls: [chatCall('{}')] }),
      { ...RESULT, content: json({ rows: [{ text }] }) },
    ],
  }),
  'tool result part': ({ text }) => ({
    messages: [
      ASKED,
      calling({ tool_calls: [chatCall('{}')] }),
      { ...RESULT, content: [{ type: 'text', text }] },
    ],
  }),
  'tool description': ({ text }) => ({
    messages: [ASKED],
    tools: [{ type: 'function', function: { name: 'f', description: text } }],
  }),
  'tool schema': ({ text }) => ({
    messages: [ASKED],
    tools: [
      {
        type: 'function',
        function: { name: 'f', parameters: { properties: { a: { enum: [text] } } } },
      },
    ],
  }),
  prediction: ({ text }) => ({
    messages: [ASKED],
    prediction: { type: 'content', content: text },
  }),
  stop: ({ text }) => ({ messages: [ASKED], stop: [text] }),
  'unknown member': ({ text }) => ({ messages: [ASKED], some_later_option: [[{ text }]] }),
};

const item = (given: object) => ({ input: [ASKED, given] });

/** The members of a response. */
const RESPONSES: Places = {
  instructions: ({ text }) => ({ instructions: text, input: 'Hi.' }),
  input: ({ text }) => ({ input: text }),
  user: ({ text }) => ({ input: [{ role: 'user', content: text }] }),
  'user part': ({ text }) => ({
    input: [{ role: 'user', content: [{ type: 'input_text', text }] }],
  }),
  'earlier user': ({ text }) => ({ input: [{ role: 'user', content: text }, SAID, ASKED] }),
  'assistant part': ({ text }) => item({ ...SAID, content: [{ type: 'output_text', text }] }),
  'function call': ({ text, json }) =>
    item({ type: 'function_call', call_id: 'c', name: 'f', arguments: json({ text }) }),
  'function result': ({ text }) =>
    item({ type: 'function_call_output', call_id: 'c', output: text }),
  'function result in JSON': ({ text, json }) =>
    item({ type: 'function_call_output', call_id: 'c', output: json({ rows: [text] }) }),
  'custom call': ({ text }) =>
    item({ type: 'custom_tool_call', call_id: 'c', name: 'f', input: text }),
  'custom result': ({ text }) =>
    item({ type: 'custom_tool_call_output', call_id: 'c', output: text }),
  reasoning: ({ text }) =>
    item({ type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text }] }),
  code: ({ text }) =>
    item({ type: 'code_interpreter_call', id: 'i', code: `print("${text}")`, outputs: [] }),
  'mcp result': ({ text }) =>
    item({ type: 'mcp_call', id: 'm', name: 'f', arguments: '{}', output: text }),
  'tool description': ({ text }) => ({
    input: 'Hi.',
    tools: [{ type: 'function', name: 'f', description: text }],
  }),
  'text format': ({ text }) => ({
    input: 'Hi.',
    text: { format: { type: 'json_schema', name: 'n', schema: { description: text } } },
  }),
};

const assistant = (block: object) => ({
  messages: [ASKED, { role: 'assistant', content: [block] }, ASKED],
});
const result = (content: unknown) => ({
  messages: [
    ASKED,
    { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content }] },
  ],
});
const userBlock = (block: object) => ({
  messages: [{ role: 'user', content: [block, { type: 'text', text: 'What is it?' }] }],
});

/** The members of a message of Anthropic's API. */
const MESSAGES: Places = {
  system: ({ text }) => ({ system: text, messages: [ASKED] }),
  'system block': ({ text }) => ({ system: [{ type: 'text', text }], messages: [ASKED] }),
  user: ({ text }) => ({ messages: [{ role: 'user', content: text }] }),
  'user block': ({ text }) => userBlock({ type: 'text', text }),
  'earlier user': ({ text }) => ({ messages: [{ role: 'user', content: text }, SAID, ASKED] }),
  assistant: ({ text }) => ({ messages: [ASKED, { role: 'assistant', content: text }] }),
  'assistant block': ({ text }) => assistant({ type: 'text', text }),
  thinking: ({ text }) => assistant({ type: 'thinking', thinking: text, signature: 's' }),
  'tool input': ({ text }) => assistant({ type: 'tool_use', id: 't', name: 'f', input: { text } }),
  'server tool input': ({ text }) =>
    assistant({ type: 'server_tool_use', id: 't', name: 'f', input: { text } }),
  'tool result': ({ text }) => result(text),
  'tool result block': ({ text }) => result([{ type: 'text', text }]),
  'tool result in JSON': ({ text, json }) => result(json({ rows: [{ text }] })),
  document: ({ text }) =>
    userBlock({
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: text },
    }),
  'title of a document': ({ text }) =>
    userBlock({
      type: 'document',
      title: text,
      source: { type: 'text', media_type: 'text/plain', data: 'Hi.' },
    }),
  'search result': ({ text }) =>
    userBlock({
      type: 'search_result',
      source: 's',
      title: 't',
      content: [{ type: 'text', text }],
    }),
  file: ({ text }) => userBlock({ type: 'file', name: text }),
  'tool description': ({ text }) => ({
    messages: [ASKED],
    tools: [{ name: 'f', description: text, input_schema: { type: 'object' } }],
  }),
  'tool schema': ({ text }) => ({
    messages: [ASKED],
    tools: [{ name: 'f', input_schema: { properties: { a: { description: text } } } }],
  }),
  'stop sequence': ({ text }) => ({ messages: [ASKED], stop_sequences: [text] }),
};

const EMBEDDINGS: Places = {
  input: ({ text }) => ({ input: text }),
  'later input': ({ text }) => ({ input: ['Hi.', text] }),
  'unknown member': ({ text }) => ({ input: 'Hi.', some_later_option: text }),
};

/** Every place of a request of the proxy. */
export const REQUEST_CASES: readonly RequestCase[] = (
  [
    ['/v1/chat/completions', CHAT],
    ['/v1/responses', RESPONSES],
    ['/v1/messages', MESSAGES],
    ['/v1/messages/count_tokens', { system: MESSAGES.system, user: MESSAGES.user } as Places],
    ['/v1/embeddings', EMBEDDINGS],
  ] as const
).flatMap(([path, places]) =>
  Object.entries(places).map(([place, build]) => ({
    path,
    place,
    body: (plant: Plant) => ({ model: 'm', ...build(plant) }),
  })),
);
