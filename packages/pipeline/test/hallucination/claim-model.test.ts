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

function constant(sum: number): BoostedTrees {
  return { sum: () => sum, score: () => 0, toScore: (given) => given };
}

function withFreedom(freedom: number): Float32Array {
  const features = new Float32Array(CLAIM_FEATURES.length);
  features[SOURCE_INDEX.freedom] = freedom;
  return features;
}

describe('the model of claims', () => {
  it('the claim model uses the trees for near wording when the wording is near', () => {
    const { sum } = createClaimModel(constant(3), constant(-50));
    assert.equal(sum(withFreedom(0)), 3);
  });

  it('the claim model blends into the other trees continuously as the wording gets freer', () => {
    const { sum } = createClaimModel(constant(3), constant(-5));
    const sums = Array.from({ length: 101 }, (_, at) => sum(withFreedom(at / 100)));
    sums.slice(1).forEach((own, at) => {
      const step = (sums[at] as number) - own;
      assert.ok(step >= 0 && step < 0.5, `${at}: ${step}`);
    });
    assert.ok((sums.at(-1) as number) < -5);
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
    const nearNames = (claim: string) => compare(claim)[SOURCE_INDEX.nearNames];
    assert.equal(nearNames('a guard , piet rossum , was sent home .'), 2);
    assert.equal(nearNames('a guard was questioned by the police and sent home .'), 0);
  });

  it('the features of a claim say how free the wording is, but not of a short answer', () => {
    const freedom = (claim: string) => compare(claim)[SOURCE_INDEX.freedom];
    assert.equal(freedom('Burglars stole two of her pictures from the gallery on 4 May.'), 0);
    assert.equal(freedom('Thieves who broke into a museum took works of art by a local woman.'), 1);
    assert.equal(freedom('Some thieves did it.'), 0);
  });
});
