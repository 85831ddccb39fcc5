import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRowScanner } from '@probity/pipeline/internal';
import { makePiiRows } from '../src/generators/pii-rows.ts';
import type { Row } from '../src/lib/rows.ts';
import { spanFigures } from '../src/lib/span-metrics.ts';

const SEEDS = [1, 2, 3];
const ROWS = 1_000;

describe('personal data in forms of many countries', () => {
  for (const seed of SEEDS) {
    it(`personal data in forms of many countries is found exactly, and nothing else: seed ${seed}`, async () => {
      const rows = makePiiRows(seed, ROWS);
      const found = await scanAll(rows);
      const pairs = rows.map((row, index) => ({
        expected: row.spans,
        found: found[index]?.findings ?? [],
      }));
      for (const [type, { f1 }] of spanFigures(pairs)) {
        assert.ok(f1 >= (type === 'all' ? 0.98 : 0.95), `${type} ${f1}`);
      }
      const clean = rows.flatMap(({ label }, index) => (label === 0 ? [found[index]] : []));
      const alarms = clean.filter((verdict) => (verdict?.scores.pii ?? 0) >= 0.6).length;
      assert.ok(clean.length > 200);
      assert.ok(alarms / clean.length <= 0.01, `${alarms} of ${clean.length}`);
    });
  }

  it('personal data in forms of many countries comes out the same for the same seed', () => {
    assert.deepEqual(makePiiRows(4, 50), makePiiRows(4, 50));
    assert.notDeepEqual(makePiiRows(4, 50), makePiiRows(5, 50));
  });

  it('personal data in forms of many countries has each span where its value is', () => {
    for (const { text, spans } of makePiiRows(6, 500)) {
      for (const { start, end } of spans) {
        const value = text.slice(start, end);
        assert.equal(value.trim(), value);
        assert.ok(value.length >= 6 && !value.includes('{'));
      }
    }
  });
});

async function scanAll(rows: readonly Row[]) {
  const scan = createRowScanner({ scores: ['pii'] });
  const verdicts = [];
  for (const row of rows) verdicts.push(await scan({ id: row.id, text: row.text }));
  return verdicts;
}
