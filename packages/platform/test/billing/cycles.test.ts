import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addMonths, cycleEndAfter } from '../../src/billing/cycles.ts';

const steps: ReadonlyArray<readonly [string, number, string]> = [
  ['2026-01-15T10:30:00.123Z', 1, '2026-02-15T10:30:00.123Z'],
  ['2026-01-31T00:00:00.000Z', 1, '2026-02-28T00:00:00.000Z'],
  ['2028-01-31T00:00:00.000Z', 1, '2028-02-29T00:00:00.000Z'],
  ['2026-12-31T23:59:59.999Z', 2, '2027-02-28T23:59:59.999Z'],
  ['2026-05-31T12:00:00.000Z', 0, '2026-05-31T12:00:00.000Z'],
];

for (const [start, count, end] of steps) {
  test(`${count} months after ${start} is ${end}`, () => {
    assert.equal(addMonths(new Date(start), count).toISOString(), end);
  });
}

test('a cycle anchored on the 31st returns to it after a short month', () => {
  const anchor = new Date('2026-01-31T08:00:00.000Z');
  const ends: string[] = [];
  let start = anchor;
  for (let cycle = 0; cycle < 4; cycle += 1) {
    start = cycleEndAfter(anchor, start);
    ends.push(start.toISOString().slice(0, 10));
  }
  assert.deepEqual(ends, ['2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31']);
});

test('every cycle has 28 to 31 days, and the n-th ends n months after the anchor', () => {
  const times = fc.date({
    min: new Date('2020-01-01T00:00:00Z'),
    max: new Date('2099-12-31T00:00:00Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(times, fc.integer({ min: 1, max: 40 }), (anchor, count) => {
      let start = anchor;
      for (let cycle = 0; cycle < count; cycle += 1) {
        const end = cycleEndAfter(anchor, start);
        const days = (end.getTime() - start.getTime()) / 86_400_000;
        assert.ok(days >= 28 && days <= 31, `${days}`);
        start = end;
      }
      assert.equal(start.getTime(), addMonths(anchor, count).getTime());
    }),
  );
});
