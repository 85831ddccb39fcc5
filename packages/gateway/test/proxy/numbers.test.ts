import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ModelServer } from './model-server.ts';
import { MAIL, PROVIDER_KEY, providerText, startProxy } from './proxy-world.ts';

const NUMBERS = '[175928847299117063,-9223372036854775808,1.0,-0,1e400,0.1000,1E5]';
const TOOL = `{"name":"f","description":"d","input_schema":{"type":"object","properties":{"n":{"type":"integer","maximum":9223372036854775807,"multipleOf":1.0}}}}`;
const redacting = {
  models: (url: string) => `${providerText(url)}  redact: mask\n`,
};

function answerRaw(model: ModelServer, text: string, type = 'application/json'): void {
  model.answer(({ response }) => {
    response.writeHead(200, { 'content-type': type }).end(text);
    return undefined;
  });
}

describe('numbers through the model proxy', () => {
  it('a redacted request keeps all its numbers', async (t) => {
    const { model, post } = await startProxy(t, redacting);
    const message = `{"role":"user","content":"Write to ${MAIL}."}`;
    const cases = [
      [
        '/v1/chat/completions',
        `{"model":"m","temperature":1.0,"seed":9007199254740993,"messages":[${message}],"tools":[{"type":"function","function":{"name":"f","parameters":{"maximum":9223372036854775807}}}],"x":${NUMBERS}}`,
      ],
      [
        '/v1/responses',
        `{"model":"m","top_p":1.0,"input":[{"type":"function_call","call_id":"c","name":"f","arguments":"{\\"id\\":9007199254740993}"},${message}],"x":${NUMBERS}}`,
      ],
      [
        '/v1/messages',
        `{"model":"m","max_tokens":9,"temperature":1.0,"tools":[${TOOL}],"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{"v":${NUMBERS}}}]},${message}]}`,
      ],
    ] as const;
    for (const [path, body] of cases) {
      await post(path, body);
      assert.equal(model.calls.at(-1)?.text, body.replace(MAIL, '[EMAIL_1]'), path);
    }
  });

  it('a request to another model of the same provider keeps all its numbers', async (t) => {
    const { model, post } = await startProxy(t);
    const body = `{"model":"local/m","messages":[{"role":"user","content":"Hello."}],"x":${NUMBERS}}`;
    await post('/v1/chat/completions', body);
    assert.equal(model.calls.at(-1)?.text, body.replace('local/m', 'm'));
  });

  it('a whole answer keeps all its numbers, redacted or not', async (t) => {
    const { model, post } = await startProxy(t, redacting);
    const call = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Go on.' }] };
    for (const text of ['In Rome.', `Write to ${MAIL}.`]) {
      const answer = `{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"${text}"},{"type":"tool_use","id":"t","name":"f","input":{"v":${NUMBERS}}}],"stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":1.0}}`;
      answerRaw(model, answer);
      const passed = await post('/v1/messages', call);
      assert.equal(passed.text, answer.replace(MAIL, '[EMAIL_1]'));
    }
  });

  it('the proxy passes an unchanged answer on byte for byte', async (t) => {
    const { model, post } = await startProxy(t);
    const call = { model: 'm', messages: [{ role: 'user', content: 'Go on.' }] };
    const answerOf = (content: string, more = '') =>
      `{ "id": "c", "object":"chat.completion",\r\n\t"choices": [ {"index":0,"message":{"role":"assistant","content":"${content}"},"finish_reason":"stop"}]${more} }\n`;
    const escaped = answerOf('Gr\\u00fc\\u00dfe \\/ \\ud83d\\ude00');
    answerRaw(model, escaped);
    assert.equal((await post('/v1/chat/completions', call)).text, escaped);
    // A client may read the first of two members of one name, which no stage has scanned.
    answerRaw(
      model,
      answerOf('In Rome.', ',"id":"d"').replace('"role"', `"content":"${MAIL}","role"`),
    );
    const { text } = await post('/v1/chat/completions', call);
    assert.ok(!text.includes(MAIL), text);
    assert.equal(JSON.parse(text).choices[0].message.content, 'In Rome.');
    // The provider's API key in escapes.
    const key = [...PROVIDER_KEY].map((sign) => `\\u00${sign.charCodeAt(0).toString(16)}`).join('');
    answerRaw(model, answerOf('In Rome.', `, "key": "${key}"`));
    const keyed = JSON.parse((await post('/v1/chat/completions', call)).text);
    assert.ok(!JSON.stringify(keyed).includes(PROVIDER_KEY));
  });

  it('an event keeps all its numbers where its text is replaced', async (t) => {
    const { model, post } = await startProxy(t, redacting);
    const chunk = (delta: string, reason: string) =>
      `{"id":"c","created":1.0,"x":${NUMBERS},"choices":[{"index":0,"delta":${delta},"finish_reason":${reason}}]}`;
    const parts = [`{"content":"Write to ${MAIL}."}`, '{}'];
    const events = [chunk(parts[0] as string, 'null'), chunk('{}', '"stop"'), '[DONE]'];
    answerRaw(model, events.map((each) => `data: ${each}\n\n`).join(''), 'text/event-stream');
    const { text } = await post('/v1/chat/completions', {
      model: 'm',
      stream: true,
      messages: [{ role: 'user', content: 'Go on.' }],
    });
    assert.ok(text.includes('[EMAIL_1]') && !text.includes(MAIL), text);
    const sent = text.split('\n').filter((line) => line.startsWith('data: {'));
    for (const line of sent) assert.ok(line.includes(`"created":1.0,"x":${NUMBERS}`), line);
    assert.ok(sent.length > 0);
  });

  it('a card number of more digits than a double has is found as it was written', async (t) => {
    const { model, post } = await startProxy(t, redacting);
    const body = (input: string) =>
      `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Go on."},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{"card":${input}}}]},{"role":"user","content":"Now."}]}`;
    for (const number of ['6304000000000000000', '6304000000000000000.0']) {
      await post('/v1/messages', body(number));
      assert.equal(model.calls.at(-1)?.text, body('"[CREDIT_CARD_1]"'), number);
    }
  });
});
