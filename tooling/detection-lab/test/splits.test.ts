import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRandom, hashText } from '@probity/test-support/random';
import { bySource, foldGroups, leaveOneSourceOut, splitGroups } from '../src/lib/splits.ts';

const ROWS = Array.from({ length: 2_000 }, (_, index) => ({
  id: `r${index}`,
  source: `s${index % 4}`,
  group: `g${Math.floor(index / 8)}`,
}));

describe('a seeded source of numbers', () => {
  it('a seeded source of numbers repeats itself for the same seed and differs for another', () => {
    const draw = (seed: number) => {
      const random = createRandom(seed);
      return Array.from({ length: 5 }, () => random.next());
    };
    assert.deepEqual(draw(1), draw(1));
    assert.notDeepEqual(draw(1), draw(2));
  });

  it('a seeded source of numbers is even: mean and spread are those of the distributions', () => {
    const random = createRandom(11);
    const count = 20_000;
    const even = Array.from({ length: count }, () => random.next());
    const normal = Array.from({ length: count }, () => random.normal());
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / count;
    assert.ok(Math.abs(mean(even) - 0.5) < 0.01);
    assert.ok(Math.abs(mean(normal)) < 0.03);
    assert.ok(Math.abs(mean(normal.map((value) => value * value)) - 1) < 0.05);
    assert.ok(even.every((value) => value >= 0 && value < 1));
  });

  it('a seeded source of numbers shuffles without losing anything', () => {
    const values = Array.from({ length: 50 }, (_, index) => index);
    const shuffled = createRandom(5).shuffle(values);
    assert.notDeepEqual(shuffled, values);
    assert.deepEqual(
      shuffled.sort((a, b) => a - b),
      values,
    );
    assert.throws(() => createRandom(1).pick([]), RangeError);
  });

  it('a seeded source of numbers hashes a text as FNV-1a does', () => {
    assert.equal(hashText(''), 0x811c9dc5);
    assert.equal(hashText('a'), 0xe40c292c);
    assert.equal(hashText('foobar'), 0xbf9cf968);
  });
});

describe('splits', () => {
  it('splits hold out one whole source at a time', () => {
    const parts = leaveOneSourceOut(ROWS);
    assert.deepEqual(
      parts.map(({ source }) => source),
      ['s0', 's1', 's2', 's3'],
    );
    for (const { source, fit, held } of parts) {
      assert.equal(fit.length + held.length, ROWS.length);
      assert.ok(held.every((row) => row.source === source));
      assert.ok(fit.every((row) => row.source !== source));
    }
  });

  it('splits keep the rows of a group on one side, at about the wanted share', () => {
    const { fit, held } = splitGroups(ROWS, 0.25, 42);
    const key = ({ source, group }: (typeof ROWS)[number]) => `${source} ${group}`;
    const fitted = new Set(fit.map(key));
    assert.ok(held.every((row) => !fitted.has(key(row))));
    assert.ok(Math.abs(held.length / ROWS.length - 0.25) < 0.05);
    assert.deepEqual(splitGroups(ROWS, 0.25, 42), { fit, held });
    assert.notDeepEqual(splitGroups(ROWS, 0.25, 43), { fit, held });
  });

  it('splits cut folds of about the same size without cutting groups', () => {
    const folds = foldGroups(ROWS, 5, 1);
    assert.equal(folds.flat().length, ROWS.length);
    for (const fold of folds) assert.ok(Math.abs(fold.length - 400) < 100, String(fold.length));
    const sources = folds.map((fold) => bySource(fold).size);
    assert.deepEqual(sources, [4, 4, 4, 4, 4]);
  });
});
