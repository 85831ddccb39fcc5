import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '@probity/test-support';
import { createMaintenance } from '../../src/maintenance/maintenance.ts';
import { createMemoryMaintenanceStorage } from '../../src/maintenance/memory.ts';
import type { MaintenanceStorage } from '../../src/maintenance/storage.ts';
import { createMemoryDatabase } from '../../src/storage/memory.ts';

/** Two instances on one database; the reads of the first are counted and can be made to fail. */
function world() {
  const storage = createMemoryMaintenanceStorage(createMemoryDatabase());
  const clock = createTestClock();
  const watched = { reads: 0, isDown: false };
  const counting: MaintenanceStorage = {
    ...storage,
    async readMaintenance() {
      watched.reads += 1;
      if (watched.isDown) throw new Error('down');
      return storage.readMaintenance();
    },
  };
  const first = createMaintenance({ storage: counting, clock });
  return { clock, watched, first, second: createMaintenance({ storage, clock }) };
}

test('maintenance takes effect on another instance within a second of its start and end', async () => {
  const { clock, first, second } = world();
  assert.deepEqual(await first.state(), { active: false, beganAt: null });
  const begun = await second.begin();
  assert.deepEqual(begun, { active: true, beganAt: clock.now() });
  await clock.advance(999);
  assert.equal((await first.state()).active, false);
  await clock.advance(1);
  assert.deepEqual(await first.state(), begun);
  await second.end();
  await clock.advance(1_000);
  assert.deepEqual(await first.state(), { ...begun, active: false });
});

test('many requests within a second read the maintenance state once', async () => {
  const { clock, watched, first } = world();
  await Promise.all(Array.from({ length: 50 }, () => first.state()));
  await first.state();
  assert.equal(watched.reads, 1);
  await clock.advance(1_000);
  await Promise.all(Array.from({ length: 50 }, () => first.state()));
  assert.equal(watched.reads, 2);
});

test('an instance that cannot read the maintenance state uses the last known one', async () => {
  const { clock, watched, first, second } = world();
  watched.isDown = true;
  assert.deepEqual(await first.state(), { active: false, beganAt: null });
  watched.isDown = false;
  await second.begin();
  await clock.advance(1_000);
  assert.equal((await first.state()).active, true);
  watched.isDown = true;
  await clock.advance(5_000);
  assert.equal((await first.state()).active, true);
});

test('maintenance takes effect at once on the instance that starts or ends it', async () => {
  const { first } = world();
  await first.state();
  await first.begin();
  assert.equal((await first.state()).active, true);
  await first.end();
  assert.equal((await first.state()).active, false);
});
