import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { readCellRows, toCellTasks } from '../src/lib/cell-rows.ts';
import { groupByCell, lengthOf } from '../src/lib/cells.ts';
import type { ScoredCellRow } from '../src/lib/scored-cells.ts';
import { scoreCells, toCellTable } from '../src/lib/scored-cells.ts';
import { foldOfSource } from '../src/lib/splits.ts';

const row = (id: string, fields: object = {}) =>
  JSON.stringify({ id, source: 's', lang: 'en', text: 'good morning', label: 0, ...fields });

describe('rows by cell', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'probity-cells-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const read = (set: string, rows: readonly string[]) => {
    mkdirSync(join(folder, set));
    writeFileSync(join(folder, set, 'dev.jsonl'), rows.join('\n'));
    return readCellRows(folder, toCellTasks(set.slice(0, -1))[0] ?? 'toxicity', 'dev');
  };

  it('rows of a data set form cells by language, kind, length, category and place', () => {
    const rows = read('injection2', [
      row('a', { labels: { kind: 'mail', place: 'email' } }),
      row('b', { label: 1, lang: 'de', labels: { family: 'override', place: 'direct' } }),
    ]);
    assert.deepEqual([...groupByCell(rows, 'language').keys()], ['en', 'de']);
    assert.deepEqual([...groupByCell(rows, 'kind').keys()], ['mail', 'unmarked']);
    assert.deepEqual([...groupByCell(rows, 'length').keys()], ['1-3']);
    assert.deepEqual([...groupByCell(rows, 'category').keys()], ['override']);
    assert.deepEqual([...groupByCell(rows, 'place').keys()], ['email', 'direct']);
  });

  it('a row with an unknown label is refused by file and line', () => {
    const refused = (set: string, fields: object, message: RegExp) =>
      assert.throws(() => read(set, ['', row('a'), row('b', fields)]), message);
    const labels = { family: 'overide' };
    refused(
      'injection2',
      { label: 1, labels },
      /dev\.jsonl:3: labels\.family .* "overide".*row-labels/,
    );
    refused('toxicity2', { types: ['rude'] }, /dev\.jsonl:3: types .* "rude"/);
  });

  it('a data folder without rows of the task is refused by its name', () => {
    assert.throws(() => readCellRows(folder, 'toxicity', 'dev'), /--data must have dev\.jsonl/);
    assert.throws(() => toCellTasks('toxic'), /--task must be one of toxicity.*got toxic/);
  });

  it('texts fall into classes of length by words, or pairs of signs where no spaces are written', () => {
    const lengths = ['hi', 'one two three four', 'a b c d e f g h', '今天天气很好我们去公园吧', ''];
    assert.deepEqual(lengths.map(lengthOf), ['1-3', '4-7', '8-15', '4-7', '1-3']);
    assert.equal(lengthOf('w '.repeat(31)), '16-31');
    assert.equal(lengthOf('w '.repeat(32)), '32+');
  });

  it('cells are listed worst first by the bound of their interval', () => {
    const [base] = read('toxicity2', [row('a')]);
    assert.ok(base);
    const cell = (kind: string, count: number, flagged: number, isHarmful: boolean) =>
      Array.from({ length: count }, (_, at): ScoredCellRow => {
        return { ...base, kind, isHarmful, isBlocked: false, isFlagged: at < flagged };
      });
    const order = (isHarmful: boolean) => {
      const rows = [cell('one', 1, 1, isHarmful), cell('half', 100, 50, isHarmful)];
      const table = toCellTable([...rows, cell('few', 100, 1, isHarmful)].flat(), 'kind');
      return table.split('\n').map((line) => line.trim().split(' ')[0]);
    };
    assert.deepEqual(order(false), ['kind', 'all', 'half', 'one', 'few']);
    assert.deepEqual(order(true), ['kind', 'all', 'few', 'half', 'one']);
  });

  it('rows are scored as the command line scores them', async () => {
    const rows = read('toxicity2', [row('a'), row('b', { text: 'I will kill you tonight.' })]);
    const scored = await scoreCells(rows, 'toxicity');
    assert.deepEqual(
      scored.map(({ isBlocked, isFlagged }) => [isBlocked, isFlagged]),
      [
        [false, false],
        [true, true],
      ],
    );
  });

  it('a source falls whole into one fold, the same in every run', () => {
    const folds = ['davidson', 'clinc', 'tldr', 'edos'].map((name) => foldOfSource(name, 4));
    assert.deepEqual(folds, [3, 2, 3, 2]);
  });
});
