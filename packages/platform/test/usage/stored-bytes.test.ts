import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OUTSIDE_REQUEST } from '@probity/core';
import { createTestClock } from '@probity/test-support';
import { newOrganization } from '../../src/testing/records.ts';
import type { PlatformTestDatabase } from '../../src/testing/targets.ts';
import { createStoredBytesMeasure } from '../../src/usage/stored-bytes.ts';
import { sqlTargets } from '../support.ts';

/** A measure of sizes that a test sets, with the number of measurements so far. */
function createMeasure(rowsOf: Readonly<Record<string, number>>) {
  const clock = createTestClock();
  const measured: string[] = [];
  const measure = createStoredBytesMeasure(clock, {
    async estimateStoredBytes(organizationId) {
      measured.push(organizationId);
      return { bytes: measured.length, rows: rowsOf[organizationId] ?? 0 };
    },
  });
  return { clock, measure, measured };
}

test('the size of a large organization is measured once in a time in proportion to its rows', async () => {
  const { clock, measure, measured } = createMeasure({ org_1: 1_000_000, org_2: 2_000_000 });
  assert.deepEqual(await Promise.all([measure('org_1'), measure('org_1')]), [1, 1]);
  assert.equal(await measure('org_2'), 2);
  await clock.advance(59_999);
  assert.deepEqual([await measure('org_1'), await measure('org_2')], [1, 2]);
  await clock.advance(1);
  assert.deepEqual([await measure('org_1'), await measure('org_2')], [3, 2]);
  assert.deepEqual(measured, ['org_1', 'org_2', 'org_1']);
});

test('the size of a small organization is measured at each call', async () => {
  const { measure, measured } = createMeasure({ org_1: 9_999 });
  assert.deepEqual([await measure('org_1'), await measure('org_1')], [1, 2]);
  assert.equal(measured.length, 2);
});

test('a measurement that failed is repeated by the next call', async () => {
  let isFailing = true;
  const measure = createStoredBytesMeasure(createTestClock(), {
    async estimateStoredBytes() {
      if (isFailing) throw new Error('no answer');
      return { bytes: 7, rows: 1 };
    },
  });
  await assert.rejects(measure('org_1'), /no answer/);
  isFailing = false;
  assert.equal(await measure('org_1'), 7);
});

/** Stores instances of both organizations in turn, `own` of the first for each of the second. */
async function fill(
  { database }: Extract<PlatformTestDatabase, { kind: 'sql' }>,
  [first, second]: readonly [string, string],
  count: number,
  own: number,
): Promise<void> {
  const series =
    database.reader.dialect === 'sqlite'
      ? `with recursive s(i) as (select 1 union all select i + 1 from s where i < ${count})`
      : `with s(i) as (select * from generate_series(1, ${count}))`;
  const insert = `insert into probity_instances
    (organization_id, kind, instance_id, version, first_seen, last_seen) ${series}
    select case when i % ${own + 1} = 0 then '${second}' else '${first}' end,
      'gateway', cast(i as text), '${'x'.repeat(100)}', 1767225600000, 1767225600000 from s`;
  await database.transaction((session) => session.execute(insert, []));
}

for (const target of sqlTargets) {
  test(`${target.name}: the size of a large organization is estimated from as many rows, however large it is`, async (t) => {
    const opened = await target.open();
    t.after(opened.dispose);
    assert.equal(opened.kind, 'sql');
    const { storage } = opened;
    const organizations = [newOrganization(), newOrganization()] as const;
    await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
      for (const organization of organizations) await tx.insertOrganization(organization);
    });
    const [first, second] = [organizations[0].id, organizations[1].id];
    const rows = 150_000;
    await fill(opened, [first, second], rows, 3);
    const size = await storage.estimateStoredBytes(first);
    assert.ok(size.rows >= 20_000 && size.rows < 20_010, `${size.rows}`);
    const exact = ((rows * 3) / 4) * (first.length + 7 + 5 + 100 + 13 + 13);
    assert.ok(Math.abs(size.bytes / exact - 1) < 0.1, `${size.bytes} of ${exact}`);
    const other = await storage.estimateStoredBytes(second);
    const ratio = other.bytes / size.bytes;
    assert.ok(Math.abs(ratio - 1 / 3) < 0.05, `${ratio}`);
  });
}
