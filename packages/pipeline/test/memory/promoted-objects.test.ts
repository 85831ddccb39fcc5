import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getHeapSpaceStatistics } from 'node:v8';
import { createPipeline, STAGE_NAMES } from '../../src/index.ts';

const KNOWLEDGE = ['The ferry to the northern island leaves at eight in the morning.'];
const OPTIONS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  truth_scan: { knowledge: KNOWLEDGE },
  output_truth_scanner: { knowledge: KNOWLEDGE },
  contamination_check: { protected: KNOWLEDGE },
  terms_scanner: { lists: [{ type: 'codename', terms: ['blue heron'] }] },
};
const INPUT = {
  prompt: 'When does the ferry leave?',
  response: 'The ferry leaves at eight, on line 4.',
  context: KNOWLEDGE,
};
const SCANS = 6_000;

function oldSpaceBytes(): number {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space');
  return space?.space_used_size ?? 0;
}

describe('memory while scanning', () => {
  for (const name of STAGE_NAMES) {
    it(`what a scan by ${name} makes is freed without a full collection`, async () => {
      const pipeline = createPipeline({ stages: [{ name, options: OPTIONS[name] ?? {} }] });
      for (let scan = 0; scan < 500; scan++) await pipeline.scan(INPUT);
      let promoted = 0;
      let before = oldSpaceBytes();
      for (let scan = 0; scan < SCANS; scan++) {
        await pipeline.scan(INPUT);
        if (scan % 100 > 0) continue;
        const now = oldSpaceBytes();
        promoted += Math.max(0, now - before);
        before = now;
      }
      assert.ok(promoted < 2_000 * SCANS, `${Math.round(promoted / SCANS)} bytes a scan`);
    });
  }
});
