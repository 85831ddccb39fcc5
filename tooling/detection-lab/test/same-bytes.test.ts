import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRandom } from '@probity/test-support/random';
import type { BoostExample } from '../src/lib/boost.ts';
import { fitBoostedTrees } from '../src/lib/boost.ts';
import { distilledVectors } from '../src/lib/distilled-vectors.ts';
import { zeros } from '../src/lib/matrix.ts';
import { countWords } from '../src/lib/word-counts.ts';

const SUBJECTS = ['harbour', 'ferry', 'lighthouse', 'pilot', 'anchor', 'market', 'bakery'];
const VERBS = ['opens', 'closes', 'waits', 'leaves', 'returns'];

function makeExamples(seed: number): BoostExample[] {
  const random = createRandom(seed);
  return Array.from({ length: 300 }, () => {
    const features = Float32Array.from({ length: 3 }, () => random.next());
    return { features, label: Number((features[0] ?? 0) > 0.5), weight: 1 };
  });
}

function makeTexts(seed: number): string[] {
  const random = createRandom(seed);
  const sentence = () =>
    `The ${random.pick(SUBJECTS)} ${random.pick(VERBS)} at the ${random.pick(SUBJECTS)}.`;
  return Array.from({ length: 200 }, () => `${sentence()} ${sentence()}`);
}

describe('what is trained twice on the same rows', () => {
  it('training twice on the same rows gives the same trees', () => {
    const settings = {
      trees: 12,
      depth: 3,
      rate: 0.2,
      minLeaf: 2,
      ridge: 1,
      directions: [1, 0, 0],
    };
    const [first, second] = [0, 1].map(() => fitBoostedTrees(makeExamples(5), settings));
    assert.deepEqual(first, second);
    assert.notDeepEqual(first, fitBoostedTrees(makeExamples(6), settings));
  });

  it('training twice on the same rows gives the same word vectors', () => {
    const sentences = makeTexts(3);
    const { stems } = countWords(sentences, 2, 50);
    const rowOfStem = new Map([...stems].map((stem, row) => [stem, row]));
    const train = (seed: number) => {
      const random = createRandom(7);
      const made = (rows: number) => {
        const matrix = zeros(rows, 8);
        matrix.values.forEach((_, at) => {
          matrix.values[at] = random.normal();
        });
        return matrix;
      };
      const taught = { sentences, vectors: made(sentences.length) };
      const share = (stem: number) => {
        const row = rowOfStem.get(stem);
        return row === undefined ? undefined : { row, share: 1 };
      };
      return distilledVectors(made(stems.length), taught, share, 4, seed);
    };
    assert.deepEqual(train(9), train(9));
    assert.equal(train(9).rows, stems.length);
  });
});
