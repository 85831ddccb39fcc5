import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createGuard } from '../../src/index.ts';
import { CHAT, createEventReader, writeEvent } from '../../src/protocols.ts';
import { createAnswerGuard } from '../../src/wrappers/answer-guard.ts';
import { LIMIT } from './cases.ts';
import { chunkOf, passEvents } from './pass-events.ts';

const SECRET = 'Her SSN is 536-22-8145, he says.';
const answer = (message: unknown, more: object = {}) => ({
  ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1_700_000_000, model: 'm' },
  choices: [{ index: 0, message, finish_reason: 'stop', ...more }],
});
const thinking = (text: string) => ({ type: 'thinking', thinking: [{ type: 'text', text }] });
const text = { type: 'text', text: 'Hello.' };

/** Answers as providers send them, with one text. */
const FORMS: readonly (readonly [string, (given: string) => ReturnType<typeof answer>])[] = [
  ['thinking parts', (given) => answer({ role: 'assistant', content: [thinking(given), text] })],
  [
    'a text after thinking parts',
    (given) => answer({ role: 'assistant', content: [thinking('So.'), { ...text, text: given }] }),
  ],
  ['a message without a role', (content) => answer({ content })],
  ['a role that is null', (content) => answer({ role: null, content })],
  ['an empty role', (content) => answer({ role: '', content })],
  ['the role of another interface', (content) => answer({ role: 'model', content })],
  [
    'a message that is null',
    (severity) =>
      answer(null, { finish_reason: 'content_filter', content_filter_results: { severity } }),
  ],
  [
    'reasoning next to the content',
    (reasoning_content) => answer({ role: 'assistant', content: 'Hi', reasoning_content }),
  ],
  [
    'details of reasoning',
    (given) =>
      answer({
        ...{ role: 'assistant', content: 'Hi', reasoning: given },
        reasoning_details: [{ type: 'reasoning.text', text: given, index: 0 }],
      }),
  ],
];

async function passWhole(given: object) {
  const asked = [{ role: 'user', content: 'Hi.' }];
  const { checkAnswer } = createAnswerGuard('test', { guard: createGuard() }).open(asked);
  return CHAT.checkAnswer(given as Readonly<Record<string, unknown>>, checkAnswer);
}

describe('answers in the forms of providers', LIMIT, () => {
  for (const [name, write] of FORMS) {
    it(`an answer passes unchanged with ${name}`, async () => {
      const given = write('A harmless text.');
      assert.deepEqual(await passWhole(given), given);
    });

    it(`the guard scans an answer with ${name}`, async () => {
      await assert.rejects(passWhole(write(SECRET)), /pii_scanner found ssn/);
    });
  }

  it('a stream passes thinking parts unchanged and scans them', async () => {
    const event = (given: string) => chunkOf({ content: [thinking(given)] });
    assert.deepEqual(await passEvents(CHAT, [event('So.')]), [event('So.')]);
    await assert.rejects(passEvents(CHAT, [event(SECRET)]), /pii_scanner found ssn/);
  });
});

describe('lines of server-sent events', LIMIT, () => {
  it('an event keeps the line separators of Unicode in its data', () => {
    const event = { event: '', data: '{"a":"one\u2028two\u2029three\u0085four"}' };
    assert.equal(writeEvent(event), `data: ${event.data}\n\n`);
    assert.deepEqual(createEventReader().feed(writeEvent(event)), [event]);
    assert.equal(writeEvent({ event: 'x', data: 'a\nb' }), 'event: x\ndata: a\ndata: b\n\n');
  });
});
