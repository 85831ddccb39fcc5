import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRandom } from '@probity/test-support/random';
import { calculations } from '../src/generators/calculations.ts';
import { NEWS, newsStatements } from '../src/generators/news.ts';
import { makePiiRows } from '../src/generators/pii-rows.ts';
import { readDataFile, toDataFile } from '../src/lib/data-file.ts';
import { CHECKSUMS, checksumOf, SEED } from './checksums.ts';

describe('the files of word lists and templates', () => {
  it('a data file gives its fields in the shapes that are asked for', () => {
    const file = toDataFile(
      { a: ['x'], b: { one: ['y'] }, c: [['z']], d: { one: 'u' }, e: [{ f: 'v' }], g: { h: {} } },
      'here',
    );
    assert.deepEqual(file.list('a'), ['x']);
    assert.deepEqual(file.lists('b'), { one: ['y'] });
    assert.deepEqual(file.groups('c'), [['z']]);
    assert.deepEqual(file.texts('d'), { one: 'u' });
    assert.deepEqual(
      file.entries('e', (entry) => entry.text('f')),
      ['v'],
    );
    assert.deepEqual(
      file.named('g', ({ fields }) => fields),
      { h: [] },
    );
  });

  it('a data file of another shape is refused by its name and field', () => {
    const file = toDataFile({ a: ['x', 1], b: { one: 'y' }, c: [], e: [{ f: 2 }] }, 'here');
    const refused = (read: () => unknown, message: RegExp) =>
      assert.throws(read, { name: 'DataFileError', message });
    refused(() => file.list('a'), /^here: a: expected a list of texts$/);
    refused(() => file.list('c'), /^here: c: /);
    refused(() => file.list('none'), /^here: none: /);
    refused(() => file.lists('b'), /^here: b: expected lists of texts by name$/);
    refused(
      () => file.entries('e', (entry) => entry.text('f')),
      /^here: e\[0\]: f: expected a text$/,
    );
    refused(() => toDataFile([], 'here'), /^here: expected an object$/);
    refused(() => readDataFile('no/such'), /^data\/no\/such\.json: /);
  });
});

describe('rows made by rule', () => {
  const others = (reports: readonly unknown[], own: unknown) =>
    reports.filter((report) => report !== own);
  const made: Record<'pii' | 'calculations' | 'news', () => readonly unknown[]> = {
    pii: () => makePiiRows(SEED, 1_000),
    calculations: () => calculations(500, createRandom(SEED)),
    news: () => {
      const random = createRandom(SEED);
      return Object.values(NEWS).flatMap((reports) =>
        reports.flatMap((report) =>
          newsStatements(report, others(reports, report) as typeof reports, random),
        ),
      );
    },
  };
  for (const [name, make] of Object.entries(made)) {
    it(`rows made by rule come out the same, byte by byte, on every machine: ${name}`, () => {
      assert.equal(checksumOf(make()), CHECKSUMS[name as keyof typeof made]);
    });
  }
});
