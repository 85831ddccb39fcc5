import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { roundsOf } from '@probity/test-support/combinations';
import { KILL_MOMENTS, runCrashCycles } from './crash-cycles.ts';
import { emptyDatabases } from './support.ts';

/** Every moment is repeated equally often. */
const CYCLES = roundsOf(4 * KILL_MOMENTS.length);

describe(`${CYCLES} kills of a server that sends webhooks`, { concurrency: true }, () => {
  for (const database of emptyDatabases) {
    it(`a server killed while sending loses no event and repeats few on ${database.name}`, async (t) => {
      const location = await database.create(t, 'disk');
      const cycles = await runCrashCycles(t, location, CYCLES);
      for (const cycle of cycles) {
        t.diagnostic(JSON.stringify(cycle));
        assert.deepEqual(cycle.lost, []);
        assert.ok(cycle.duplicates <= cycle.inFlight, JSON.stringify(cycle));
      }
      assert.ok(cycles.some(({ inFlight }) => inFlight > 0));
    });
  }
});
