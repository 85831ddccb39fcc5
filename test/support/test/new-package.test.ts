import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { spawnProgram } from '../src/process.ts';
import type { TestLifetime } from '../src/temporary-folder.ts';
import { temporaryFolder } from '../src/temporary-folder.ts';

const repository = fileURLToPath(new URL('../../../..', import.meta.url));
/** The compiled packages on which the new package is built. */
const compiled = ['packages/core/dist', 'test/support/dist'];

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 26 });
}

/** A copy of the repository with its libraries, resolving packages within the copy. */
function copyRepository(t: TestLifetime): string {
  const { path } = temporaryFolder(t);
  const listed = git(repository, 'ls-files', '-z', '--cached', '--others', '--exclude-standard');
  const files = listed.split('\0').filter((file) => file && existsSync(join(repository, file)));
  for (const file of [...files, ...compiled]) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    cpSync(join(repository, file), join(path, file), { recursive: true });
  }
  git(path, 'init', '--quiet');
  git(path, 'add', '.');
  linkLibraries(path);
  return path;
}

function linkLibraries(path: string): void {
  const ours = join(path, 'node_modules/@probity');
  mkdirSync(ours, { recursive: true });
  for (const name of readdirSync(join(repository, 'node_modules'))) {
    if (name === '@probity') continue;
    symlinkSync(join(repository, 'node_modules', name), join(path, 'node_modules', name));
  }
  symlinkSync(join(path, 'packages/core'), join(ours, 'core'));
  symlinkSync(join(path, 'test/support'), join(ours, 'test-support'));
}

/** Runs a Node program in the copy; fails with its output unless it exits with 0. */
async function run(folder: string, ...args: string[]): Promise<string> {
  // Otherwise the runner within the copy would report to the runner of this test.
  const env = { NODE_TEST_CONTEXT: undefined };
  const program = await spawnProgram(process.execPath, args, { cwd: folder, env });
  const code = await program.exited;
  assert.equal(code, 0, `${args.join(' ')}\n${program.stdout}${program.stderr}`);
  return program.stdout;
}

/** Written by npm and by scripts/reference.mjs, never by hand. */
const isGenerated = (file: string) =>
  file === 'package-lock.json' || /^docs\/reference\//.test(file);

test('a new package builds, passes the checks and its tests, and touches three files outside it', async (t) => {
  const folder = copyRepository(t);
  await run(folder, 'scripts/new-package.mjs', 'sensors', 'sensor-reading', '--id-prefix=srd');
  await run(folder, 'node_modules/typescript/bin/tsc', '-b', 'packages/sensors');
  await run(
    folder,
    'node_modules/@biomejs/biome/bin/biome',
    'check',
    '--error-on-warnings',
    'packages/sensors',
    'packages/core/src/contract',
  );
  await run(folder, 'scripts/check-style.mjs');
  const output = await run(folder, 'scripts/test.mjs', 'sensors');
  for (const database of ['memory', 'sqlite', 'postgres']) {
    const title = `${database}: a sensor reading is deleted by its own organization, once`;
    assert.ok(output.includes(`✔ ${title}`), output);
  }
  const touched = git(folder, 'diff', '--name-only').trim().split('\n');
  const edited = touched.filter((file) => !isGenerated(file));
  assert.deepEqual(edited, [
    'packages/core/src/contract/permissions.ts',
    'packages/core/src/contract/prefixes.ts',
    'tsconfig.json',
  ]);
});

test('a new package has the files of packages/webhooks, under the names of its resource', () => {
  const template = join(repository, 'scripts/package-template/src');
  const model = join(repository, 'packages/webhooks/src');
  const shared = readdirSync(template, { recursive: true, encoding: 'utf8' });
  assert.ok(shared.length > 15, `${shared}`);
  for (const file of shared) {
    const counterpart = file.replaceAll('things', 'webhooks');
    assert.ok(existsSync(join(model, counterpart)), `${counterpart} is not in packages/webhooks`);
  }
});

for (const [title, args, message] of [
  ['without a name', [], /Usage: npm run new-package NAME/],
  ['with a name in capitals', ['Sensors'], /lower case with hyphens/],
  ['that exists', ['webhooks'], /packages\/webhooks exists already/],
  ['with a taken id prefix', ['sensors', 'organization'], /has the id prefix org; give another/],
  ['with a resource that has permissions', ['sensors', 'alert'], /has permissions on alerts/],
] as const) {
  test(`a new package ${title} is rejected and nothing is written`, async (t) => {
    const { path } = temporaryFolder(t);
    const files = ['scripts', 'packages/core/src/contract', 'packages/webhooks/package.json'];
    for (const file of [...files, 'tsconfig.json', 'package-lock.json']) {
      mkdirSync(dirname(join(path, file)), { recursive: true });
      cpSync(join(repository, file), join(path, file), { recursive: true });
    }
    const script = join(path, 'scripts/new-package.mjs');
    const program = await spawnProgram(process.execPath, [script, ...args], { cwd: path });
    assert.equal(await program.exited, 1);
    assert.match(program.stderr, message);
    for (const file of ['tsconfig.json', 'packages/core/src/contract/permissions.ts']) {
      const before = readFileSync(join(repository, file));
      assert.ok(before.equals(readFileSync(join(path, file))), `${file} is changed`);
    }
    assert.equal(existsSync(join(path, 'packages/sensors')), false);
  });
}
