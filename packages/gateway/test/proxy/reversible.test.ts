import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  chatAnswer,
  chatEvents,
  createTestClock,
  deltasOf,
  inDeltas,
  messageAnswer,
  messageEvents,
  TEXT_BLOCK,
  TOOL_BLOCK,
} from '@probity/test-support';
import fc from 'fast-check';
import type { SentCall } from './model-server.ts';
import { LONG, MAIL, providerText, SSN, startProxy } from './proxy-world.ts';

const OTHER = 'bob@example.net';
const OWN = 'carl@example.com';
const REVERSIBLE = {
  models: (url: string) => providerText(url).replace('models:', 'models:\n  redact: reversible'),
};
const TOKEN = /\[EMAIL_[A-Z]{10}\]/g;
const user = (content: string) => ({ role: 'user', content }) as const;

const tokensIn = (call: SentCall | undefined) => call?.text.match(TOKEN) ?? [];

describe('models.redact: reversible', () => {
  it('the model sees tokens and the client values, in a chat completion and its tool calls', async (t) => {
    const { client, model } = await startProxy(t, REVERSIBLE);
    model.answer((call) => {
      const [token = ''] = tokensIn(call);
      const args = JSON.stringify({ to: token, text: 'a "b"\n' });
      const tool = { id: 'c1', type: 'function', function: { name: 'f', arguments: args } };
      return chatAnswer({ content: `To ${token}, not ${OWN}.`, tool_calls: [tool] });
    });
    const messages = [user(`I am ${MAIL} with SSN ${SSN}.`)];
    const { choices } = await client.chat.completions.create({ model: 'm', messages });
    const [sent] = model.calls;
    assert.ok(!sent?.text.includes(MAIL) && !sent?.text.includes(SSN), sent?.text);
    const message = choices[0]?.message;
    assert.match(message?.content ?? '', /^To jane@example\.org, not \[EMAIL_[A-Z]{10}\]\.$/);
    const [call] = message?.tool_calls ?? [];
    const args = JSON.parse((call?.type === 'function' && call.function.arguments) || '');
    assert.deepEqual(args, { to: MAIL, text: 'a "b"\n' });
  });

  it('a token that is cut anywhere comes back in streams of chat completions and messages', async (t) => {
    const { post, model } = await startProxy(t, REVERSIBLE);
    const place = fc.integer({ min: 1, max: 30 });
    const run = fc.asyncProperty(place, fc.boolean(), async (length, isBracketed) => {
      model.answer((call) => {
        const [found = ''] = tokensIn(call);
        const token = isBracketed ? found : found.slice(1, -1).toLowerCase();
        const text = `${LONG}Write to ${token}. ${LONG}`;
        const args = JSON.stringify({ to: token });
        if (call.path === '/v1/messages') {
          return messageEvents([
            [TEXT_BLOCK, deltasOf('text_delta', 'text', text, length)],
            [TOOL_BLOCK, deltasOf('input_json_delta', 'partial_json', args, length)],
          ]);
        }
        const calls = deltasOf('', 'arguments', args, length).map((part, at) => ({
          tool_calls: [{ index: 0, ...(at === 0 && { id: 'c1' }), function: part }],
        }));
        return chatEvents([...inDeltas(text, length), ...calls]);
      });
      for (const path of ['/v1/chat/completions', '/v1/messages']) {
        const body = { model: 'm', max_tokens: 9, messages: [user(`I am ${MAIL}.`)], stream: true };
        const { text } = await post(path, body);
        const events = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) =>
          JSON.parse(data),
        );
        const texts = events.map(
          ({ choices, delta }) => choices?.[0]?.delta.content ?? delta?.text ?? '',
        );
        const inputs = events.map(
          ({ choices, delta }) =>
            choices?.[0]?.delta.tool_calls?.[0]?.function.arguments ?? delta?.partial_json ?? '',
        );
        assert.equal(texts.join(''), `${LONG}Write to ${MAIL}. ${LONG}`);
        assert.equal(inputs.join(''), JSON.stringify({ to: MAIL }));
        assert.ok(!model.calls.at(-1)?.text.includes(MAIL));
      }
    });
    await fc.assert(run, { numRuns: 25 });
  });

  it('values come back in messages and responses, in their tool calls too', async (t) => {
    const { post, model } = await startProxy(t, REVERSIBLE);
    model.answer((call) => {
      const [token = ''] = tokensIn(call);
      if (call.path === '/v1/messages') {
        const tool = { ...TOOL_BLOCK, input: { to: token } };
        return messageAnswer({ ...TEXT_BLOCK, text: `To ${token}.` }, tool);
      }
      const content = [{ type: 'output_text', text: `To ${token}.`, annotations: [] }];
      const tool = { type: 'function_call', name: 'f', arguments: JSON.stringify({ to: token }) };
      return { id: 'r', output: [{ type: 'message', role: 'assistant', content }, tool] };
    });
    const text = `I am ${MAIL}.`;
    const messages = await post('/v1/messages', {
      model: 'm',
      max_tokens: 9,
      messages: [user(text)],
    });
    const responses = await post('/v1/responses', { model: 'm', input: text });
    for (const { status, text: answer } of [messages, responses]) {
      assert.equal(status, 200, answer);
      assert.equal(answer.split(MAIL).length, 3, answer);
      assert.ok(!TOKEN.test(answer), answer);
    }
    assert.ok(model.calls.every((call) => !call.text.includes(MAIL)));
  });

  it('tokens in arguments of tools come back when a model escapes, encodes or wraps them', async (t) => {
    const { post, model } = await startProxy(t, REVERSIBLE);
    const writings: readonly [string, (token: string) => string, string][] = [
      ['escaped', (token) => token.replace(/[[\]_]/g, '\\$&'), MAIL],
      ['percent-encoded', (token) => encodeURIComponent(token), encodeURIComponent(MAIL)],
      ['wrapped', (token) => token.replace('_', '_\n'), MAIL],
    ];
    for (const [name, write, value] of writings) {
      for (const stream of [false, true]) {
        model.answer((call) => {
          const given = JSON.stringify({ to: write(tokensIn(call)[0] ?? ''), cc: [1.5] });
          const tool = { id: 'c1', type: 'function', function: { name: 'mail', arguments: given } };
          return stream
            ? chatEvents([{ tool_calls: [{ index: 0, ...tool }] }], 'tool_calls')
            : chatAnswer({ content: null, tool_calls: [tool] });
        });
        const { text } = await post(PATH, { model: 'm', messages: [user(`mail ${MAIL}`)], stream });
        const [, args = ''] = /"arguments":("(?:[^"\\]|\\.)*")/.exec(text) ?? [];
        assert.deepEqual(
          JSON.parse(JSON.parse(args)),
          { to: value, cc: [1.5] },
          `${name} ${stream}`,
        );
      }
    }
  });

  it('a value has the same token at each turn of a conversation, and another one in others', async (t) => {
    const clock = createTestClock();
    const { client, model, world } = await startProxy(t, { ...REVERSIBLE, clock });
    const ask = async (texts: readonly string[], apiKey = world.token) => {
      const messages = texts.map((content, at) => ({
        role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
        content,
      }));
      const headers = { authorization: `Bearer ${apiKey}` };
      await client.chat.completions.create({ model: 'm', messages }, { headers });
      return tokensIn(model.calls.at(-1));
    };
    const [first] = await ask([`I am ${MAIL}.`]);
    assert.deepEqual(await ask([`I am ${MAIL}.`]), [first]);
    const turns = await ask([`I am ${MAIL}.`, `Hello ${MAIL}.`, `And ${OTHER}, not ${MAIL}.`]);
    assert.deepEqual([turns[0], turns[1], turns[3]], [first, first, first]);
    assert.notEqual(turns[2], first);
    assert.notEqual((await ask([`It is ${MAIL}.`]))[0], first);
    const other = world.addKey({ name: 'other' });
    await clock.advance(2_000);
    assert.notEqual((await ask([`I am ${MAIL}.`], other))[0], first);
  });

  it('a model that makes up a token, or repeats one of another request, gives nothing away', async (t) => {
    const { client, model } = await startProxy(t, REVERSIBLE);
    const ask = async (content: string) => {
      const messages = [user(content)];
      const { choices } = await client.chat.completions.create({ model: 'm', messages });
      return choices[0]?.message.content;
    };
    await ask(`I am ${MAIL}.`);
    const [token = ''] = tokensIn(model.calls[0]);
    const said = `${token} [EMAIL_1] [EMAIL_BCDFGHJKLM]`;
    model.answer(() => chatAnswer(said));
    assert.equal(await ask(`I am ${OTHER}.`), said);
    assert.equal(await ask(`Who is ${token}?`), said);
  });

  it('mask replaces personal data both ways, and off blocks it', async (t) => {
    const mask = (url: string) => providerText(url).replace('models:', 'models:\n  redact: mask');
    const { client, model } = await startProxy(t, { models: mask });
    model.answer(() => chatAnswer(`Her SSN is 219-09-1111, his ${SSN}.`));
    const call = { model: 'm', messages: [user(`His SSN is ${SSN}.`)] };
    const { choices } = await client.chat.completions.create(call);
    assert.equal(model.calls[0]?.body.messages[0].content, 'His SSN is [SSN_1].');
    assert.equal(choices[0]?.message.content, 'Her SSN is [SSN_2], his [SSN_1].');
    const off = await startProxy(t);
    await assert.rejects(off.client.chat.completions.create(call), { status: 403 });
  });

  it('an answer with tokens is judged as it is with their values: what the conversation has is supported', async (t) => {
    // Between the scores of the two answers: one has a recipient that the conversation does not have.
    const blocks = 'stage_config: {hallucination_detector: {action: block, threshold: 0.3}}\n';
    const { post, model } = await startProxy(t, { ...REVERSIBLE, text: blocks });
    const off = await startProxy(t, {
      text: `${blocks}scanning: {thresholds: {pii_risk: 1}}\n`,
    });
    const args = JSON.stringify({ to: MAIL });
    const tool = { id: 'c1', type: 'function', function: { name: 'mail', arguments: args } };
    const messages = [
      user(`mail ${MAIL} that the order is late`),
      { role: 'assistant', content: null, tool_calls: [tool] },
      { role: 'tool', tool_call_id: 'c1', content: `sent to ${MAIL}` },
    ];
    const said = (to: string) => `Done, I have sent the mail to ${to}.`;
    for (const stream of [false, true]) {
      const body = { model: 'm', messages, stream };
      const answer = (text: string) => (stream ? chatEvents(inDeltas(text)) : chatAnswer(text));
      model.answer((call) => answer(said(tokensIn(call)[0] ?? '')));
      const { status, text } = await post(PATH, body);
      assert.equal(status, 200, text);
      assert.match(textOf(text), new RegExp(`sent the mail to ${MAIL}\\.$`));
      // The same answer with the value is what a model without tokens would give.
      off.model.answer(() => answer(said(MAIL)));
      const plain = await off.post(PATH, body);
      assert.equal(textOf(plain.text), textOf(text));
      // What the conversation does not have is unsupported with tokens and without.
      for (const proxy of [{ post, model }, off]) {
        proxy.model.answer(() => answer(said('[EMAIL_BCDFGHJKLM]')));
        const { text: refused } = await proxy.post(PATH, body);
        assert.match(refused, /probity_blocked/);
      }
    }
  });
});

const PATH = '/v1/chat/completions';

/** The text of a chat completion, whole or in events. */
function textOf(answer: string): string {
  const parts = answer.startsWith('{')
    ? [answer]
    : [...answer.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => data);
  return parts
    .flatMap((part) => JSON.parse(part).choices ?? [])
    .map(({ message, delta }) => (message ?? delta).content ?? '')
    .join('');
}
