import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { ScanInput } from '../../src/index.ts';
import { createPipeline } from '../../src/index.ts';

const SOURCE =
  'The Kesselport ferry carried 4,200 passengers in June, more than in any month since 2011. Captain Ilse Brandt said that the new timetable had helped. The company will not raise its fares before March. Repairs to the old pier cost 3.5 million crowns, and all workers were paid by the city of Oderhaven. Visitors who arrive after nine in the evening must use the northern gate.';

const pipeline = createPipeline({ stages: [{ name: 'hallucination_detector' }] });

async function scan(input: Partial<ScanInput> & { response: string }) {
  const { findings, scores } = await pipeline.scan({ context: [SOURCE], ...input });
  return { findings, score: scores.hallucination };
}

describe('hallucination_detector', () => {
  const faithful: [string, string][] = [
    ['a copy', 'The company will not raise its fares before March.'],
    ['a number in words', 'Repairs to the old pier cost 3.5 million crowns.'],
    [
      'a frame around it',
      'According to the text, Captain Ilse Brandt said that the new timetable had helped.',
    ],
    ['a part of a sentence', 'The Kesselport ferry carried 4,200 passengers in June.'],
    ['another order', 'In June, the Kesselport ferry carried 4,200 passengers.'],
    ['a short form', "The company won't raise its fares before March."],
  ];
  for (const [name, response] of faithful) {
    it(`hallucination_detector lets pass ${name}`, async () => {
      const { score, findings } = await scan({ response });
      assert.ok(score !== null && score < 0.8, `${score} ${findings.map(({ type }) => type)}`);
    });
  }

  const planted: [string, string, string][] = [
    ['another number', 'The Kesselport ferry carried 5,300 passengers in June.', 'number'],
    ['another month', 'The company will not raise its fares before October.', 'date'],
    ['another name', 'Captain Jonas Weber said that the new timetable had helped.', 'entity'],
    ['a denial taken away', 'The company will raise its fares before March.', 'negation'],
    [
      'a denial put in',
      'Visitors who arrive after nine in the evening must not use the northern gate.',
      'negation',
    ],
    [
      'the opposite',
      'Visitors who arrive after nine in the evening must use the southern gate.',
      'antonym',
    ],
  ];
  for (const [name, response, type] of planted) {
    it(`hallucination_detector finds ${name}`, async () => {
      const { score, findings } = await scan({ response });
      assert.ok(score !== null && score >= 0.5, String(score));
      assert.deepEqual(
        findings.map((found) => found.type),
        [type],
      );
    });
  }

  it('hallucination_detector finds parts that have changed places, and lets a clause move', async () => {
    const source =
      'When the bell rang, the painter from Oderhaven thanked the mayor of Kesselport. Nobody else was there.';
    const swapped =
      'When the bell rang, the mayor of Kesselport thanked the painter from Oderhaven.';
    const moved = 'The painter from Oderhaven thanked the mayor of Kesselport when the bell rang.';
    const [wrong, right] = await Promise.all(
      [swapped, moved].map((response) => scan({ response, context: [source] })),
    );
    assert.ok(
      (wrong?.score ?? 0) >= 0.5 && (right?.score ?? 1) < 0.5,
      `${wrong?.score} ${right?.score}`,
    );
    assert.equal(wrong?.findings[0]?.type, 'role');
  });

  it('hallucination_detector returns the same result for concurrent scans as for single ones', async () => {
    const filler = 'The water stayed calm, and the weather stayed mild for a week. '.repeat(300);
    const inputs = [
      {
        response: `${filler}Repairs to the old pier cost 9.1 million crowns.`,
        context: [filler, SOURCE],
      },
      { response: 'The company will raise its fares before March.', context: [SOURCE] },
      { response: `${filler}A shark was seen.`, context: [SOURCE, filler] },
      { response: 'Captain Jonas Weber said so.', prompt: 'Who said so?', context: [SOURCE] },
    ];
    const alone = [];
    for (const input of inputs) alone.push(await scan(input));
    assert.deepEqual(await Promise.all(inputs.map(scan)), alone);
  });

  it('hallucination_detector reports the place of an unsupported statement and never quotes it', async () => {
    const good = 'The company will not raise its fares before March.';
    const bad = 'A shark was seen near the lighthouse on Tuesday.';
    const response = `${good} ${bad}`;
    const { findings } = await scan({ response });
    assert.deepEqual(
      findings.map(({ start, end }) => response.slice(start, end + 1)),
      [bad],
    );
    assert.ok(!/shark|lighthouse/.test(findings[0]?.reason ?? ''));
  });

  it('hallucination_detector takes an answer of yes or no for what the question says', async () => {
    const prompt = 'Were all workers paid by the city of Oderhaven?';
    const yes = await scan({ prompt, response: 'Yes, that is right.' });
    const no = await scan({ prompt, response: 'No, that is wrong.' });
    assert.ok((no.score ?? 0) >= 0.5 && (yes.score ?? 1) < 0.5, `${yes.score} ${no.score}`);
  });

  it('hallucination_detector finds nothing without a source, and takes a long prompt for one only where that is asked for', async () => {
    const response = 'The company will not raise its fares before March.';
    const without = await pipeline.scan({ prompt: 'What of the fares?', response });
    assert.equal(without.scores.hallucination, 0);
    assert.deepEqual(without.findings, []);
    const prompt = `Read this. ${SOURCE} ${SOURCE} What of the fares?`;
    const wrong = 'A shark was seen near the lighthouse on Tuesday.';
    const ignored = await pipeline.scan({ prompt, response: wrong });
    assert.deepEqual([ignored.scores.hallucination, ignored.findings], [0, []]);
    const options = { promptAsSource: true };
    const asked = createPipeline({ stages: [{ name: 'hallucination_detector', options }] });
    assert.ok(((await asked.scan({ prompt, response })).scores.hallucination ?? 1) < 0.5);
    assert.ok(((await asked.scan({ prompt, response: wrong })).scores.hallucination ?? 0) >= 0.5);
    assert.throws(
      () =>
        createPipeline({
          stages: [{ name: 'hallucination_detector', options: { promptAsSource: 'yes' } }],
        }),
      /promptAsSource/,
    );
  });

  it('hallucination_detector does not judge a language that it does not know, and says so', async () => {
    const german =
      'Der Park ist von April bis Oktober täglich geöffnet, und Hunde sind an der Leine erlaubt.';
    const dutch =
      'Het park is dagelijks geopend van april tot oktober en honden zijn aan de lijn toegestaan.';
    const italian =
      'Il parco è aperto tutti i giorni da aprile a ottobre e i cani sono ammessi al guinzaglio.';
    const portuguese =
      'O parque está aberto todos os dias de abril a outubro e os cães são permitidos com trela.';
    const chinese = '图书馆周一闭馆，读者凭身份证可以免费办理借书证。';
    const foreign: [string, string][] = [
      [german, SOURCE],
      ['The company will not raise its fares before March.', german],
      ['Le parc est ouvert tous les jours.', german],
      [dutch, dutch],
      [italian, italian],
      [portuguese, portuguese],
      [chinese, SOURCE],
      ['Dogs are allowed on a lead.', chinese],
    ];
    for (const [response, source] of foreign) {
      const { scores, stages, findings, failedClosed } = await pipeline.scan({
        response,
        context: [source],
      });
      assert.deepEqual([scores.hallucination, findings, failedClosed], [null, [], []], response);
      assert.equal(stages[0]?.status, 'not_covered');
    }
    const mixed = `Captain Jonas Weber said that the new timetable had helped. ${german}`;
    const { findings, score } = await scan({ response: mixed });
    assert.deepEqual(
      findings.map(({ type }) => type),
      ['entity'],
    );
    assert.ok((score ?? 0) >= 0.5);
  });

  it('hallucination_detector takes offers, questions, reckonings and the like for no claims', async () => {
    const response =
      'Sure! Here is what I know:\n\n1. The Kesselport ferry carried 4,200 passengers in June.\n2. Repairs to the old pier cost 3.5 million crowns, so two piers make 7 million crowns in total.\n\n**Fares**\n\nIt depends on the day. The text does not mention dogs. Would you like to know more? I am happy to help!';
    const { findings, score } = await scan({ response });
    assert.deepEqual(findings, []);
    assert.ok((score ?? 1) < 0.5);
    const wrong = await scan({ response: 'Two piers make 9.1 million crowns in total.' });
    assert.ok((wrong.score ?? 0) >= 0.5);
  });

  it('hallucination_detector does not score an answer worse for having more faithful sentences', async () => {
    const one = await scan({ response: 'The company will not raise its fares before March.' });
    const all = await scan({ response: SOURCE });
    assert.ok((all.score ?? 1) < 0.5 && Math.abs((all.score ?? 1) - (one.score ?? 0)) < 0.4);
  });

  it('hallucination_detector finds the statement of a long response, and reads a long context to its end', async () => {
    const filler = 'The weather stayed mild and the water stayed calm. '.repeat(400);
    const wrong = 'Repairs to the old pier cost 9.1 million crowns.';
    const response = `${filler}${wrong}`;
    const { findings, score } = await scan({ response, context: [filler, SOURCE] });
    assert.ok((score ?? 0) >= 0.5);
    assert.ok(findings.some(({ start }) => start === filler.length));
  });

  it('hallucination_detector never throws, and its offsets are in the response, whatever the texts', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('Yes.', 'No? No.', '3 million 4', '. . .', '\ud800', '⑴', 'a.b.C. D'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(text), fc.array(text), async (parts, context) => {
        const response = parts.join(' ');
        const { findings, stages } = await pipeline.scan({
          prompt: `${context.join()}?`,
          response,
          context,
        });
        assert.match(stages[0]?.status ?? '', /^(?:ok|not_covered)$/);
        for (const { start, end } of findings)
          assert.ok(start >= 0 && start < end && end <= response.length);
      }),
      { numRuns: 80 },
    );
  });
});
