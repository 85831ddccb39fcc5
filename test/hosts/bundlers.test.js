import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { capture } from '../../scripts/support/run.mjs';
import { folder } from './host-process.js';

const tools = join(folder, 'tools');
const requireTool = createRequire(join(tools, 'package.json'));
const BLOCKED = '403 PII_DETECTED ok,ok,ok,ok,ok\n';

/** A bundle in ESM has no `require`, which CommonJS packages in it call for modules of Node. */
const BANNER =
  "import { createRequire as createBundleRequire } from 'node:module';" +
  'const require = createBundleRequire(import.meta.url);';

/** A folder outside of the installation, deleted at the end of the test. */
function emptyFolder(/** @type {import('node:test').TestContext} */ t) {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'probity-bundle-')));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** @param {string} cwd @param {readonly string[]} args @param {Record<string, string>} [env] */
function runNode(cwd, args, env = {}) {
  const database = join(mkdtempSync(join(folder, 'data-')), 'app.db');
  const all = { ...process.env, DATABASE: `sqlite:${database}`, ...env };
  return capture(process.execPath, args, { cwd, env: all, timeout: 600_000 });
}

/** What stages-app.js prints: every stage has loaded its weights. */
const EVERY_STAGE =
  'blocked pii_scanner found ssn contamination_check,output_truth_scanner,pii_scanner,secrets_scanner,' +
  'shouting,terms_scanner,truth_scan true\n';

/** The programs that are bundled and traced, and what they print. */
const PROGRAMS = /** @type {const} */ ([
  ['scan-app.js', 'blocks a leak', BLOCKED],
  ['stages-app.js', 'runs stages of their own entries', EVERY_STAGE],
]);

for (const [program, does, expected] of PROGRAMS) {
  for (const [format, file] of [
    ['esm', 'app.mjs'],
    ['cjs', 'app.cjs'],
  ]) {
    test(`a bundle of esbuild as ${format} ${does}`, async (t) => {
      const target = emptyFolder(t);
      await requireTool('esbuild').build({
        absWorkingDir: tools,
        entryPoints: [program],
        bundle: true,
        platform: 'node',
        format,
        outfile: join(target, file),
        ...(format === 'esm' && { banner: { js: BANNER } }),
        logLevel: 'silent',
      });
      cpSync(join(tools, 'node_modules/@probity/pipeline/models'), join(target, 'models'), {
        recursive: true,
      });
      // The native driver and what it loads stay outside of a bundle.
      cpSync(join(folder, 'node_modules'), join(target, 'node_modules'), { recursive: true });
      assert.equal((await runNode(target, [file])).output, expected);
    });
  }

  test(`the files that @vercel/nft traces: it ${does}`, async (t) => {
    const target = emptyFolder(t);
    const { nodeFileTrace } = requireTool('@vercel/nft');
    const { fileList } = await nodeFileTrace([join(tools, program)], { base: folder });
    for (const file of fileList)
      cpSync(join(folder, file), join(target, file), { recursive: true });
    assert.equal((await runNode(join(target, 'tools'), [program])).output, expected);
  });
}

test('a test of Vitest blocks a leak', async () => {
  const vitest = join('node_modules', 'vitest', 'vitest.mjs');
  const args = [vitest, 'run', '--testTimeout=60000', 'vitest.test.js'];
  const { code, output } = await runNode(tools, args);
  assert.equal(code, 0, output);
});

test('a test of Jest with ES modules blocks a leak', async () => {
  const jest = join('node_modules', 'jest', 'bin', 'jest.js');
  const { code, output } = await runNode(tools, [
    '--experimental-vm-modules',
    ...[jest, '--testTimeout=60000', '--testMatch', '**/jest.test.js', '--transform', '{}'],
  ]);
  assert.equal(code, 0, output);
});
