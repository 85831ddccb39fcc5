import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { capture } from '../../scripts/support/run.mjs';
import { folder } from './host-process.js';

/** What node:test tells its children would make a nested run report to nobody. */
const { NODE_TEST_CONTEXT: _, ...env } = process.env;
const WRAPPERS = ['openai.test.js', 'ai-sdk.test.js', 'langchain.test.js'];
/** One file takes about ten seconds; the second limit is for a runner that hangs itself. */
const FILE_MS = 600_000;
const ALL_MS = 1_200_000;
const line = Number.parseInt(process.versions.node, 10);

for (const [set, least] of /** @type {const} */ ([
  ['oldest-sdks', 20],
  ['newest-sdks', 22],
])) {
  const skip = line < least && `the SDKs need Node ${least}`;
  test(`the wrappers guard the clients of the ${set}`, { skip }, async () => {
    const args = ['--test', '--test-reporter=tap', `--test-timeout=${FILE_MS}`, ...WRAPPERS];
    const { code, output } = await capture(process.execPath, args, {
      cwd: join(folder, set),
      env,
      timeout: ALL_MS,
    });
    assert.equal(code, 0, output.slice(-5_000));
    const passed = Number(/^# pass (\d+)$/m.exec(output)?.[1] ?? 0);
    assert.ok(passed >= 16, `only ${passed} tests ran`);
  });
}
