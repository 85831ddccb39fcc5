import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OUTSIDE_REQUEST } from '@probity/core';
import { createTestTenant, recordStatements } from '@probity/core/testing';
import { alertFixture } from '../../src/fixtures.ts';
import { storageOf, targets } from '../world.ts';

const HOUR_MS = 3_600_000;

for (const target of targets.filter(({ name }) => name !== 'memory')) {
  describe(`${target.name}: counts of alerts`, () => {
    test('alerts are counted by hour and by AI system within the database', async (t) => {
      const opened = await target.open();
      t.after(opened.dispose);
      assert.ok(opened.kind === 'sql');
      const { organizationId } = await createTestTenant(opened);
      let rowsRead = 0;
      const database = recordStatements(
        opened.database,
        () => undefined,
        (count) => {
          rowsRead += count;
        },
      );
      const storage = storageOf({ ...opened, database });
      await storage.transaction(OUTSIDE_REQUEST, async (tx) => {
        for (let index = 0; index < 300; index += 1) {
          const createdAt = new Date(HOUR_MS * 5 + (index % 2) * HOUR_MS + index);
          await tx.insertAlert(alertFixture({ id: `alr_${index}`, organizationId, createdAt }));
        }
      });
      rowsRead = 0;
      const byHour = await storage.countAlertsByHour(organizationId, {});
      assert.deepEqual(
        byHour.map(({ hour, count }) => [hour.getTime() / HOUR_MS, count]),
        [
          [6, 150],
          [5, 150],
        ],
      );
      assert.equal(rowsRead, 2);
      rowsRead = 0;
      const at = new Date(HOUR_MS * 6);
      assert.deepEqual(await storage.countOpenAlerts(organizationId, at), [
        { aiSystemId: null, count: 150 },
      ]);
      assert.equal(rowsRead, 1);
    });
  });
}
