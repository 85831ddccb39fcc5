import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runCrashCycles } from './crash-cycles.ts';
import { emptyDatabases } from './support.ts';

/** Two of each moment. */
const CYCLES = 6;
/** What operators are promised, and a machine that runs other tests beside. */
const LONGEST_RECOVERY_MS = 5_000 + 4_000;

describe(`${CYCLES} kills of a server that sends webhooks`, { concurrency: true }, () => {
  for (const database of emptyDatabases) {
    it(`no event is lost, few are sent twice, and they arrive soon after the restart on ${database.name}`, async (t) => {
      const location = await database.create(t, 'disk');
      const cycles = await runCrashCycles(t, location, CYCLES);
      for (const cycle of cycles) {
        t.diagnostic(JSON.stringify(cycle));
        assert.deepEqual(cycle.lost, []);
        assert.ok(cycle.duplicates <= cycle.inFlight, JSON.stringify(cycle));
        assert.ok(cycle.recoveryMs < LONGEST_RECOVERY_MS, JSON.stringify(cycle));
      }
      assert.ok(cycles.some(({ inFlight }) => inFlight > 0));
    });
  }
});
