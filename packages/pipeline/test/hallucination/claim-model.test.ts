import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ClaimComparer } from '../../src/hallucination/claim-features.ts';
import { createClaimModel } from '../../src/hallucination/model.ts';
import { CLAIM_FEATURES, SOURCE_INDEX } from '../../src/hallucination/source-features.ts';
import { SourceIndex } from '../../src/hallucination/source-index.ts';
import { claimsOf } from '../../src/language/claims.ts';
import { readWords } from '../../src/language/sentences.ts';
import { sharedLexicon } from '../../src/language/shared-lexicon.ts';
import type { BoostedTrees } from '../../src/trees/boosted-trees.ts';

const SOURCE =
  "The painter Hanna Osterby sold her studio in Vellmar last spring. Burglars stole two of her pictures from the town's gallery on 4 May. A guard, Piet Rossum, was questioned by the police and sent home.";

function compare(claim: string, source = SOURCE): Float32Array {
  const lexicon = sharedLexicon();
  const index = new SourceIndex();
  for (const _ of index.fill(readWords(lexicon, source)));
  const [first] = claimsOf(readWords(lexicon, claim));
  assert.ok(first !== undefined);
  return new ClaimComparer(lexicon).compare(first, index).slice();
}

/** A model with limits from 2 in free wording to -1 in near wording. */
function model() {
  const trees: BoostedTrees = {
    sum: () => 0,
    score: () => 0,
    curveAt: (range) => 2 - ((range - 8) / 16) * 3,
  };
  return createClaimModel(trees);
}

function sharing(pairShare: number): Float32Array {
  const features = new Float32Array(CLAIM_FEATURES.length);
  features[SOURCE_INDEX.pairShare] = pairShare;
  return features;
}

describe('the model of claims', () => {
  it('the claim model gives 0.8 at the limit for the wording, whichever that is', () => {
    for (const [share, limit] of [
      [0, 2],
      [0.5, 0.5],
      [1, -1],
    ] as const) {
      assert.equal(model().toScore(limit, sharing(share)), 0.8);
    }
    assert.ok(model().toScore(1, sharing(0)) < 0.5 && model().toScore(1, sharing(1)) > 0.8);
  });

  it('the claim model never lowers the score as the sum rises, and makes no jump', () => {
    for (const share of [0, 0.5, 1]) {
      const scores = Array.from({ length: 401 }, (_, at) =>
        model().toScore(at / 40 - 5, sharing(share)),
      );
      scores.slice(1).forEach((own, at) => {
        const step = own - (scores[at] as number);
        assert.ok(step >= 0 && step < 0.08, `${share} ${at}: ${step}`);
      });
      assert.ok((scores[0] as number) > 0 && (scores.at(-1) as number) < 1);
    }
  });
});

describe('the features of a claim', () => {
  it('the features of a claim separate related words from unrelated ones where both are new', () => {
    const near = compare('Hanna Osterby sold her workshop in Vellmar.');
    const far = compare('Hanna Osterby sold her submarine in Vellmar.');
    const at = SOURCE_INDEX.unlikeShare;
    assert.ok((near[at] as number) < (far[at] as number), `${near[at]} ${far[at]}`);
    assert.equal(compare('Burglars stole two of her pictures.')[at], 0);
  });

  it('the features of a claim know names without capitals', () => {
    const newNames = (claim: string) => compare(claim)[SOURCE_INDEX.newNames];
    assert.equal(newNames('piet rossum was questioned by the police .'), 0);
    assert.equal(newNames('piet zygmuntowicz was questioned by the police .'), 1);
  });
});
