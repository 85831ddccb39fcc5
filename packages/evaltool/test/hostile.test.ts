import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertCpuBelow, countTurns, heldBytes } from '@probity/test-support';
import { evidenceOf, readEvaluation } from '../src/index.ts';
import { flat, partsOf, result } from './fixtures.ts';

/** JSON that stands where nobody reads. */
const hostile = [
  ['U+0000 and lone surrogates', '"\\u0000 \\ud800 \\udfff"'],
  ['50,000 levels', `${'['.repeat(50_000)}1${']'.repeat(50_000)}`],
  ['50,000 levels of objects', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`],
  ['a string of 9 MB', `"${'x'.repeat(9_000_000)}"`],
  ['a number of a million digits', '9'.repeat(1_000_000)],
  ['200,000 members', `{${Array.from({ length: 200_000 }, (_, index) => `"k${index}":0`).join()}}`],
  ['a million empty arrays', `[${'[],'.repeat(1_000_000)}[]]`],
  ['100,000 escapes', `"${'\\u0041'.repeat(100_000)}"`],
  ['names of prototypes', '{"__proto__":{"version":1},"constructor":null}'],
] as const;

/** Where it stands: beside the results, and in what a reason is compared with. */
const places = [
  ['config', (text: string) => ({ config: text, vars: '{}', metadata: '{}' })],
  ['variables', (text: string) => ({ config: '{}', vars: text, metadata: '{}' })],
  ['metadata of a result', (text: string) => ({ config: '{}', vars: '{}', metadata: text })],
] as const;

for (const [title, text] of hostile) {
  for (const [place, at] of places) {
    test(`${title} in ${place} is passed over`, async () => {
      const { config, vars, metadata } = at(text);
      const failed = JSON.stringify(
        result({ success: false, gradingResult: { pass: false, reason: 'It is off the topic' } }),
      );
      const marked = failed.replace('"vars":{}', `"vars":${vars},"metadata":${metadata}`);
      assert.notEqual(marked, failed);
      const file = JSON.stringify(flat([])).replace(
        '"results":[]',
        `"config":${config},"results":[${marked}]`,
      );
      const evaluation = await readEvaluation(partsOf(file, 65_536));
      const { failures } = evidenceOf(evaluation, { organizationId: 'org_1' });
      assert.deepEqual(failures[0]?.metadata.gradingReason, 'It is off the topic');
    });
  }
}

/** Others are served in the turns of the event loop. */
async function assertTurns(least: number, bytes: Buffer): Promise<void> {
  const turns = await countTurns(() => readEvaluation([bytes]));
  assert.ok(turns >= least, `${turns} turns`);
}

test('a file of 10 MB that arrives at once leaves turns of the event loop to others', async () => {
  const text = 'Some of the words that a long answer of a model may have. '.repeat(340);
  const results = Array.from({ length: 500 }, (_, index) =>
    result({
      success: false,
      response: { output: `${text}${index}` },
      gradingResult: { pass: false, reason: `${text.slice(0, 900)} ${index}` },
    }),
  );
  const bytes = Buffer.from(JSON.stringify(flat(results)));
  assert.ok(bytes.length > 9_500_000);
  await assertTurns(20, bytes);
});

test('an error that repeats the words before a status costs no more than another', async () => {
  const results = ['HTTP Error: ', 'API Error: ', 'Error: HTTP ', 'HTTPError'].map((words) =>
    result({ success: false, failureReason: 2, error: `${words.repeat(100_000)}429` }),
  );
  const bytes = Buffer.from(JSON.stringify(flat(results)));
  await assertCpuBelow(3_000, () => readEvaluation([bytes]));
});

test('many short texts and a reason of the same words leave turns to others', async () => {
  const failed = result({
    success: false,
    vars: { words: Array.from({ length: 300_000 }, () => 'a a a') },
    gradingResult: { pass: false, reason: 'a '.repeat(2_000) },
  });
  const bytes = Buffer.from(JSON.stringify(flat([failed])));
  await assertTurns(20, bytes);
});

/** Prompts and outputs that are far longer, or slow to compare, in their folded form. */
const unfolded = [
  ['18 letters in each sign', '\ufdfa'.repeat(600_000)],
  ['marks in the wrong order', `a${'\u0301'.repeat(300_000)}${'\u0334'.repeat(300_000)}`],
  ['escapes', 'é%41&amp;'.repeat(100_000)],
] as const;

for (const [title, text] of unfolded) {
  test(`a prompt and an output with ${title} leave turns to others`, async () => {
    const failed = result({
      success: false,
      prompt: { raw: text, label: 'a name of it' },
      response: { output: text },
      gradingResult: { pass: false, reason: `It is off the tôpic ${text.slice(0, 500)}` },
    });
    const bytes = Buffer.from(JSON.stringify(flat([failed])));
    const { results } = await readEvaluation([bytes]);
    assert.match(results[0]?.gradingReason ?? '', /^It is off the tôpic …?$/);
    assert.equal(results[0]?.promptLabel, 'a name of it');
    await assertTurns(4, bytes);
  });
}

test('a reason that is longer than 65,536 units when it is folded is redacted', async () => {
  const text = '\ufdfa'.repeat(4_000);
  const failed = result({
    success: false,
    response: { output: text },
    gradingResult: { pass: false, reason: text },
  });
  const { results } = await readEvaluation([Buffer.from(JSON.stringify(flat([failed])))]);
  assert.equal(results[0]?.gradingReason, 'The reason is not kept.');
});

test('the labels of 2,000 prompts are names', async () => {
  const labels = Array.from({ length: 2_000 }, (_, index) => `${'name '.repeat(12)}${index}`);
  const each = labels.map((label) => result({ prompt: { raw: 'When is it open?', label } }));
  const { results } = await readEvaluation([Buffer.from(JSON.stringify(flat(each)))]);
  assert.deepEqual(
    results.map(({ promptLabel }) => promptLabel),
    labels,
  );
});

for (const place of ['response', 'metadata'] as const) {
  test(`a ${place} of 400,000 texts leaves turns to others, and all of them are compared`, async () => {
    const texts = Array.from({ length: 400_000 }, (_, index) => [`k${index}`, `value ${index}`]);
    const failed = result({
      success: false,
      metadata: {},
      [place]: { output: 'Nine.', ...Object.fromEntries(texts) },
      gradingResult: { pass: false, reason: 'It says value 399999 and no more' },
    });
    const bytes = Buffer.from(JSON.stringify(flat([failed])));
    const { results } = await readEvaluation([bytes]);
    assert.equal(results[0]?.gradingReason, 'It says … and no more');
    await assertTurns(30, bytes);
  });
}

test('memory does not grow with what is passed over', async () => {
  const part = Buffer.from(`"${'x'.repeat(1_000_000)}",`);
  const [before, after] = JSON.stringify(flat([result()])).split('"prompts":[]');
  let largest = 0;
  function* source() {
    yield Buffer.from(`${before}"config":[`);
    for (let count = 0; count < 300; count += 1) {
      yield part;
      if (count % 10 === 0) largest = Math.max(largest, heldBytes());
    }
    yield Buffer.from(`0],"prompts":[]${after}`);
  }
  const start = heldBytes();
  const { results } = await readEvaluation(source());
  assert.equal(results.length, 1);
  assert.ok(largest - start < 100_000_000, `${largest - start} bytes for 300 MB`);
});
