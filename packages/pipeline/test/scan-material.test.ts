import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { prepareProtectedTexts } from '../src/contamination/index.ts';
import { createPipeline } from '../src/index.ts';

const SECRET =
  'The merger of Northwind and Contoso will be announced on the ninth of May, after the board has met in Lisbon and approved the final price.';
const OTHER =
  'Our internal price list grants partners in the northern region a rebate of fourteen percent on every order above nine hundred pieces.';
const HIDDEN = `${SECRET}${'\u{e0041}\u{e0042}\u{e0043}'.repeat(8)}`;
const RIGHT = 'The Eiffel Tower in Paris is 330 metres tall.';
const WRONG = 'The Eiffel Tower in Paris is 210 metres tall.';
const truth = createPipeline({ stages: [{ name: 'output_truth_scanner' }] });

describe('the material of a scan', () => {
  it('protected texts of a scan are found beside those of the stage, and in no other scan', async () => {
    const options = { protected: [OTHER] };
    const pipeline = createPipeline({ stages: [{ name: 'contamination_check', options }] });
    const protectedTexts = await prepareProtectedTexts({
      protected: [SECRET],
      canaries: ['tok-91f'],
    });
    const response = `${SECRET} ${OTHER} tok-91f`;
    const typesOf = async (material?: { protectedTexts: typeof protectedTexts }) => {
      const { findings } = await pipeline.scan({ response }, { material });
      return findings.map(({ type }) => type).sort();
    };
    assert.deepEqual(await typesOf({ protectedTexts }), ['canary', 'verbatim', 'verbatim']);
    assert.deepEqual(await typesOf(), ['verbatim']);
  });

  it('hidden text is reported once, whatever is protected', async () => {
    const options = { protected: [OTHER] };
    const pipeline = createPipeline({ stages: [{ name: 'contamination_check', options }] });
    const protectedTexts = await prepareProtectedTexts({ protected: ['nothing of the sort here'] });
    const without = await pipeline.scan({ response: HIDDEN });
    const given = await pipeline.scan({ response: HIDDEN }, { material: { protectedTexts } });
    assert.deepEqual(given.findings, without.findings);
  });

  it('claims are held against statements that are asked for, which findings name by id alone', async () => {
    const asked: (readonly string[])[] = [];
    const knowledge = async (texts: readonly string[]) => {
      asked.push(texts);
      return [
        { id: 'height', claim: RIGHT },
        { id: 'height', claim: RIGHT },
      ];
    };
    const { scores, findings } = await truth.scan({ response: WRONG }, { material: { knowledge } });
    assert.ok((scores.truth ?? 0) > 0.5);
    assert.deepEqual(
      findings.map(({ type, nugget, nuggetId }) => [type, nugget, nuggetId]),
      [['contradicted', undefined, 'height']],
    );
    assert.deepEqual(asked, [[WRONG.slice(0, -1)]]);
  });

  it('the larger score counts of the statements of the stage and of the scan', async () => {
    const options = { knowledge: [{ id: 'own', claim: RIGHT }] };
    const both = createPipeline({ stages: [{ name: 'output_truth_scanner', options }] });
    const knowledge = async () => [{ id: 'given', claim: WRONG }];
    for (const response of [RIGHT, WRONG]) {
      const { scores, findings } = await both.scan({ response }, { material: { knowledge } });
      assert.ok((scores.truth ?? 0) > 0.5, response);
      assert.deepEqual(findings.map(({ nuggetId }) => nuggetId).sort(), ['given', 'own']);
    }
  });

  it('statements that cannot be had fail the stage, and those of an unknown language are not judged', async () => {
    const fails = async () => {
      throw new Error('not reached');
    };
    const failed = await truth.scan({ response: WRONG }, { material: { knowledge: fails } });
    assert.deepEqual([failed.stages[0]?.status, failed.scores.truth], ['failed', null]);
    const german = async () => [
      {
        id: 'de',
        claim: 'Der Eiffelturm in Paris ist dreihundertdreißig Meter hoch und aus Eisen.',
      },
    ];
    const uncovered = await truth.scan({ response: WRONG }, { material: { knowledge: german } });
    assert.equal(uncovered.stages[0]?.status, 'not_covered');
  });

  it('material of another form is refused by its name', async () => {
    for (const [material, message] of [
      [{ knowledges: 1 }, /knowledges/],
      [{ knowledge: [] }, /material\.knowledge must be a function/],
      [{ protectedTexts: ['a'] }, /material\.protectedTexts must be made by/],
    ] as const) {
      await assert.rejects(truth.scan({ response: 'a' }, { material: material as never }), message);
    }
  });
});
