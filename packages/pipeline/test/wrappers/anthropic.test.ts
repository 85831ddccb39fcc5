import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { messageAnswer, messageEvents } from '@probity/test-support';
import fc from 'fast-check';
import { createRedactor } from '../../src/index.ts';
import { createGuardedFetch, guardAnthropic } from '../../src/wrappers/anthropic.ts';
import { ANSWER, BLOCKING, guard, LIMIT, MAIL, REDACTED } from './cases.ts';
import type { VendorAnswer, VendorServer } from './vendor-server.ts';
import { inTokens, startVendor } from './vendor-server.ts';

const ASKED = [{ role: 'user' as const, content: `I am ${MAIL}. Where is my parcel?` }];
const CALL = { model: 'm', max_tokens: 100, messages: ASKED };
const BLOCKED = { name: 'BlockedError', message: /^blocked: pii_scanner found .*ssn/ };
const INPUT = JSON.stringify({ to: MAIL, text: 'a "b"\n' });

const texts = (text: string) => inTokens(text).map((part) => ({ type: 'text_delta', text: part }));
const thoughts = (text: string) =>
  inTokens(text).map((thinking) => ({ type: 'thinking_delta', thinking }));
const inputs = (text: string) =>
  inTokens(text).map((partial_json) => ({ type: 'input_json_delta', partial_json }));
const TEXT = { type: 'text', text: '' };
const THINKING = { type: 'thinking', thinking: '', signature: '' };
const TOOL = { type: 'tool_use', id: 't1', name: 'find', input: {} };
const SIGNED = { type: 'signature_delta', signature: 'c2lnbmVk' };

let vendor: VendorServer | undefined;

describe('guardAnthropic', LIMIT, () => {
  afterEach(async () => vendor?.close());

  async function open(answer: VendorAnswer, more = {}) {
    vendor = await startVendor(() => answer);
    const baseURL = vendor.url.replace(/\/v1$/, '');
    const client = new Anthropic({ apiKey: 'k', baseURL, maxRetries: 2 });
    return { client: guardAnthropic(client, { guard, maxWork: 4, ...more }), vendor };
  }

  it('a guarded Anthropic client redacts messages and what it sends', async () => {
    const { client, vendor } = await open(
      messageAnswer(
        { type: 'thinking', thinking: `They gave ${MAIL}.`, signature: 'c2lnbmVk' },
        { type: 'text', text: ANSWER, citations: [{ type: 'char_location', cited_text: MAIL }] },
        { ...TOOL, input: { to: MAIL } },
      ),
    );
    const answer = await client.messages.create({
      ...CALL,
      system: [{ type: 'text', text: `Answer ${MAIL}.`, cache_control: { type: 'ephemeral' } }],
      tools: [
        {
          name: 'find',
          description: `Finds "${MAIL}"`,
          input_schema: { type: 'object', properties: {} },
        },
      ],
      messages: [
        ...ASKED,
        { role: 'assistant', content: [{ ...TOOL, type: 'tool_use', input: { to: MAIL } }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: MAIL }] },
          ],
        },
      ],
    });
    const [sent] = vendor.bodies;
    assert.ok(!JSON.stringify(sent).includes(MAIL), JSON.stringify(sent));
    assert.deepEqual(sent.system, [
      { type: 'text', text: 'Answer [EMAIL_1].', cache_control: { type: 'ephemeral' } },
    ]);
    assert.equal(sent.tools[0].description, 'Finds "[EMAIL_1]"');
    assert.equal(sent.messages[0].content, 'I am [EMAIL_1]. Where is my parcel?');
    assert.deepEqual(sent.messages[1].content[0].input, { to: '[EMAIL_1]' });
    assert.deepEqual([sent.model, sent.max_tokens, sent.messages.length], ['m', 100, 3]);
    const [thinking, text, tool] = answer.content;
    assert.ok(!JSON.stringify(answer).includes(MAIL), JSON.stringify(answer));
    assert.deepEqual(thinking, {
      type: 'thinking',
      thinking: 'They gave [EMAIL_1].',
      signature: '',
    });
    assert.equal(text?.type === 'text' && text.text, REDACTED);
    assert.deepEqual(tool?.type === 'tool_use' && tool.input, { to: '[EMAIL_1]' });
  });

  it('a guarded Anthropic client sends a harmless call and gives its answer as they are', async () => {
    const content = [
      { type: 'thinking', thinking: 'Easy.', signature: 'c2lnbmVk' },
      { type: 'redacted_thinking', data: 'b3BhcXVl' },
      { type: 'text', text: 'It is on its way.', citations: null },
    ];
    const { client, vendor } = await open(messageAnswer(...content));
    const call = {
      ...CALL,
      system: 'Be brief.',
      messages: [{ role: 'user' as const, content: 'Hi' }],
    };
    assert.deepEqual((await client.messages.create(call)).content, content);
    assert.deepEqual(vendor.bodies[0], call);
    await client.messages.countTokens({ model: 'm', messages: ASKED }).catch(() => {});
    assert.equal(vendor.bodies[1].messages[0].content, 'I am [EMAIL_1]. Where is my parcel?');
  });

  it('a guarded Anthropic client never sends a blocked prompt, and rejects a blocked answer once', async () => {
    const { client, vendor } = await open(messageAnswer({ type: 'text', text: BLOCKING }));
    const ask = (more: object) => client.messages.create({ ...CALL, ...more } as typeof CALL);
    for (const more of [
      { messages: [{ role: 'user', content: BLOCKING }] },
      { system: BLOCKING },
      { messages: [...ASKED, { role: 'assistant', content: BLOCKING }, ...ASKED] },
      { tools: [{ name: 'f', description: BLOCKING, input_schema: { type: 'object' } }] },
    ]) {
      await assert.rejects(ask(more), BLOCKED);
    }
    assert.equal(vendor.bodies.length, 0);
    await assert.rejects(ask({}), BLOCKED);
    assert.equal(vendor.bodies.length, 1);
    await assert.rejects(ask({ messages: [{ role: 'user', content: 7 }] }), { status: 400 });
  });

  it('a guarded Anthropic client redacts every block of a stream, and passes its text on as it comes', async () => {
    const { client } = await open(
      messageEvents([
        [THINKING, [...thoughts(`They gave ${MAIL}.`), SIGNED]],
        [TEXT, [...texts(ANSWER), { type: 'citations_delta', citation: { cited_text: MAIL } }]],
        [TOOL, inputs(INPUT)],
      ]),
    );
    const parts: string[] = [];
    const stream = client.messages.stream(CALL).on('text', (text) => parts.push(text));
    const { content, stop_reason } = await stream.finalMessage();
    assert.ok(!JSON.stringify(content).includes(MAIL), JSON.stringify(content));
    const [thinking, text, tool] = content;
    assert.deepEqual(thinking, {
      type: 'thinking',
      thinking: 'They gave [EMAIL_1].',
      signature: '',
    });
    assert.equal(text?.type === 'text' && text.text, REDACTED);
    assert.ok(parts.length > 3, String(parts.length));
    const input = { to: '[EMAIL_1]', text: 'a "b"\n' };
    assert.deepEqual(tool?.type === 'tool_use' && [tool.name, tool.input], ['find', input]);
    assert.equal(stop_reason, 'end_turn');
  });

  it('a guarded Anthropic client gives a harmless stream as it is, with its signature', async () => {
    const { client } = await open(
      messageEvents([
        [THINKING, [...thoughts('Easy.'), SIGNED]],
        [{ ...TEXT, text: 'Well, ' }, texts('it is on its way. 😀')],
        [TOOL, []],
      ]),
    );
    const { content } = await client.messages.stream(CALL).finalMessage();
    assert.deepEqual(content, [
      { type: 'thinking', thinking: 'Easy.', signature: 'c2lnbmVk' },
      { type: 'text', text: 'Well, it is on its way. 😀' },
      TOOL,
    ]);
  });

  it('a guarded Anthropic client ends a blocked stream, with nothing of the finding', async () => {
    const ssn = '536-22-8145';
    for (const block of [
      [TEXT, texts(BLOCKING)],
      [THINKING, thoughts(BLOCKING)],
      [TOOL, inputs(JSON.stringify({ ssn }))],
      [TOOL, inputs(`{"ssn":"\\u0035${ssn.slice(1)}"}`)],
      [{ ...TEXT, text: BLOCKING }, []],
      [{ ...TOOL, input: { ssn } }, []],
      [TEXT, [{ type: 'citations_delta', citation: { cited_text: `SSN ${ssn}` } }]],
      [TEXT, [{ type: 'later_delta', note: `SSN ${ssn}` }]],
    ] as const) {
      const { client } = await open(messageEvents([block]));
      let given = '';
      await assert.rejects(async () => {
        const stream = await client.messages.create({ ...CALL, stream: true });
        for await (const event of stream) given += JSON.stringify(event);
      }, BLOCKED);
      assert.ok(!given.includes('536') && !given.includes('u0035'), given);
      await vendor?.close();
    }
  });

  it('nothing of a finding is passed on, at whatever bytes a stream is cut', async () => {
    const events = messageEvents([
      [TEXT, texts(`é ${ANSWER}`)],
      [TOOL, inputs(INPUT)],
    ]);
    const bytes = Buffer.from(events.join(''));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 40 }), async (places) => {
        const at = [0, ...places.sort((a, b) => a - b), bytes.length];
        const parts = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
        const fetch = async () =>
          new Response(ReadableStream.from(parts.map((part) => new Uint8Array(part))), {
            headers: { 'content-type': 'text/event-stream' },
          });
        const guarded = createGuardedFetch({ guard, fetch });
        const body = JSON.stringify(CALL);
        const response = await guarded('http://v/v1/messages', { method: 'POST', body });
        const given = await response.text();
        assert.ok(!given.includes('jane'), given);
        assert.equal(given.match(/\[EMAIL_1\]/g)?.length, 2);
      }),
      { numRuns: 30 },
    );
  });

  it('values of the request come back in the answer, and the model sees none of them', async () => {
    const redactor = createRedactor({ style: 'token', key: new Uint8Array(32) });
    const own = 'carl@example.com';
    for (const isStream of [false, true]) {
      let token = '';
      vendor = await startVendor(() => {
        token = /\[EMAIL_\w+\]/.exec(vendor?.bodies.at(-1).messages[0].content)?.[0] ?? '';
        const thinking = `They are ${token}.`;
        const text = `Mail ${token}, not ${own}.`;
        const input = { to: token.toLowerCase(), text: 'a "b"' };
        return isStream
          ? messageEvents([
              [THINKING, [...thoughts(thinking), SIGNED]],
              [TEXT, texts(text)],
              [TOOL, inputs(JSON.stringify(input))],
            ])
          : messageAnswer(
              { ...THINKING, thinking, signature: SIGNED.signature },
              { ...TEXT, text },
              { ...TOOL, input },
            );
      });
      const baseURL = vendor.url.replace(/\/v1$/, '');
      const plain = new Anthropic({ apiKey: 'k', baseURL });
      const client = guardAnthropic(plain, { guard, redactor, restore: true });
      const { content } = isStream
        ? await client.messages.stream(CALL).finalMessage()
        : await client.messages.create(CALL);
      const [thinking, text, tool] = content;
      assert.match(token, /^\[EMAIL_/);
      assert.deepEqual(thinking, {
        ...{ type: 'thinking', thinking: `They are ${MAIL}.`, signature: 'c2lnbmVk' },
      });
      assert.match(
        text?.type === 'text' ? text.text : '',
        /^Mail jane@example\.org, not \[EMAIL_[A-Z]{10}\]\.$/,
      );
      assert.deepEqual(tool?.type === 'tool_use' && tool.input, { to: MAIL, text: 'a "b"' });
      // The next turn: the model reads the same tokens, and the reasoning that it signed.
      await client.messages.create({
        ...CALL,
        messages: [...ASKED, { role: 'assistant', content }, ...ASKED],
      });
      const [first, said] = vendor.bodies.at(-1).messages;
      assert.equal(first.content, `I am ${token}. Where is my parcel?`);
      assert.equal(said.content[0].thinking, `They are ${token}.`);
      assert.equal(said.content[0].signature, 'c2lnbmVk');
      await vendor.close();
    }
  });

  it('what is no client of the package, and what is no redactor that restores, is refused', () => {
    assert.throws(
      () => guardAnthropic({} as never),
      /expected a client of the package @anthropic-ai/,
    );
    const client = new Anthropic({ apiKey: 'k' });
    const redactor = { redact: (text: string) => text, seal: () => '' };
    assert.throws(
      () => guardAnthropic(client, { redactor, restore: true }),
      /restore needs a redactor/,
    );
    assert.throws(
      () => guardAnthropic(client, { restore: 1 as never }),
      /restore must be true or false/,
    );
  });
});
