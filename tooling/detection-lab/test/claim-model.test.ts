import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  CLAIM_FEATURES,
  hallucinationModel,
  SOURCE_INDEX,
  sharedLexicon,
} from '@probity/pipeline/internal';
import fc from 'fast-check';
import { toCorpusForm } from '../src/generators/corpus-form.ts';
import { compareResponse, indexText } from '../src/lib/claim-rows.ts';
import { directionsOf } from '../src/lib/directions.ts';

const SOURCE =
  "The painter Hanna Osterby sold her studio in Vellmar last spring. Burglars stole two of her pictures from the town's gallery on 4 May. A guard, Piet Rossum, was questioned by the police and sent home.";

function compare(claim: string): Float32Array {
  const lexicon = sharedLexicon();
  const [features] = compareResponse(lexicon, claim, undefined, indexText(lexicon, SOURCE));
  return features ?? assert.fail(claim);
}

describe('the claim model and its features', () => {
  it('the claim model never raises an error score because of additional source text', () => {
    const { sum } = hallucinationModel();
    const claims = [
      'Thieves took two paintings from a gallery in Vellmar.',
      'Hanna Osterby stole two pictures from the police.',
    ];
    const bases = claims.map((claim) => compare(claim));
    const directions = directionsOf(CLAIM_FEATURES);
    const against = directions.flatMap((direction, at) => (direction > 0 ? [at] : []));
    fc.assert(
      fc.property(
        fc.constantFrom(...bases),
        fc.constantFrom(...against),
        fc.double({ min: 0, max: 5, noNaN: true }),
        (base, at, more) => {
          const worse = base.slice();
          worse[at] = (worse[at] as number) + more;
          assert.ok(sum(worse) >= sum(base) - 1e-6);
        },
      ),
    );
  });

  it('the features of a claim are much the same in lower case with the signs apart', () => {
    const claim = "Burglars stole two of her pictures from Vellmar's gallery on 4 May.";
    assert.equal(
      toCorpusForm(claim),
      "burglars stole two of her pictures from vellmar 's gallery on 4 may .",
    );
    const [plain, cased] = [compare(toCorpusForm(claim)), compare(claim)];
    for (const name of ['coverage', 'newNumbers', 'distantNames'] as const) {
      const at = SOURCE_INDEX[name];
      assert.ok(Math.abs((plain[at] as number) - (cased[at] as number)) < 0.05, name);
    }
  });
});
