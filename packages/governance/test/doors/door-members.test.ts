import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { BENIGN, EMAIL, SSN } from '../world.ts';
import { AGENTGATEWAY, LITELLM, MODERATIONS, open, PORTKEY } from './doors-world.ts';
import { litellmAfter } from './requests.ts';

const SECRET = `SSN ${SSN}`;
const HELLO = { role: 'user', content: 'Hello' };
const asked = (...contents: readonly object[]) => ({
  messages: [HELLO, { role: 'user', content: contents }],
});

for (const [name, json] of Object.entries({
  "Anthropic's instructions": { system: [{ type: 'text', text: SECRET }], messages: [HELLO] },
  'a tool result as text': asked({ type: 'tool_result', tool_use_id: 't', content: SECRET }),
  'a tool result in parts': asked({
    type: 'tool_result',
    content: [{ type: 'text', text: SECRET }],
  }),
  'the input of a tool': asked({ type: 'tool_use', id: 't', name: 'f', input: { type: SECRET } }),
  'a number in the input of a tool': asked({ type: 'tool_use', input: { ssn: 536_228_145 } }),
  'a name in the input of a tool': asked({ type: 'tool_use', input: { [SECRET]: 1 } }),
  'a text document': asked({ type: 'document', source: { type: 'text', data: SECRET } }),
  'a part of an unknown type': asked({ type: 'brand_new', body: { lines: [SECRET] } }),
  'a function call of old': {
    messages: [HELLO, { role: 'assistant', function_call: { arguments: `{"a":"${SECRET}"}` } }],
  },
  "items of OpenAI's responses": { input: ['Hello', { role: 'user', content: SECRET }] },
  'a call among items': { input: [HELLO, { type: 'function_call_output', output: SECRET }] },
  "instructions of OpenAI's responses": { instructions: SECRET, input: 'Hello' },
  "Gemini's contents": { contents: [{ role: 'user', parts: [{ text: SECRET }] }] },
})) {
  test(`Portkey: ${name} is scanned before the call`, async (t) => {
    const { ask } = await open(t);
    const answer = await ask(PORTKEY, { eventType: 'beforeRequestHook', request: { json } });
    assert.equal(answer.verdict, false);
  });
}

for (const [name, json] of Object.entries({
  "a message of Anthropic's": { content: [{ type: 'text', text: SECRET }] },
  "an item of OpenAI's responses": {
    output: [{ type: 'message', content: [{ type: 'output_text', text: SECRET }] }],
  },
  'a refusal': { choices: [{ message: { content: null, refusal: SECRET } }] },
  'reasoning beside the answer': {
    choices: [{ message: { content: 'Hello', reasoning_content: SECRET } }],
  },
  "a candidate of Gemini's": { candidates: [{ content: { parts: [{ text: SECRET }] } }] },
})) {
  test(`Portkey: ${name} is scanned after the call`, async (t) => {
    const { ask } = await open(t);
    const answer = await ask(PORTKEY, { eventType: 'afterRequestHook', response: { json } });
    assert.equal(answer.verdict, false);
  });
}

test('Portkey: images are not scanned, and all that is not redacted comes back as it was', async (t) => {
  const { ask } = await open(t);
  const pixels = createHash('sha512').update('pixels').digest();
  const data = Buffer.concat(Array.from({ length: 8 }, () => pixels)).toString('base64');
  const source = { type: 'base64', media_type: 'image/png', data };
  const json = asked(
    { type: 'image', source },
    { type: 'tool_use', id: 'toolu_1', name: 'f', input: { count: 3, rows: ['a', `b ${EMAIL}`] } },
  );
  const request = { json, text: '' };
  const { transformedData } = await ask(PORTKEY, { eventType: 'beforeRequestHook', request });
  assert.deepEqual(
    transformedData.request.json,
    asked(
      { type: 'image', source },
      {
        ...{ type: 'tool_use', id: 'toolu_1', name: 'f' },
        input: { count: 3, rows: ['a', 'b [EMAIL_1]'] },
      },
    ),
  );
});

const DIGITS = ['"seed":9007199254740993', '"top_p":1.10', '"max":1e400', '"list":[-0,{"id":1.0}]'];
const NUMBERS = DIGITS.join();
const SENT = '"sent":175928847299117063';
const MAIL = `{"role":"user","content":"Mail ${EMAIL}",${SENT}}`;
const PROMPTS = `{"messages":[${MAIL}],${NUMBERS}}`;
const CHOICES = `{"choices":[{"index":0.0,"message":${MAIL}}],${NUMBERS}}`;

for (const [name, path, body] of [
  [
    'Portkey, before the call',
    PORTKEY,
    `{"eventType":"beforeRequestHook","request":{"json":${PROMPTS}}}`,
  ],
  [
    'Portkey, after the call',
    PORTKEY,
    `{"eventType":"afterRequestHook","response":{"json":${CHOICES}}}`,
  ],
  ['agentgateway, before the call', `${AGENTGATEWAY}/request`, `{"body":${PROMPTS}}`],
  ['agentgateway, after the call', `${AGENTGATEWAY}/response`, `{"body":${CHOICES}}`],
] as const) {
  test(`${name}: numbers of a redacted body keep their digits`, async (t) => {
    const { url } = await open(t);
    const headers = { Authorization: 'Bearer owner', 'Content-Type': 'application/json' };
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    for (const part of [...DIGITS, SENT, '"Mail [EMAIL_1]"']) {
      assert.ok(text.includes(part), `${part} in ${text}`);
    }
  });
}

const chat = (members: object, part?: object) => ({
  messages: [HELLO, ...(part ? [{ role: 'user', content: [part] }] : [])],
  ...members,
});
const base64 = Buffer.from(SECRET).toString('base64');
const dataUrl = `data:text/plain;base64,${base64}`;

for (const [name, json] of Object.entries({
  'a prediction': chat({ prediction: { type: 'content', content: SECRET } }),
  'a format of the answer': chat({
    response_format: { type: 'json_schema', json_schema: { description: SECRET } },
  }),
  'a value of metadata': chat({ metadata: { note: SECRET } }),
  'a name in metadata': chat({ metadata: { [SECRET]: 'x' } }),
  'a suffix': { prompt: 'Hello', suffix: SECRET },
  'a list of prompts': { prompt: ['Hello', SECRET] },
  'documents beside messages': chat({ documents: [{ id: 'a', snippet: SECRET }] }),
  "a message of Cohere's": { message: SECRET, chat_history: [] },
  "the history of Cohere's chat": {
    message: 'Hi',
    chat_history: [{ role: 'USER', message: SECRET }],
  },
  "a schema of Gemini's": {
    contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
    generationConfig: { responseSchema: { description: SECRET } },
  },
  'a number beside the messages': chat({ metadata: { card: 4_539_148_803_436_467 } }),
  'a number that only its name tells': chat({ metadata: { ssn: 536_228_145 } }),
  'a number that only the name of its list tells': chat({ metadata: { ssn: [536_228_145] } }),
  'a number that only the member of the body tells': chat({ ssn: 536_228_145 }),
  'a number that another member labels': chat({ metadata: { name: 'ssn', value: '536228145' } }),
  'a number that a member of a message tells': {
    messages: [{ ...HELLO, customer: { ssn: 536_228_145 } }],
  },
  'a number that a member of a part tells': chat({}, { type: 'brand_new', ssn: 536_228_145 }),
  'a number as the name of a member of the body': chat({ [SECRET]: true }),
  'data of a part whose media type is a text': chat(
    {},
    { type: 'document', source: { type: 'base64', media_type: 'text/plain', data: base64 } },
  ),
  'data of a part': chat({}, { type: 'brand_new', data: SECRET }),
  'data of the result of a tool': chat(
    {},
    { type: 'tool_result', content: [{ type: 'x', data: SECRET }] },
  ),
  'a data URL of text': chat({}, { type: 'file', file: { file_data: dataUrl } }),
  'a file as text': chat({}, { type: 'file', file: { file_data: SECRET } }),
  "inline data of Gemini's": {
    contents: [{ parts: [{ inlineData: { mimeType: 'text/plain', data: SECRET } }] }],
  },
  'an address of an image': chat(
    {},
    { type: 'image_url', image_url: { url: `https://a.example/?q=${SECRET}` } },
  ),
  'the detail of an image': chat(
    {},
    { type: 'image_url', image_url: { url: 'https://a.example/1', detail: SECRET } },
  ),
  'a status': chat({}, { type: 'brand_new', status: SECRET }),
  'a type': chat({}, { type: SECRET }),
  'a format': chat({}, { type: 'input_audio', input_audio: { format: SECRET, data: '' } }),
  'a signature': chat({}, { type: 'thinking', thinking: 'x', signature: SECRET }),
  'the id of a call': { messages: [HELLO, { role: 'tool', tool_call_id: SECRET, content: 'x' }] },
  'a role': { messages: [{ role: SECRET, content: 'x' }] },
  'a number spread over two parts': {
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'My SSN is 536-22' },
          { type: 'text', text: '-8145' },
        ],
      },
    ],
  },
  'a number spread over two parts before another message': {
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'My SSN is 536-22' },
          { type: 'text', text: '-8145' },
        ],
      },
      HELLO,
    ],
  },
  "a number spread over two parts of Gemini's": {
    contents: [{ role: 'user', parts: [{ text: 'My SSN is 536-22' }, { text: '-8145' }] }],
  },
  'arguments with escapes': {
    messages: [
      HELLO,
      {
        ...{ role: 'assistant', content: null },
        tool_calls: [
          { type: 'function', function: { arguments: `{"a":"SSN \\u0035${SSN.slice(1)}"}` } },
        ],
      },
    ],
  },
  'a body that is a text': SECRET,
  'a member that no interface has': { inputs: [{ deep: { deeper: [SECRET] } }] },
})) {
  test(`Portkey: reads ${name} of a request`, async (t) => {
    const { ask } = await open(t);
    const request = { json, text: 'Hello' };
    const answer = await ask(PORTKEY, { eventType: 'beforeRequestHook', request });
    assert.equal(answer.verdict, false);
  });
}

test('Portkey: reads the text of a request whose body is harmless', async (t) => {
  const { ask } = await open(t);
  for (const json of [chat({}), { inputs: 7 }, undefined]) {
    const request = { json, text: SECRET };
    const answer = await ask(PORTKEY, { eventType: 'beforeRequestHook', request });
    assert.equal(answer.verdict, false);
  }
  const request = { json: chat({}), text: `I am ${EMAIL}` };
  const masked = await ask(PORTKEY, { eventType: 'beforeRequestHook', request });
  assert.deepEqual(masked.transformedData.request, { json: chat({}), text: 'I am [EMAIL_1]' });
});

for (const [name, json] of Object.entries({
  'the address of an annotation': {
    output: [
      {
        type: 'message',
        content: [
          { type: 'output_text', text: 'x', annotations: [{ url: `https://a.example/${SECRET}` }] },
        ],
      },
    ],
  },
  'inline data as text': {
    candidates: [
      { content: { parts: [{ inlineData: { mimeType: 'text/plain', data: SECRET } }] } },
    ],
  },
  'data of a part': { content: [{ type: 'brand_new', data: SECRET }] },
  'a choice without a message': { choices: [{ text: SECRET }] },
  'a member beside the choices': { choices: [{ message: { content: 'Hi' } }], notes: [SECRET] },
  'a finish reason': { choices: [{ message: { content: 'Hi' }, finish_reason: SECRET }] },
})) {
  test(`Portkey: reads ${name} of a response`, async (t) => {
    const { ask } = await open(t);
    const answer = await ask(PORTKEY, { eventType: 'afterRequestHook', response: { json } });
    assert.equal(answer.verdict, false);
  });
}

const TOKENS = [{ token: EMAIL, bytes: [...Buffer.from(EMAIL)], logprob: 0, top_logprobs: [] }];

for (const [name, answer] of Object.entries({
  'a chat completion': {
    choices: [{ message: { role: 'assistant', content: EMAIL }, logprobs: { content: TOKENS } }],
  },
  'a completion': {
    choices: [{ text: EMAIL, logprobs: { tokens: [EMAIL], token_logprobs: [0] } }],
  },
  "OpenAI's responses": {
    output: [
      { type: 'message', content: [{ type: 'output_text', text: EMAIL, logprobs: TOKENS }] },
    ],
  },
  Gemini: {
    candidates: [
      { content: { parts: [{ text: EMAIL }] }, logprobsResult: { chosenCandidates: TOKENS } },
    ],
  },
})) {
  test(`Portkey: removes the log odds of ${name} with the value that is redacted`, async (t) => {
    const { ask } = await open(t);
    const masked = await ask(PORTKEY, {
      eventType: 'afterRequestHook',
      response: { json: answer },
    });
    const text = JSON.stringify(masked.transformedData.response);
    assert.match(text, /\[EMAIL_1\]/);
    assert.doesNotMatch(text, new RegExp(`${EMAIL}|token`));
  });
}

test('agentgateway: removes the log odds with the value that is redacted', async (t) => {
  const { ask } = await open(t);
  const message = { role: 'assistant', content: EMAIL };
  const choices = [{ index: 0, message, logprobs: { content: TOKENS } }];
  const { action } = await ask(`${AGENTGATEWAY}/response`, { body: { choices } });
  assert.deepEqual(action.body.choices, [
    { index: 0, message: { role: 'assistant', content: '[EMAIL_1]' }, logprobs: null },
  ]);
});

test('LiteLLM: reads names and inputs of tool calls of every form', async (t) => {
  const { ask } = await open(t);
  for (const call of [
    { type: 'custom', custom: { name: 'f', input: SECRET } },
    { type: 'function', function: { name: SECRET, arguments: '{}' } },
    { type: 'brand_new', brand_new: { text: SECRET } },
    SECRET,
  ]) {
    const answer = await ask(LITELLM, { ...litellmAfter([BENIGN]), tool_calls: [call] });
    assert.equal(answer.action, 'BLOCKED', JSON.stringify(call));
  }
});

test("OpenAI's moderations: flag a text that a policy redacts", async (t) => {
  const { ask } = await open(t);
  const { results } = await ask(MODERATIONS, { input: [BENIGN, `I am ${EMAIL}`] });
  assert.deepEqual(
    results.map(({ flagged }: { flagged: boolean }) => flagged),
    [false, true],
  );
});

test("OpenAI's moderations: read the address of an image", async (t) => {
  const { ask } = await open(t);
  const image = { type: 'image_url', image_url: { url: `https://a.example/?q=${SECRET}` } };
  const { results } = await ask(MODERATIONS, { input: [{ type: 'text', text: BENIGN }, image] });
  assert.equal(results[0].flagged, true);
});
