import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { capture } from '../../scripts/support/run.mjs';
import { folder } from './host-process.js';

/** What node:test tells its children would make a nested run report to nobody. */
const { NODE_TEST_CONTEXT: _, ...env } = process.env;

for (const set of ['oldest', 'newest']) {
  test(`the storages keep their contracts on the ${set} kysely and pg`, async () => {
    const args = ['--test', '--test-reporter=tap', 'contracts.test.js'];
    const { code, output } = await capture(process.execPath, args, {
      cwd: join(folder, set),
      env,
      timeout: 1_200_000,
    });
    assert.equal(code, 0, output.slice(-5_000));
    const passed = Number(/^# pass (\d+)$/m.exec(output)?.[1] ?? 0);
    assert.ok(passed > 60, `only ${passed} tests ran`);
  });
}
