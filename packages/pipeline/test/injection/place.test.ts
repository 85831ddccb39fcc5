import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { roundsOf } from '@probity/test-support/combinations';
import fc from 'fast-check';
import { createPipeline } from '../../src/index.ts';
import { createPlaceJudge } from '../../src/injection/place-model.ts';
import { loadModel } from '../../src/models/load-model.ts';
import { createTextScorer } from '../../src/models/text-scorer.ts';
import { tokensOfText } from '../../src/tokens/tokens.ts';
import { ORDERS, PAPERS, TASKS } from '../fixtures/papers.ts';

/** What is out of place has at least this score. */
/** From here on a finding is reported. */
const REPORTED = 0.3;
const [MAIL, TABLE] = PAPERS as readonly [string, string];
/** Lines that are cut alike wherever they stand. */
const LINES = [...PAPERS.flatMap((text) => text.split('\n')), ...ORDERS, ...TASKS].filter(
  (line) => line !== 'HERE' && line.split(' ').length > 4,
);

describe('a misplaced request', () => {
  const pipeline = createPipeline({ stages: [{ name: 'injection_scanner' }] });
  const scan = async (response: string) => await pipeline.scan({ response });
  const scoreOf = async (text: string) => (await scan(text)).scores.injection ?? Number.NaN;

  it('a misplaced request is found at its place in a mail and in a table', async () => {
    for (const paper of [MAIL, TABLE]) {
      for (const order of ORDERS.slice(0, 2)) {
        const text = paper.replace('HERE', order);
        const start = text.indexOf(order);
        const { findings } = await scan(text);
        const found = findings.find(({ score }) => score >= REPORTED);
        assert.equal(found?.type, 'prompt_injection', text);
        assert.ok(found.start < start + order.length && found.end > start, text);
      }
    }
  });

  it('a misplaced request scores higher there than alone, and raises the score of the text', async () => {
    for (const paper of [MAIL, TABLE]) {
      for (const task of TASKS) {
        const planted = await scoreOf(paper.replace('HERE', task));
        assert.ok(planted > 2 * (await scoreOf(task)), `${planted}: ${task}`);
        assert.ok(planted > 2 * (await scoreOf(paper.replace('HERE', ''))), `${planted}: ${task}`);
      }
    }
  });

  it('a misplaced request is not reported where it stands alone', async () => {
    for (const task of TASKS) assert.ok((await scoreOf(task)) < 0.2, task);
  });

  it('a misplaced request is not reported where the document addresses its reader, or the user asks about the document', async () => {
    const own = 'Please send us your time of arrival by Friday.';
    for (const text of [
      MAIL.replace('HERE', ''),
      MAIL.replace('HERE', own),
      `Summarise this mail in one sentence:\n\n${MAIL.replace('HERE', '')}`,
      `${TABLE.replace('HERE\n', '')}\n\nIn which season did the Harriers win most?`,
    ]) {
      assert.deepEqual((await scan(text)).findings, [], text);
    }
  });

  it('a misplaced request is judged the same or worse with another text before or behind its own', () => {
    const scorer = createTextScorer(loadModel('injection'));
    const judge = createPlaceJudge();
    const judged = (text: string, shift: number) => {
      scorer.read(tokensOfText(text.toLowerCase()));
      return new Map(judge(scorer).places.map(({ start, score }) => [start + shift, score]));
    };
    const text = fc
      .array(fc.constantFrom(...LINES), { minLength: 1, maxLength: 9 })
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (first, second) => {
        const joined = judged(`${first}\n${second}`, 0);
        const apart = [...judged(first, 0), ...judged(second, first.length + 1)];
        for (const [start, score] of apart) assert.ok((joined.get(start) ?? 0) >= score);
      }),
      { numRuns: roundsOf(300) },
    );
  });
});
