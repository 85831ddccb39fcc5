import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BENIGN, EMAIL, INJECTION, SSN } from '../world.ts';
import { AGENTGATEWAY, LITELLM, MODERATIONS, open, PORTKEY } from './doors-world.ts';
import {
  agentgatewayAnswers,
  agentgatewayMessages,
  litellmAfter,
  litellmBefore,
  portkeyAfter,
  portkeyBefore,
} from './requests.ts';

test('LiteLLM: texts pass, come back masked in their order, or are blocked with a reason', async (t) => {
  const { ask, records } = await open(t);
  assert.deepEqual(await ask(LITELLM, litellmBefore([BENIGN])), { action: 'NONE' });
  const texts = [BENIGN, `From ${EMAIL}`, `To b.lee@example.net and ${EMAIL}`];
  assert.deepEqual(await ask(LITELLM, litellmBefore(texts)), {
    action: 'GUARDRAIL_INTERVENED',
    texts: [BENIGN, 'From [EMAIL_1]', 'To [EMAIL_2] and [EMAIL_1]'],
  });
  for (const body of [litellmBefore([BENIGN, `SSN ${SSN}`]), litellmAfter([`SSN ${SSN}`])]) {
    assert.deepEqual(await ask(LITELLM, body), {
      action: 'BLOCKED',
      blocked_reason: 'pii_scanner found ssn',
    });
  }
  const [last, , , first] = await records();
  assert.deepEqual(first?.metadata, {
    gateway: 'litellm',
    litellm_call_id: 'b980db26-9512-45cc-b1da-c511a363b83f',
    litellm_trace_id: 'trace-7',
  });
  assert.deepEqual([last?.verdict, last?.findings[0]?.field], ['blocked', 'messages']);
});

test('LiteLLM: passes a request without texts, and stores no record of it', async (t) => {
  const { ask, records } = await open(t);
  for (const texts of [[], [''], null]) {
    const body = { ...litellmBefore([]), texts, tools: null };
    assert.deepEqual(await ask(LITELLM, body), { action: 'NONE' });
  }
  assert.deepEqual(await records(), []);
});

for (const role of ['user', 'system', 'developer', 'assistant', 'tool']) {
  test(`LiteLLM: blocks an injection in a message of the role ${role}`, async (t) => {
    const { ask } = await open(t);
    const answer = await ask(LITELLM, litellmBefore([INJECTION, BENIGN], [role, 'user']));
    assert.equal(answer.action, 'BLOCKED');
  });

  test(`agentgateway and Portkey: block an injection in a message of the role ${role}`, async (t) => {
    const { ask } = await open(t);
    const messages = [
      { role, content: INJECTION },
      { role: 'user', content: BENIGN },
    ];
    const { action } = await ask(`${AGENTGATEWAY}/request`, { body: { messages } });
    assert.equal(action.status_code, 403);
    const request = { json: { messages } };
    const { verdict } = await ask(PORTKEY, { eventType: 'beforeRequestHook', request });
    assert.equal(verdict, false);
  });
}

test('LiteLLM: what only the messages or the tools hold is scanned, and blocks where it would have to be masked', async (t) => {
  const { ask } = await open(t);
  const withMessages = (...messages: readonly object[]) => ({
    ...litellmBefore([BENIGN]),
    structured_messages: [{ role: 'user', content: BENIGN }, ...messages],
  });
  assert.deepEqual(await ask(LITELLM, withMessages()), { action: 'NONE' });
  for (const value of [SSN, EMAIL]) {
    const bodies = [
      withMessages({ role: 'tool', content: `Found ${value}` }),
      withMessages({ role: 'user', name: value, content: BENIGN }),
      {
        ...litellmBefore([BENIGN]),
        tools: [{ type: 'function', function: { name: 'f', description: `Asks ${value}` } }],
      },
    ];
    for (const body of bodies) {
      assert.equal((await ask(LITELLM, body)).action, 'BLOCKED', JSON.stringify(body));
    }
  }
});

test('LiteLLM: the arguments of tools are scanned, and block where they would have to be masked', async (t) => {
  const { ask } = await open(t);
  const call = (value: string) => litellmAfter([BENIGN], JSON.stringify({ to: value }));
  assert.deepEqual(await ask(LITELLM, call('a friend')), { action: 'NONE' });
  const masked = await ask(LITELLM, call(EMAIL));
  assert.equal(masked.action, 'BLOCKED');
  assert.match(masked.blocked_reason, /cannot replace/);
});

test('LiteLLM: the key may come in x-api-key, as LiteLLM sends it', async (t) => {
  const { request } = await open(t);
  const { url } = await request('POST', LITELLM, litellmBefore([BENIGN]));
  const send = (headers: Record<string, string>) =>
    fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(litellmBefore([BENIGN])),
    });
  assert.equal((await send({ 'x-api-key': 'owner' })).status, 200);
  assert.equal((await send({ 'x-api-key': 'nobody' })).status, 401);
  assert.equal((await send({})).status, 401);
  assert.equal((await send({ 'x-api-key': 'owner', Authorization: 'Bearer nobody' })).status, 401);
  assert.equal((await request('POST', LITELLM, litellmBefore([BENIGN]), 'viewer')).status, 403);
});

test('agentgateway: messages and choices pass, are masked in place, or are rejected with 403', async (t) => {
  const { ask } = await open(t);
  const request = `${AGENTGATEWAY}/request`;
  const response = `${AGENTGATEWAY}/response`;
  assert.deepEqual(await ask(request, agentgatewayMessages(['user', BENIGN])), { action: {} });
  const messages = agentgatewayMessages(
    ['system', 'You are a helpful assistant.'],
    ['user', `I am ${EMAIL}`],
    ['assistant', 'Hello!'],
  );
  assert.deepEqual(await ask(request, messages), {
    action: {
      body: {
        messages: [
          { role: 'system', content: 'You are a helpful assistant.' },
          { role: 'user', content: 'I am [EMAIL_1]' },
          { role: 'assistant', content: 'Hello!' },
        ],
      },
      reason: 'A policy redacts a part of the content.',
    },
  });
  assert.deepEqual(await ask(request, agentgatewayMessages(['user', INJECTION])), {
    action: {
      body: 'Blocked by policy: injection_scanner found prompt_injection',
      status_code: 403,
      reason: 'injection_scanner found prompt_injection',
    },
  });
  const choices = await ask(response, agentgatewayAnswers(`Ask ${EMAIL}`, BENIGN, ''));
  assert.deepEqual(
    choices.action.body.choices.map((each: { message: { content: string } }) => each.message),
    ['Ask [EMAIL_1]', BENIGN, ''].map((content) => ({ role: 'assistant', content })),
  );
  const rejected = await ask(response, agentgatewayAnswers(BENIGN, `SSN ${SSN}`));
  assert.equal(rejected.action.status_code, 403);
});

test('Portkey: the verdict is false where a policy blocks, and redaction gives back the whole body', async (t) => {
  const { ask, records } = await open(t);
  const passed = await ask(PORTKEY, portkeyBefore('Say hi', 'Say hi'));
  const [record] = await records();
  assert.deepEqual(passed, { verdict: true, data: { reason: null, scanId: record?.id } });
  assert.deepEqual(record?.metadata, {
    ...{ gateway: 'portkey', provider: 'openai', requestType: 'chatComplete' },
  });
  const parts = [
    { type: 'text', text: `I am ${EMAIL}` },
    { type: 'image_url', image_url: { url: 'https://images.example/1.png' } },
  ];
  const before = portkeyBefore(parts, `I am ${EMAIL}`);
  const masked = await ask(PORTKEY, before);
  assert.deepEqual(masked.transformedData, {
    request: {
      json: {
        ...before.request.json,
        messages: [
          before.request.json.messages[0],
          { role: 'user', content: [{ type: 'text', text: 'I am [EMAIL_1]' }, parts[1]] },
        ],
      },
      text: 'I am [EMAIL_1]',
    },
  });
  assert.equal(masked.verdict, true);
  const after = await ask(PORTKEY, portkeyAfter(`Ask ${EMAIL}`));
  const { json, text } = after.transformedData.response;
  assert.deepEqual(
    [json.choices[0].message.content, text, json.id],
    ['Ask [EMAIL_1]', 'Ask [EMAIL_1]', 'chatcmpl-1'],
  );
  const blocked = await ask(PORTKEY, portkeyAfter(`SSN ${SSN}`));
  assert.deepEqual([blocked.verdict, blocked.data.reason], [false, 'pii_scanner found ssn']);
});

test('Portkey: a streamed response is judged by its text, and fails where it would have to be masked', async (t) => {
  const { ask } = await open(t);
  assert.equal((await ask(PORTKEY, portkeyAfter(BENIGN, true))).verdict, true);
  const masked = await ask(PORTKEY, portkeyAfter(`Ask ${EMAIL}`, true));
  assert.deepEqual([masked.verdict, masked.transformedData], [false, undefined]);
  assert.match(masked.data.reason, /cannot replace/);
});

const THREAT = 'I will find you and kill you, you worthless piece of shit.';

test("OpenAI's moderations: a result of every text, with its categories and scores", async (t) => {
  const { ask, records } = await open(t);
  const { id, model, results } = await ask(MODERATIONS, {
    input: [BENIGN, THREAT, `SSN ${SSN}`],
    model: 'omni-moderation-latest',
  });
  assert.match(id, /^modr-scn_/);
  assert.equal(model, 'omni-moderation-latest');
  const [benign, threat, leak] = results;
  assert.equal(benign.flagged, false);
  assert.deepEqual(Object.values(benign.categories).filter(Boolean), []);
  assert.equal(Object.keys(benign.category_scores).length, 13);
  assert.equal(threat.flagged, true);
  const named = Object.keys(threat.categories).filter((name) => threat.categories[name]);
  assert.ok(named.length > 0 && named.every((name) => threat.category_scores[name] > 0));
  assert.deepEqual(threat.category_applied_input_types.violence, ['text']);
  assert.deepEqual(threat.category_applied_input_types.illicit, []);
  assert.deepEqual([leak.flagged, Object.values(leak.categories).some(Boolean)], [true, false]);
  assert.equal((await records()).length, 3);
  const parts = await ask(MODERATIONS, {
    input: [
      { type: 'text', text: BENIGN },
      { type: 'image_url', image_url: { url: 'https://images.example/1.png' } },
      { type: 'text', text: THREAT },
    ],
  });
  assert.deepEqual([parts.results.length, parts.results[0].flagged], [1, true]);
  assert.equal(parts.model, 'probity');
  assert.equal((await ask(MODERATIONS, { input: BENIGN })).results.length, 1);
});

test('a request of the wrong form is 422 and names its fields; unknown members are accepted', async (t) => {
  const { request } = await open(t);
  const fieldsOf = async (path: string, body: unknown) => {
    const { status, body: answer } = await request('POST', path, body);
    assert.equal(status, 422, JSON.stringify(answer));
    return answer.error.details.map(({ field }: { field: string }) => field);
  };
  assert.deepEqual(await fieldsOf(LITELLM, { texts: [1], input_type: 'both' }), [
    ...['input_type', 'texts.0'],
  ]);
  assert.deepEqual(await fieldsOf(`${AGENTGATEWAY}/request`, { body: {} }), ['body.messages']);
  assert.deepEqual(await fieldsOf(`${AGENTGATEWAY}/response`, {}), ['body']);
  assert.deepEqual(await fieldsOf(PORTKEY, { eventType: 'later' }), ['eventType']);
  assert.deepEqual(await fieldsOf(MODERATIONS, { input: 7 }), ['input']);
  assert.deepEqual(await fieldsOf(MODERATIONS, { input: [] }), ['input']);
});

test('scans of doors raise alerts and emit events as single scans do, by the policies of the caller', async (t) => {
  const { ask, listAlerts, events } = await open(t);
  await ask(LITELLM, litellmBefore([`SSN ${SSN}`]));
  const { items } = await listAlerts();
  assert.deepEqual(
    items.map(({ type, status }) => [type, status]),
    [['pii', 'open']],
  );
  assert.deepEqual(
    (await events()).map(({ type }) => type),
    ['alert.created', 'policy.violated'],
  );
});

test('an address is masked in every message, also where instructions and prompt are the same text', async (t) => {
  const { ask } = await open(t);
  const text = `Write to ${EMAIL}`;
  const masked = 'Write to [EMAIL_1]';
  const litellm = await ask(LITELLM, litellmBefore([text, text], ['system', 'user']));
  assert.deepEqual(litellm, { action: 'GUARDRAIL_INTERVENED', texts: [masked, masked] });
  const messages = agentgatewayMessages(['system', text], ['user', text]);
  const { action } = await ask(`${AGENTGATEWAY}/request`, messages);
  const contents = action.body.messages.map(({ content }: { content: string }) => content);
  assert.deepEqual(contents, [masked, masked]);
});

test('what is marked in many texts is masked in each of them, in its own place', async (t) => {
  const { ask } = await open(t);
  const texts = Array.from({ length: 300 }, (_, at) => `${at}: ask n${at}@example.org, then wait`);
  const { texts: masked } = await ask(LITELLM, litellmBefore(texts));
  const expected = texts.map((_, at) => `${at}: ask [EMAIL_${at + 1}], then wait`);
  assert.deepEqual(masked, expected);
});

test('LiteLLM and Portkey: a tag that is not an identifier is not stored', async (t) => {
  const { ask, records } = await open(t);
  const text = `My SSN is ${SSN}`;
  const ids = { litellm_call_id: text, litellm_trace_id: SSN };
  await ask(LITELLM, { ...litellmBefore([BENIGN]), ...ids });
  await ask(PORTKEY, { ...portkeyBefore('Hi', 'Hi'), provider: text, requestType: text });
  assert.deepEqual(
    (await records()).map(({ metadata }) => metadata),
    [{ gateway: 'portkey' }, { gateway: 'litellm' }],
  );
});
