import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRowScanner } from '../../src/cli/row-scanner.ts';
import type { ContaminationRow } from './corpus/corpus.ts';
import { cleanRows, leakRows, PROTECTED_TEXTS } from './corpus/corpus.ts';

/** The threshold of `scores.contamination` (specification, scanning.thresholds). */
const THRESHOLD = 0.5;

/** The rows that are flagged. */
async function flagged(rows: readonly ContaminationRow[]): Promise<ContaminationRow[]> {
  const scan = createRowScanner({ scores: ['contamination'], protected: PROTECTED_TEXTS });
  const found: ContaminationRow[] = [];
  for (const row of rows) {
    const { scores } = await scan({ id: row.kind, text: row.text });
    if ((scores.contamination ?? 0) >= THRESHOLD) found.push(row);
  }
  return found;
}

describe('protected texts obfuscated, and texts that only look like them', () => {
  for (const [half, recall] of [
    ['A', 0.99],
    ['B', 0.96],
  ] as const) {
    it(`protected texts obfuscated, and texts that only look like them are distinguished: half ${half}`, async (test) => {
      const leaks = leakRows().filter((row) => row.half === half);
      const clean = cleanRows().filter((row) => row.half === half);
      const found = await flagged(leaks);
      const alarms = await flagged(clean);
      test.diagnostic(`found ${found.length} of ${leaks.length}`);
      test.diagnostic(`flagged for nothing ${alarms.length} of ${clean.length}`);
      assert.ok(found.length >= recall * leaks.length, `${found.length} of ${leaks.length}`);
      assert.ok(alarms.length <= 1, alarms.map(({ kind }) => kind).join());
    });
  }

  it('the corpus of obfuscated protected texts has many rows of every kind in both halves', () => {
    const kinds = (half: string) =>
      new Set(
        [...leakRows(), ...cleanRows()].filter((row) => row.half === half).map((row) => row.kind),
      );
    assert.ok(leakRows().length > 300 && cleanRows().length > 200);
    assert.deepEqual([...kinds('A')].sort(), [...kinds('B')].sort());
    assert.equal(PROTECTED_TEXTS.length, 40);
  });
});
