import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { readOrdinary } from '../src/lib/cell-rows.ts';
import { groupByCell, lengthOf } from '../src/lib/cells.ts';
import type { ScoredCellRow } from '../src/lib/scored-cells.ts';
import { scoreCells } from '../src/lib/scored-cells.ts';
import { listWritten, readWritten } from '../src/lib/written-rows.ts';

/**
 * The most false alarms that `written/ordinary.jsonl` may have; the goals are 0.002 blocked and 0.01 flagged. Lower
 * these two numbers to the measured shares whenever a model or rule changes. Never raise them.
 */
const CEILING = { blocked: 0.002, flagged: 0.01 };

describe('ordinary texts', () => {
  let rows: readonly ScoredCellRow[] = [];
  before(async () => {
    rows = await scoreCells(readOrdinary(), undefined);
  });

  const isUnder = (wrong: readonly ScoredCellRow[], ceiling: number) => {
    const first = wrong.map(({ row }) => row.id).slice(0, 20);
    const found = `${wrong.length} of ${rows.length}, among them ${first.join(', ')}`;
    assert.ok(wrong.length <= ceiling * rows.length, found);
  };

  it('ordinary texts are blocked by the default stages no more often than the ceiling', () => {
    isUnder(
      rows.filter(({ isBlocked }) => isBlocked),
      CEILING.blocked,
    );
  });

  it('ordinary texts are flagged by the default stages no more often than the ceiling', () => {
    isUnder(
      rows.filter(({ isFlagged }) => isFlagged),
      CEILING.flagged,
    );
  });

  it('ordinary texts are in no written training row, whatever the case and punctuation', () => {
    const toWords = (text: string) =>
      text
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu)
        ?.join(' ') ?? text;
    const ordinary = new Set(rows.map(({ row }) => toWords(row.text)));
    const files = ['toxicity-', 'injection-'].flatMap(listWritten);
    const shared = files.flatMap(readWritten).filter(({ text }) => ordinary.has(toWords(text)));
    assert.deepEqual(
      shared.map(({ id }) => id),
      [],
    );
  });

  it('ordinary texts have unique ids, seven languages, 60 kinds and every length', () => {
    const texts = rows.map(({ row }) => row.text);
    assert.equal(new Set(rows.map(({ row }) => row.id)).size, rows.length);
    assert.ok(texts.includes('The quick brown fox jumps over the lazy dog.'));
    const languages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl'];
    assert.deepEqual(new Set(groupByCell(rows, 'language').keys()), new Set(languages));
    assert.ok(groupByCell(rows, 'kind').size >= 60);
    assert.equal(new Set(texts.map(lengthOf)).size, 5);
  });
});
