import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertCpuBelow } from '@probity/test-support';
import { roundsOf } from '@probity/test-support/combinations';
import fc from 'fast-check';
import { redactReason } from '../src/redaction/reason.ts';
import type { Steps } from '../src/steps.ts';
import type { Json } from './fixtures.ts';
import { failing, flat, graded, read, result } from './fixtures.ts';

function runAll<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

const redact = (reason: string, texts: readonly string[] | null) =>
  runAll(redactReason(reason, texts));

const OUTPUT = 'The library opens at half past nine';

const reasons = [
  ['Levenshtein distance 20 is greater than threshold 3', null],
  ['Expected output to be valid JSON', null],
  ['Custom function returned false\n0.41', null],
  [`Expected output "${OUTPUT}" to equal "ten"`, 'Expected output … to equal …'],
  [`The reply says: ${OUTPUT}.`, 'The reply says: ….'],
  ['It opens at half past nine, which is wrong', 'It…, which is wrong'],
  ['An answer "with an open quote', 'An answer …'],
  ['He “quoted” it', 'He … it'],
  ['Wrong: tardy', 'Wrong: …'],
  ['Wrong: tardyx', null],
] as const;

for (const [reason, kept] of reasons) {
  test(`of the reason ${JSON.stringify(reason)} is kept ${JSON.stringify(kept ?? reason)}`, () => {
    assert.equal(redact(reason, [OUTPUT, 'tardy']), kept ?? reason);
  });
}

test('without the texts only reasons in words of the tool are kept', () => {
  assert.equal(redact('The reply mentions Jane', null), null);
  assert.equal(
    redact('Similarity 0.41 is less than threshold 0.8', null),
    'Similarity 0.41 is less than threshold 0.8',
  );
  assert.equal(
    redact(`Expected output "${OUTPUT}" to equal "x"`, null),
    'Expected output … to equal …',
  );
  assert.equal(redact('Expected output to be valid JSON and Jane', null), null);
});

test('a reason of which nothing is left is not kept', () => {
  assert.equal(redact(OUTPUT, [OUTPUT]), null);
  assert.equal(redact('"all of it"', []), null);
});

test('no part of eight units that a text shares remains, and nothing is lost without one', () => {
  const word = fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' });
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 6 }),
      fc.array(word, { maxLength: 6 }),
      (parts, texts) => {
        const reason = parts.join(' ');
        const kept = redact(reason, texts) ?? '';
        for (const text of texts) {
          for (let at = 0; at + 8 <= text.length; at += 1) {
            assert.ok(!kept.includes(text.slice(at, at + 8)));
          }
        }
        assert.equal(redact(kept, []) ?? '', kept, 'redacting twice changes nothing');
      },
    ),
    { numRuns: roundsOf(300) },
  );
});

test('a long text is compared in steps, across which nothing is missed', () => {
  const text = `${'x'.repeat(65_532)}SECRETWORD${'y'.repeat(65_536)}`;
  assert.equal(redact('it said SECRETWORD again', [text]), 'it said … again');
  let steps = 0;
  const run = redactReason('it said nothing', [text]);
  while (!run.next().done) steps += 1;
  assert.ok(steps >= 2);
});

test('reasons are cut, and control characters and lone surrogates are left out', () => {
  const kept = redact(`a\u0000b\ud800 ${'z '.repeat(3_000)}`, []) ?? '';
  assert.ok(kept.length <= 1_000);
  assert.ok(kept.isWellFormed());
  assert.doesNotMatch(kept, /\p{Cc}/u);
});

const labels = [
  ['a name', { label: 'greeting v2' }, 'greeting v2'],
  ['the template', { label: 'Tell me {{q}}' }, 'prompt-a1b2c3d4e5f6'],
  ['the prompt itself', { label: 'Please tell me when the library opens' }, 'prompt-a1b2c3d4e5f6'],
  [
    'a path with the prompt',
    { label: 'p.txt: Please tell me when the library' },
    'prompt-a1b2c3d4e5f6',
  ],
  ['several lines', { label: 'one\ntwo' }, 'prompt-a1b2c3d4e5f6'],
  ['121 characters', { label: 'x'.repeat(121) }, 'prompt-a1b2c3d4e5f6'],
  ['a lone surrogate', { label: 'x\ud800' }, 'prompt-a1b2c3d4e5f6'],
  ['no label', { label: undefined }, 'prompt-a1b2c3d4e5f6'],
  ['a stripped prompt', { label: 'name', raw: '[prompt stripped]' }, 'prompt-a1b2c3d4e5f6'],
] as const;

for (const [title, prompt, expected] of labels) {
  test(`a prompt label that is ${title} becomes ${expected}`, async () => {
    const raw = 'Please tell me when the library opens';
    const evaluation = await read(flat([failing('contains', { prompt: { raw, ...prompt } })]));
    assert.equal(evaluation.results[0]?.promptLabel, expected);
  });
}

test('numbers, names of members and whatever the answer or the assertion has besides are removed', async () => {
  const reason =
    'Ann Lee-Quirke has 4111222233334444, thinks of tulips at dawn, as roses at dusk say';
  const failed = failing('llm-rubric', {
    vars: { 'Ann Lee-Quirke': true },
    response: { output: { card: 4111222233334444 }, reasoning: 'tulips at dawn' },
    gradingResult: {
      pass: false,
      reason,
      componentResults: [
        { pass: false, assertion: { type: 'llm-rubric', rubricPrompt: ['roses at dusk'] } },
      ],
    },
  });
  const { results } = await read(flat([failed]));
  assert.equal(results[0]?.gradingReason, '… has …, thinks of …, as … say');
});

test('names of members of a response, of metadata and of an assertion are compared as well', async () => {
  const reason = 'She is Ann Lee-Quirke of Hill Road 7, born on the ninth';
  const failed = failing('llm-rubric', {
    response: { output: 'Yes.', 'Ann Lee-Quirke': 1 },
    metadata: { 'Hill Road 7': { a: null } },
    gradingResult: {
      ...{ pass: false, reason },
      componentResults: [
        { pass: false, assertion: { type: 'llm-rubric', 'born on the ninth': 0 } },
      ],
    },
  });
  const { results } = await read(flat([failed]));
  assert.equal(results[0]?.gradingReason, 'She is … of …, …');
});

test('a label that contains a prompt or template of another place of the file is none', async () => {
  const raw = 'Summarize the following article in one sentence';
  const label = 'my prompt: Summarize the following article in';
  const one = failing('contains', { prompt: { raw: 'short', label }, promptId: undefined });
  const labelOf = async (over: object, others: object[] = []) =>
    (await read({ ...flat([one, ...others] as never), ...over })).results[0]?.promptLabel;
  assert.equal(await labelOf({}), label);
  const hashed = /^prompt-[0-9a-f]{12}$/;
  assert.match((await labelOf({ prompts: [{ raw, label: 'x' }] })) ?? '', hashed);
  assert.match((await labelOf({ table: { head: { prompts: [{ raw }] } } })) ?? '', hashed);
  assert.match((await labelOf({}, [result({ prompt: { raw, label: 'x' } })])) ?? '', hashed);
});

test('reasons are not kept where the output was left out of the file', async () => {
  const over = { gradingResult: graded(false, 'llm-rubric', 'It mentions Jane') };
  const reasonOf = async (more: object) =>
    (await read(flat([failing('llm-rubric', { ...over, ...more })]))).results[0]?.gradingReason;
  assert.equal(await reasonOf({}), 'It mentions Jane');
  assert.equal(await reasonOf({ response: undefined }), 'The reason is not kept.');
  assert.equal(
    await reasonOf({ response: { output: '[output stripped]' } }),
    'The reason is not kept.',
  );
  assert.equal(await reasonOf({ prompt: { label: 'x' } }), 'The reason is not kept.');
});

const SPELLINGS = [
  ['letter case', 'the reply has THE LIBRARY opens AT half'],
  ['full width', 'the reply has Ｔｈｅ ｌｉｂｒａｒｙ ｏｐｅｎｓ'],
  ['escapes of JSON', 'the reply has \\u0074he\\u0020l\\u0069br\\u0061ry \\u006fpens'],
  ['escapes that were escaped', 'the reply has The\\\\nlibrary\\\\topens'],
  ['escapes of HTML', 'the reply has The&#32;libr&#x61;ry&nbsp;opens'],
  ['escapes of URLs', 'the reply has The%20libr%61ry%20opens'],
  ['invisible characters', 'the reply has Th\u200be lib\u00adrary o\u200bpens'],
  ['other white space', 'the reply has The\n  library\topens'],
] as const;

for (const [title, reason] of SPELLINGS) {
  test(`a text that a reason quotes with ${title} is removed`, () => {
    assert.match(redact(reason, [OUTPUT]) ?? '', /^the reply has ?… ?$/);
  });
}

test('texts with marks are removed in composed and decomposed form, and with escapes', () => {
  const name = 'Zoë Bräuñling-Şahin';
  const forms = [name.normalize('NFD'), name.normalize('NFC'), name.toUpperCase()];
  const escaped = name.replace(/[^ -~]/g, (unit) => `\\u00${unit.charCodeAt(0).toString(16)}`);
  for (const quoted of [...forms, 'Zoe Braunling-Sahin', escaped.replace('\\u0015e', '\\u015e')]) {
    for (const text of forms)
      assert.equal(redact(`of ${quoted}!`, [`x:${text}?`]), 'of …!', quoted);
  }
  assert.equal(redact('a word: TARDY', ['tardy']), 'a word: …');
  assert.equal(redact(`a word: ${'café'.normalize('NFD')}`, ['café']), 'a word: …');
});

test('an escaped text of many steps is compared whole', () => {
  const text = `${'ä '.repeat(40_000)}S\\u0045CRET\\u0057ORD${'ö '.repeat(40_000)}`;
  assert.equal(redact('it said secretword again', [text]), 'it said… again');
});

test('a reason of nothing but escapes takes little time', async () => {
  await assertCpuBelow(5_000, () => {
    redact('\\'.repeat(4_000), ['\\'.repeat(1_000_000)]);
    redact('%41&#65;'.repeat(500), ['%41&#65;'.repeat(100_000)]);
  });
});

const PROMPT = 'Answer politely. The card of the customer is 5500 0000 0000 0004, valid until May';

const partLabels = [
  ['the end of the prompt', { label: '5500 0000 0000 0004, valid until May' }],
  ['the end of the prompt in another case', { label: 'VALID UNTIL MAY' }],
  ['a short part of the prompt', { label: 'customer' }],
  ['a part of the prompt with other words', { label: 'about: customer is 5500 0000' }],
  ['a statement of a template', { label: 'hello {% if vip %}' }],
  ['a comment of a template', { label: 'hello {# vip #}' }],
  ['compared with nothing', { label: 'A name', raw: undefined }],
] as const;

for (const [title, over] of partLabels) {
  test(`a prompt label that is ${title} becomes a hash`, async () => {
    const prompt = { raw: PROMPT, ...over };
    const { results } = await read(flat([failing('contains', { prompt, promptId: undefined })]));
    assert.match(results[0]?.promptLabel ?? '', /^prompt-[0-9a-f]{12}$/);
  });
}

test('a label that is the end of a template beside the results is no name', async () => {
  const one = failing('contains', { prompt: { raw: 'short', label: 'in one SENTENCE please' } });
  const raw = 'Summarize the following article in one sentence please';
  const file = { ...flat([one]), prompts: [{ raw, label: 'x' }] };
  assert.equal((await read(file)).results[0]?.promptLabel, 'prompt-a1b2c3d4e5f6');
});

test('a file that says of itself that it is redacted is redacted where it has texts', async () => {
  const secret = 'The reply leaks half past nine to Jane';
  const gradingResult = graded(false, 'llm-rubric', secret);
  const claimed = (over: object) => ({
    redactionVersion: 1,
    ...flat([failing('llm-rubric', { gradingResult, ...over })]),
  });
  const reasonOf = async (over: object) => {
    const [one] = (await read(claimed(over))).results;
    return [one?.gradingReason, one?.promptLabel];
  };
  assert.deepEqual(await reasonOf({}), ['The reply leaks… to Jane', 'opening-hours']);
  const unknown = ['The reason is not kept.', 'prompt-a1b2c3d4e5f6'];
  assert.deepEqual(await reasonOf({ prompt: { label: 'x' } }), unknown);
  const stripped = { prompt: { raw: '[prompt stripped]', label: 'x' }, response: undefined };
  assert.deepEqual(await reasonOf({ ...stripped, vars: undefined, testCase: {} }), unknown);
});

test('a rubric or metadata is a text that no redacted file has', async () => {
  const bare = { prompt: { label: 'x' }, response: {}, vars: undefined, testCase: {} };
  const reason = 'The reply leaks half past nine to Jane';
  const assertion = { type: 'llm-rubric' };
  const reasonOf = async (grading: object, over: object = {}) => {
    const gradingResult = graded(false, 'llm-rubric', reason, grading as Json);
    const one = failing('llm-rubric', { ...bare, gradingResult, ...over });
    const { results } = await read({ redactionVersion: 1, ...flat([one]) });
    return results[0]?.gradingReason;
  };
  const componentResults = [{ pass: false, assertion }];
  assert.equal(await reasonOf({ componentResults }), reason);
  const unknown = 'The reason is not kept.';
  assert.equal(await reasonOf({}), unknown);
  assert.equal(
    await reasonOf({ componentResults, assertion: { ...assertion, value: reason } }),
    unknown,
  );
  assert.equal(await reasonOf({ componentResults }, { metadata: { goal: reason } }), unknown);
  const metadata = { renderedGradingPrompt: reason };
  assert.equal(
    await reasonOf({ componentResults: [{ ...componentResults[0], metadata }] }),
    unknown,
  );
});
