import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { assertCpuBelow } from '@probity/test-support';
import { roundsOf } from '@probity/test-support/combinations';
import fc from 'fast-check';
import { createPipeline } from '../../src/index.ts';
import { similarity } from '../../src/similarity.ts';

const KNOWLEDGE = [
  'The Kesselport ferry was founded in 1898 by two fishermen.',
  'Harbour pilots must renew their licence every five years.',
  'The lighthouse of Oderhaven is not open to visitors.',
  'Fresh water freezes at zero degrees Celsius.',
  'All ferry workers receive a free uniform.',
  'The night boat leaves from the northern pier.',
];
const make = (knowledge: unknown = KNOWLEDGE, more: Record<string, unknown> = {}) =>
  createPipeline({ stages: [{ name: 'output_truth_scanner', options: { knowledge, ...more } }] });

function parseContrast(line: string): { entry: string; text: string; label: number } {
  return JSON.parse(line);
}

describe('output_truth_scanner', () => {
  const supported: [string, number][] = [
    ['The Kesselport ferry was founded in 1898 by two fishermen.', 0],
    ['Pilots of the harbour need to renew their licence every 5 years.', 1],
    ['According to the text, the Oderhaven lighthouse is not open to visitors.', 2],
    ['Does the night boat leave from the northern pier? Yes, that is right.', 5],
  ];
  for (const [response, nugget] of supported) {
    it(`output_truth_scanner supports: ${response}`, async () => {
      const { findings, scores } = await make().scan({ response });
      assert.deepEqual(
        findings.map((found) => [found.type, found.nugget]),
        [['supported', nugget]],
      );
      assert.ok((scores.truth ?? 1) < 0.7, String(scores.truth));
      assert.ok((findings[0]?.score ?? 0) >= 0.7);
    });
  }

  const contradicted: [string, number][] = [
    ['The Kesselport ferry was founded in 1923 by two fishermen.', 0],
    ['The lighthouse of Oderhaven is open to visitors.', 2],
    ['The night boat leaves from the southern pier.', 5],
    ['No ferry workers receive a free uniform.', 4],
    ['Does the night boat leave from the northern pier? No, that is wrong.', 5],
  ];
  for (const [response, nugget] of contradicted) {
    it(`output_truth_scanner contradicts: ${response}`, async () => {
      const { findings, scores } = await make().scan({ response });
      assert.deepEqual(
        findings.map((found) => [found.type, found.nugget]),
        [['contradicted', nugget]],
      );
      assert.ok((scores.truth ?? 0) >= 0.5, String(scores.truth));
    });
  }

  const answers: [string, string, number, string][] = [
    ['When was the Kesselport ferry founded?', 'In 1898.', 0, 'supported'],
    ['When was the Kesselport ferry founded?', 'In 1923.', 0, 'contradicted'],
    ['Where does the night boat leave?', 'From the northern pier.', 5, 'supported'],
    ['Can visitors enter the lighthouse of Oderhaven?', 'No.', 2, 'supported'],
  ];
  for (const [prompt, response, nugget, type] of answers) {
    it(`output_truth_scanner reads a short answer with its question: ${prompt} ${response}`, async () => {
      const { findings } = await make().scan({ prompt, response });
      assert.deepEqual(
        findings.map((found) => [found.type, found.nugget, found.field]),
        [[type, nugget, 'response']],
      );
      assert.equal(findings[0]?.start, 0);
      assert.ok((findings[0]?.end ?? 99) <= response.length);
    });
  }

  it('output_truth_scanner does not support a claim with another modal or month than its entry', async () => {
    const entries = [
      'A department can create any event to reinforce its training.',
      'Early in September 2019, the center was asked to make a website for the lab.',
    ];
    const claims = [
      'A department must create any event to reinforce its training.',
      'Early in May 2019, the center was asked to make a website for the lab.',
    ];
    for (const response of claims) {
      const { findings } = await make(entries).scan({ response });
      assert.notEqual(findings[0]?.type, 'supported', response);
    }
  });

  it('output_truth_scanner supports no more than one in ten claims that contradict an entry', async () => {
    const file = new URL('../../../test/fixtures/truth-contrasts.jsonl', import.meta.url);
    const rows = readFileSync(file, 'utf8').trim().split('\n').map(parseContrast);
    const scan = make([...new Set(rows.map(({ entry }) => entry))]);
    const supportedOf = async (label: number) => {
      const own = rows.filter((row) => row.label === label);
      let supported = 0;
      for (const { text } of own) {
        const { findings } = await scan.scan({ response: text });
        if (findings.some(({ type }) => type === 'supported')) supported++;
      }
      assert.ok(own.length >= 30);
      return supported / own.length;
    };
    const [wrong, right] = [await supportedOf(1), await supportedOf(0)];
    assert.ok(wrong <= 0.1, String(wrong));
    assert.ok(right >= 0.6, String(right));
  });

  it('output_truth_scanner is unclear about claims that it can neither support nor contradict', async () => {
    const knowledge = ['Backups run every six hours.', 'Customer data is stored in Frankfurt.'];
    const response = 'Backups run once a day. Customer data is deleted in Frankfurt.';
    const { findings } = await make(knowledge).scan({ response });
    assert.deepEqual(
      findings.map(({ type, nugget }) => [type, nugget]),
      [
        ['unclear', 0],
        ['unclear', 1],
      ],
    );
  });

  it('output_truth_scanner does not judge a language that it does not know, and says so', async () => {
    const german = 'Der Leuchtturm von Oderhaven ist für Besucher nicht geöffnet.';
    for (const [knowledge, response] of [
      [KNOWLEDGE, german],
      [[german, german], 'The lighthouse of Oderhaven is not open to visitors.'],
    ] as const) {
      const { scores, stages, findings } = await make(knowledge).scan({ response });
      assert.deepEqual([scores.truth, findings], [null, []], response);
      assert.equal(stages[0]?.status, 'not_covered');
    }
    const mixed = `${german} The lighthouse of Oderhaven is open to visitors.`;
    const { findings } = await make().scan({ response: mixed });
    assert.deepEqual(
      findings.map(({ type }) => type),
      ['contradicted'],
    );
  });

  it('output_truth_scanner checks nothing but the response', async () => {
    const prompt = 'The Kesselport ferry was founded in 1898 by two fishermen.';
    const { findings } = await make().scan({ prompt, response: 'Thank you, I did not know.' });
    assert.deepEqual(findings, []);
  });

  it('output_truth_scanner reports nothing for claims without a related nugget', async () => {
    const response = 'Bread tastes best when the crust is dark.';
    const { findings, scores } = await make().scan({ response });
    assert.deepEqual(findings, []);
    assert.ok((scores.truth ?? 1) < 0.3);
  });

  it('output_truth_scanner names nuggets by number and id, and reports the place of the claim', async () => {
    const knowledge = KNOWLEDGE.map((claim, at) => ({ id: `n${at}`, claim }));
    const first = 'Good morning to all of you.';
    const response = `${first} Fresh water freezes at zero degrees Celsius.`;
    const { findings } = await make(knowledge).scan({ response });
    const [found] = findings;
    assert.equal(found?.nugget, 3);
    assert.equal(found?.nuggetId, 'n3');
    assert.equal(found?.start, first.length + 1);
    assert.equal(found?.end, response.length - 1);
    assert.ok(!found?.reason.includes('water'));
  });

  it('output_truth_scanner reads the prompt as truth_scan, and the larger score counts', async () => {
    const options = { knowledge: KNOWLEDGE };
    const both = createPipeline({
      stages: [
        { name: 'truth_scan', options },
        { name: 'output_truth_scanner', options },
      ],
    });
    const { findings, scores } = await both.scan({
      prompt: 'The night boat leaves from the southern pier.',
      response: 'Fresh water freezes at zero degrees Celsius.',
    });
    assert.deepEqual(
      findings.map(({ field, type }) => [field, type]),
      [
        ['prompt', 'contradicted'],
        ['response', 'supported'],
      ],
    );
    assert.ok((scores.truth ?? 0) >= 0.5);
  });

  it('output_truth_scanner reports less similar claims at a lower threshold, and nothing without knowledge', async () => {
    const response = 'The ferry has a new boat.';
    assert.equal((await make().scan({ response })).findings.length, 0);
    const all = await make(KNOWLEDGE, { similarityThreshold: 0 }).scan({ response });
    assert.equal(all.findings.length, 1);
    assert.equal((await make([]).scan({ response })).scores.truth, 0);
  });

  it('output_truth_scanner finds its nugget among 40,000 without comparing each', async () => {
    const response = 'Harbour pilots must renew their licence every five years.';
    const towns = Array.from(
      { length: 40_000 },
      (_, at) => `Harbour number ${at + 10} has ${at % 97} cranes and a keeper called Tor${at}.`,
    );
    const pipeline = make([...towns, ...KNOWLEDGE]);
    const { findings } = await pipeline.scan({ response });
    assert.equal(findings[0]?.nugget, 40_001);
    await assertCpuBelow(100, async () => {
      for (let scan = 0; scan < 5; scan++) await pipeline.scan({ response });
    });
  });

  it('output_truth_scanner never throws, whatever claim and knowledge', async () => {
    const text = fc.string({ unit: 'grapheme' });
    await fc.assert(
      fc.asyncProperty(text, fc.array(text), async (response, knowledge) => {
        const result = await make(knowledge, { similarityThreshold: 0 }).scan({ response });
        assert.match(result.stages[0]?.status ?? '', /^(?:ok|not_covered)$/);
        for (const { start, end } of result.findings)
          assert.ok(start < end && end <= response.length);
      }),
      { numRuns: 60 },
    );
  });
});

describe('similarity', () => {
  it('similarity is 1 for the same sentence, symmetric, and between 0 and 1', () => {
    fc.assert(
      fc.property(fc.lorem({ mode: 'sentences' }), fc.string(), (a, b) => {
        const there = similarity(a, b);
        assert.ok(there >= 0 && there <= 1);
        assert.ok(Math.abs(there - similarity(b, a)) < 1e-9);
        assert.ok(similarity(a, a) > 0.99);
      }),
      { numRuns: roundsOf(100) },
    );
  });

  const ordered: [string, string, string][] = [
    [
      'Two children are playing in the park.',
      'Two kids play in a park.',
      'Two dogs sleep in a kennel.',
    ],
    ['A man is playing a guitar.', 'A man plays the guitar.', 'A man is playing a flute.'],
    [
      'Oil prices rise on supply fears.',
      'Crude climbs amid worries about supplies.',
      'A new school opened in the village.',
    ],
    ['The cat is on the mat.', 'A cat is on the mat.', 'There is no cat on the mat.'],
  ];
  for (const [sentence, near, far] of ordered) {
    it(`similarity ranks "${near}" above "${far}"`, () => {
      assert.ok(similarity(sentence, near) > similarity(sentence, far));
    });
  }
});
