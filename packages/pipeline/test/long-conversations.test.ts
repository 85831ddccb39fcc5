import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countTurns } from '@probity/test-support';
import { createPipeline, createRedactor } from '../src/index.ts';
import { toExchanges } from '../src/messages/exchanges.ts';
import { mapMessages } from '../src/messages/map-messages.ts';
import { messageFaults } from '../src/messages/message-faults.ts';
import type { MessageText } from '../src/messages/message-place.ts';
import { noteNumbers, writeJsonInTurns } from '../src/messages/number-texts.ts';
import { restoreWith } from '../src/messages/restore-messages.ts';
import { readLastTurn, scanMessages } from '../src/messages/scan-messages.ts';
import { runAtOnce } from '../src/messages/steps.ts';
import { refuseForm } from '../src/messages/text-path.ts';

const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, city: 'Berlin', isOpen: true }));
const user = { role: 'user', content: 'Which ones are open?' };
const CONVERSATIONS: Readonly<Record<string, readonly object[]>> = {
  'many messages': Array.from({ length: 60_000 }, (_, at) => ({
    ...{ role: at % 2 ? 'assistant' : 'user', content: `Message ${at} about the museum` },
  })),
  'a long result of a tool': [user, { role: 'tool', content: JSON.stringify(rows) }],
  'a long value in a part': [
    user,
    { role: 'user', content: [{ type: 'tool_result', content: [{ type: 'json', value: rows }] }] },
  ],
};

/** Reads a conversation without a turn of the event loop. */
async function readAtOnce(messages: readonly object[]): Promise<void> {
  const texts: MessageText[] = [];
  const visitor = {
    replace(text: MessageText) {
      texts.push(text);
      return text.text;
    },
    skip: () => {},
    refuse: refuseForm,
  };
  runAtOnce(mapMessages(messages, visitor));
  runAtOnce(toExchanges(texts, []));
}

for (const [name, messages] of Object.entries(CONVERSATIONS)) {
  test(`a conversation with ${name} is checked, restored and read for a stream in many turns`, async () => {
    const redactor = createRedactor({ style: 'token' });
    for (const work of [
      () => messageFaults(messages),
      () => restoreWith(redactor.restorer(), messages),
      () => readLastTurn(messages),
    ]) {
      const turns = await countTurns(work);
      assert.ok(turns >= 3, `${work} ${turns} turns`);
    }
  });

  test(`a conversation with ${name} is read in many turns of the event loop`, async () => {
    const result = await createPipeline({ stages: [] }).scan({ response: '' });
    const scan = async () => result;
    assert.ok((await countTurns(() => readAtOnce(messages))) <= 1);
    const turns = await countTurns(() => scanMessages({ messages }, scan));
    assert.ok(turns >= 5, `${turns} turns`);
  });
}

test('the numbers of a body of 10 MiB are noted in many turns of the event loop', async () => {
  const source = `[${'9007199254740993,'.repeat(600_000)}1]`;
  const value: unknown = JSON.parse(source);
  const turns = await countTurns(() => noteNumbers(value, source));
  assert.ok(turns >= 5, `${turns} turns`);
});

test('the numbers of a body of 10 MiB without long ones are looked at in many turns', async () => {
  const source = `[${'0.0123456789,'.repeat(800_000)}1]`;
  const value: unknown = JSON.parse(source);
  const turns = await countTurns(() => noteNumbers(value, source));
  assert.ok(turns >= 5, `${turns} turns`);
});

test('JSON of 10 MiB is written with its long numbers in many turns of the event loop', async () => {
  const source = `[${'9007199254740993,'.repeat(600_000)}1]`;
  const value: unknown = JSON.parse(source);
  await noteNumbers(value, source);
  let written = '';
  const turns = await countTurns(async () => {
    written = await writeJsonInTurns(value);
  });
  assert.ok(turns >= 5, `${turns} turns`);
  assert.ok(written === source);
});
