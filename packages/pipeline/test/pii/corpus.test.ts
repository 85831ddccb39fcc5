import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { laterNegatives, laterRows, negativeRows, positiveRows } from './corpus/corpus.ts';
import type { CorpusFigures } from './corpus/figures.ts';
import { measure } from './corpus/figures.ts';

const TYPES = [
  'email',
  'phone_number',
  'ssn',
  'credit_card',
  'bank_account',
  'passport',
  'ip_address',
];

/** Lowest F1 over all spans and of one type, largest share of texts flagged for nothing. */
interface Bounds {
  readonly all: number;
  readonly type: number;
  readonly alarms: number;
}

describe('personal data in texts written apart from the rules', () => {
  for (const half of ['A', 'B'] as const) {
    it(`personal data in texts written apart from the rules is found exactly, and little else: half ${half}`, async (test) => {
      const figures = await measure(
        positiveRows().filter((row) => row.half === half),
        negativeRows().filter((row) => row.half === half),
      );
      check(test, figures, { all: 0.98, type: 0.95, alarms: 0.02 });
    });
  }

  it('personal data in texts written apart from the rules is found exactly, and little else: texts written after the rules', async (test) => {
    const figures = await measure(laterRows(), laterNegatives());
    check(test, figures, { all: 0.95, type: 0.93, alarms: 0.03 });
  });

  it('personal data in texts written apart from the rules is marked at its place, in both halves and every type', () => {
    const rows = positiveRows();
    assert.ok(rows.flatMap(({ marks }) => marks).length > 900);
    assert.ok(negativeRows().length > 600);
    assert.ok([...negativeRows(), ...laterNegatives()].every(({ marks }) => marks.length === 0));
    for (const half of ['A', 'B']) {
      const marks = rows.filter((row) => row.half === half).flatMap((row) => row.marks);
      const isScarce = (type: string) => marks.filter((mark) => mark.type === type).length < 30;
      assert.deepEqual(TYPES.filter(isScarce), []);
    }
    for (const { text, marks } of [...rows, ...laterRows()]) {
      assert.doesNotMatch(text, /\{\{[a-zA-Z\d]+[ :}]|\[\[[a-z?]:/);
      for (const { start, end } of marks) {
        assert.equal(text.slice(start, end).trim().length, end - start);
      }
    }
  });
});

function check(
  test: TestContext,
  { types, negatives, alarms }: CorpusFigures,
  least: Bounds,
): void {
  for (const type of [...TYPES, 'all']) {
    const { expected, precision, recall, f1 } = types.get(type) ?? assert.fail(type);
    const shown = [precision, recall, f1].map((figure) => figure.toFixed(3)).join(' ');
    test.diagnostic(`${type}: ${expected} spans, precision recall F1 ${shown}`);
    assert.ok(f1 >= (type === 'all' ? least.all : least.type), `${type} ${f1}`);
  }
  test.diagnostic(`flagged without personal data: ${alarms} of ${negatives}`);
  assert.ok(alarms / negatives <= least.alarms, `${alarms} of ${negatives}`);
}
