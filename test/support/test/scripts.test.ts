import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Files } from './script-repository.ts';
import { makeRepository, repository, runScript } from './script-repository.ts';

const core = { 'packages/core/package.json': '{"name":"@probity/core","version":"1.0.0"}' };
const todo = ['TO', 'DO'].join('');

const breaches: readonly (readonly [string, Files, RegExp])[] = [
  [
    'a long file',
    { 'packages/core/src/a.ts': 'export {};\n'.repeat(401) },
    /a\.ts:1 401 lines, more than 400/,
  ],
  [
    'a long function',
    { 'packages/core/src/a.ts': `export function f(): void {\n${'f();\n'.repeat(59)}}\n` },
    /a\.ts:1 f has 61 lines of its own/,
  ],
  ['any', { 'packages/core/src/a.ts': '\nexport type A = any;\n' }, /a\.ts:2 the type any/],
  ['unfinished work', { 'packages/core/src/a.ts': `// ${todo}: more\n` }, /a\.ts:1 a note/],
  [
    'a skipped test',
    { 'packages/core/test/a.test.ts': "import { test } from 'node:test';\ntest.skip('a');\n" },
    /a\.test\.ts:2 a test that is switched off/,
  ],
  [
    'a test left out by an option',
    { 'packages/core/test/a.test.ts': "test('a', { skip: true }, () => {});\n" },
    /a\.test\.ts:1 a test that is switched off/,
  ],
  [
    'core importing a package',
    { 'packages/core/src/a.ts': "export * from '@probity/pipeline';\n" },
    /core must not import @probity\/pipeline/,
  ],
  [
    'kysely outside sql',
    { 'packages/core/src/a.ts': "import type { A } from 'kysely';\nexport type B = A;\n" },
    /only sql\.ts and sql\/ may import kysely/,
  ],
  [
    'the PDF library outside pdf.ts',
    { 'packages/platform/src/a.ts': "export * from '@cantoo/pdf-lib';\n" },
    /only pdf\.ts and pdf\/ may import @cantoo\/pdf-lib/,
  ],
  [
    'koa imported through the root entry',
    {
      'packages/core/src/index.ts': "export { a } from './a.ts';\n",
      'packages/core/src/a.ts': "import 'koa';\nexport const a = 1;\n",
    },
    /a\.ts:1 reached from the root entry of packages\/core, which must not load koa/,
  ],
  [
    'an import that leaves the package',
    { 'packages/core/src/a.ts': "import '../../scim/src/index.ts';\n" },
    /leaves the package/,
  ],
  [
    'a package outside the table that uses a package other than core',
    {
      'packages/other/package.json':
        '{"name":"@probity/other","dependencies":{"@probity/core":"1","@probity/pipeline":"1"}}',
    },
    /other must not depend on pipeline/,
  ],
  ['a path of one machine', { 'a.md': `see ${'/ro'}${'ot/x'}\n` }, /a\.md:1 a path or registry/],
];

for (const [name, files, message] of breaches) {
  test(`the style check reports ${name}`, async (t) => {
    const folder = makeRepository({ ...core, ...files }, t);
    const { code, output } = await runScript(folder, ['scripts/check-style.mjs']);
    assert.match(output, message);
    assert.equal(code, 1);
  });
}

test('the SQLite driver is compiled and never downloaded', async () => {
  const module: unknown = await import(join(repository, 'scripts', 'native.mjs'));
  const { compileOnly } = module as { compileOnly: Record<string, string> };
  const modules = join(repository, 'node_modules');
  const driver = readFileSync(join(modules, 'better-sqlite3', 'package.json'), 'utf8');
  const { scripts } = JSON.parse(driver) as { scripts: { install: string } };
  assert.equal(scripts.install, 'prebuild-install || node-gyp rebuild --release');
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(modules, 'prebuild-install', 'bin.js'), '--verbose'],
    {
      cwd: join(modules, 'better-sqlite3'),
      // An address without a server: a download fails otherwise than by the setting.
      env: { ...process.env, ...compileOnly, npm_config_proxy: 'http://127.0.0.1:9' },
      encoding: 'utf8',
    },
  );
  assert.equal(status, 1);
  assert.match(stderr, /build-from-source specified, not attempting download/);
});

test('the style check accepts data, nested functions and correct code', async (t) => {
  const nested = `export function f(): void {\n${'g(() => {\n  h();\n});\n'.repeat(25)}}\n`;
  const folder = makeRepository(
    {
      ...core,
      'packages/core/src/data/table.ts': 'export {};\n'.repeat(500),
      'packages/core/src/sql/a.ts': "import 'kysely';\n",
      'packages/core/src/index.ts': nested,
      'packages/core/test/a.test.ts': "import 'koa';\ntest('a', { skip: reason() }, f);\n",
    },
    t,
  );
  const { code, output } = await runScript(folder, ['scripts/check-style.mjs']);
  assert.match(output, /, 0 breaches/);
  assert.equal(code, 0);
});

test('the documents check reports dead links and stale examples', async (t) => {
  const example = '<!-- example: a.ts -->\n```ts\nexport const a = 1;\n```\n';
  const good = makeRepository(
    { 'a.ts': 'export const a = 1;\n', 'b.md': `[a](a.ts)\n${example}` },
    t,
  );
  assert.equal((await runScript(good, ['scripts/check-docs.mjs'])).code, 0);
  const bad = makeRepository(
    { 'a.ts': 'export const a = 2;\n', 'b.md': `\n[a](c.ts)\n${example}` },
    t,
  );
  const { code, output } = await runScript(bad, ['scripts/check-docs.mjs']);
  assert.match(output, /b\.md:2 no such file: c\.ts\n.*differs from a\.ts/);
  assert.equal(code, 1);
});

test('the documents check reports a quoted message that no source has', async (t) => {
  const source = "throw new Error('The file ' + path + ' is ' +\n  'missing: make it.');\n";
  const page = (message: string) => ({
    'packages/core/src/a.ts': source,
    'docs/troubleshooting.md': `| Message | Cause |\n|---|---|\n| \`${message}\` | why |\n`,
  });
  const good = makeRepository(page('The file … is missing: make it.'), t);
  assert.equal((await runScript(good, ['scripts/check-docs.mjs'])).code, 0);
  const bad = makeRepository(page('The file … is missing: create it.'), t);
  const { code, output } = await runScript(bad, ['scripts/check-docs.mjs']);
  assert.match(output, /troubleshooting\.md:3 no source has the message: is missing: create it\./);
  assert.equal(code, 1);
  const second = makeRepository(page('The file … is missing: make it.`, `It is gone.'), t);
  const checked = await runScript(second, ['scripts/check-docs.mjs']);
  assert.match(checked.output, /troubleshooting\.md:3 no source has the message: It is gone\./);
});

test('the documents check reports an installation of better-sqlite3 12 that downloads', async (t) => {
  const setting = 'npm_config_build_from_source=true';
  const page = (...lines: string[]) => ({ 'docs/start.md': `${lines.join('\n')}\n` });
  const good = page(`# ${setting} npm install better-sqlite3@12`, 'npm install better-sqlite3@13');
  const run = (files: Files) => runScript(makeRepository(files, t), ['scripts/check-docs.mjs']);
  assert.equal((await run(good)).code, 0);
  const bad = page(
    'npm install better-sqlite3@12',
    'npm install better-sqlite3@13 # version 12 on Node before 22.14',
  );
  const { code, output } = await run(bad);
  for (const line of [1, 2]) {
    assert.ok(
      output.includes(`docs/start.md:${line} installs better-sqlite3 12 without ${setting}`),
    );
  }
  assert.equal(code, 1);
});

test('the documents check reports a threat whose test does not exist', async (t) => {
  const title = "a key's owner is known";
  const page = (row: string) => ({
    'packages/core/test/a.test.ts': `it(\n  "${title}",\n  () => {});\ncall('${title} not');\n`,
    'docs/security.md': `## Threats and their tests\n\n| Threat | Test |\n|---|---|\n${row}\n\n## Other\n`,
  });
  const rowOf = (name: string, file: string) =>
    `| why | [${name}](../packages/core/test/${file}) |`;
  const good = makeRepository(page(rowOf(title, 'a.test.ts')), t);
  const { code, output } = await runScript(good, ['scripts/check-docs.mjs']);
  assert.deepEqual([code, output.match(/security/)], [0, null]);
  const faults = [
    [rowOf(`${title} not`, 'a.test.ts'), /security\.md:5 .*a\.test\.ts has no test with the title/],
    [rowOf(title, 'b.test.ts'), /security\.md:5 no such file: packages\/core\/test\/b\.test\.ts/],
    ['| why | none |', /security\.md:5 a row is/],
  ] as const;
  for (const [row, message] of faults) {
    const bad = await runScript(makeRepository(page(row), t), ['scripts/check-docs.mjs']);
    assert.match(bad.output, message);
    assert.equal(bad.code, 1);
  }
});

const goodRecord = '## Why?\n\n**Decision.** A.\n\n**Why.** B.\n\n**Date.** 2026-11-21\n';

test('the decision index lists every record, and the documents check reports an outdated index', async (t) => {
  const folder = makeRepository({ 'docs/decisions/b.md': `# Area\n\n${goodRecord}` }, t);
  const missing = await runScript(folder, ['scripts/check-docs.mjs']);
  assert.match(missing.output, /docs\/decisions\/README\.md is out of date/);
  assert.equal(missing.code, 1);
  assert.equal((await runScript(folder, ['scripts/decisions-index.mjs', '--write'])).code, 0);
  const index = readFileSync(join(folder, 'docs/decisions/README.md'), 'utf8');
  assert.match(index, /## \[Area\]\(b\.md\)\n\n- \[Why\?\]\(b\.md#why\)\n$/);
  assert.equal((await runScript(folder, ['scripts/check-docs.mjs'])).code, 0);
  writeFileSync(join(folder, 'docs/decisions/a.md'), `# Other area\n\n${goodRecord}`);
  const lagging = await runScript(folder, ['scripts/check-docs.mjs']);
  assert.match(lagging.output, /docs\/decisions\/README\.md is out of date/);
  assert.equal(lagging.code, 1);
});

const recordFaults: readonly (readonly [string, string, RegExp])[] = [
  ['no question', goodRecord.replace('?', ''), /a\.md:3 the heading of a record is a question/],
  ['no decision', goodRecord.replace('**Decision.** A.', 'A.'), /a\.md:3 \*\*Decision/],
  ['no reason', goodRecord.replace('**Why.** B.', 'B.'), /a\.md:3 \*\*Why\.\*\* is missing/],
  ['no date', goodRecord.replace(/\*\*Date.*/, ''), /a\.md:3 \*\*Date\.\*\* is missing/],
  ['a day that does not exist', goodRecord.replace('11-21', '02-30'), /a\.md:3 the date is/],
  ['parts in another order', goodRecord.replace('A.', 'A.\n\n**Measured.** 1.'), /in order: Why/],
  ['a repeated question', `${goodRecord}\n${goodRecord}`, /a\.md:11 the question is repeated/],
  ['no record at all', 'Text.\n', /a\.md:1 there is no record/],
];

for (const [name, records, message] of recordFaults) {
  test(`the document check reports a decision file with ${name}`, async (t) => {
    const folder = makeRepository({ 'docs/decisions/a.md': `# Area\n\n${records}` }, t);
    await runScript(folder, ['scripts/decisions-index.mjs', '--write']);
    const { code, output } = await runScript(folder, ['scripts/check-docs.mjs']);
    assert.match(output, message);
    assert.doesNotMatch(output, /out of date/);
    assert.equal(code, 1);
  });
}

/** A compiled test file together with the source it came from. */
function compiled(name: string, source: string): Files {
  const js = `import { test } from 'node:test';\n${source}\n`;
  const folder = 'packages/core';
  return { [`${folder}/dist/test/${name}.test.js`]: js, [`${folder}/test/${name}.test.ts`]: '' };
}

const reportPid = "test('pid', () => console.log('pid=' + process.pid));";

test('one process runs a few files of a package, and each isolated file has its own', async (t) => {
  const names = ['a', 'sub/b', 'c.isolated'];
  const files = Object.assign({}, ...names.map((name) => compiled(name, reportPid)));
  const folder = makeRepository({ ...core, ...files }, t);
  const { code, output } = await runScript(folder, ['scripts/test.mjs', 'core']);
  const pids = [...output.matchAll(/pid=(\d+)/g)].map(([, pid]) => pid);
  assert.equal(pids.length, 3, output);
  assert.equal(new Set(pids).size, 2);
  assert.match(output, /tests 3\n/);
  assert.equal(code, 0);
});

test('a failing test, or a file that cannot be loaded, fails the run without stopping others', async (t) => {
  const files = {
    ...compiled('a', "import './nowhere.js';"),
    ...compiled('b', "test('fails', () => { throw new Error('reason'); });"),
    ...compiled('c', reportPid),
  };
  const folder = makeRepository({ ...core, ...files }, t);
  const { code, output } = await runScript(folder, ['scripts/test.mjs', 'core']);
  assert.match(output, /a\.test\.js loads/);
  // Node 20 counts the process as a failure of its own, when its end is seen before its last report.
  assert.match(output, /pass 1\n.*fail [23]\n/);
  assert.equal(code, 1);
});

test('the end of a run says why a process failed whose tests passed', async (t) => {
  const late = "test('a', () => { setTimeout(() => { throw new Error('late'); }, 1); });";
  const files = {
    ...compiled(
      'a',
      `${late}\ntest('b', () => new Promise((resolve) => setTimeout(resolve, 99)));`,
    ),
    ...compiled('b.isolated', "test('c', () => { process.kill(process.pid, 'SIGKILL'); });"),
  };
  const folder = makeRepository({ ...core, ...files }, t);
  const { code, output } = await runScript(folder, ['scripts/test.mjs', 'core']);
  const end = output.slice(output.indexOf('failing tests:'));
  assert.match(end, /001-packages-core\.test\.mjs ended with exit code 1\.[\s\S]*\nError: late\n/);
  assert.match(end, /002-packages-core\.test\.mjs ended with SIGKILL\./);
  assert.match(end, /Errors after their test had ended:\n.*Test "a"/);
  assert.equal(code, 1);
});

test('compiled test files without a source are skipped, and a run without tests fails', async (t) => {
  const { 'packages/core/dist/test/a.test.js': js = '' } = compiled('a', reportPid);
  const folder = makeRepository({ ...core, 'packages/core/dist/test/a.test.js': js }, t);
  const { code, output } = await runScript(folder, ['scripts/test.mjs', 'core']);
  assert.doesNotMatch(output, /pid=/);
  assert.equal(code, 1);
});

test('a file and a name pattern select the tests of a run', async (t) => {
  const two = "test('first', () => {}); test('second', () => console.log('ran second'));";
  const files = { ...compiled('a', two), ...compiled('b', reportPid) };
  const folder = makeRepository({ ...core, ...files }, t);
  const { code, output } = await runScript(folder, [
    ...['scripts/test.mjs', 'packages/core/test/a.test.ts', '--test-name-pattern=second'],
  ]);
  assert.match(output, /ran second/);
  assert.doesNotMatch(output, /pid=/);
  assert.equal(code, 0);
});

interface Machine {
  readonly nodeVersion: string;
  readonly nodeApi: number;
  readonly hasSqlite: boolean;
  readonly hasHeaders: boolean;
  works(command: string): boolean;
}

const bare: Machine = {
  nodeVersion: '20.19.0',
  nodeApi: 9,
  hasSqlite: false,
  hasHeaders: false,
  works: () => false,
};
const everything = { hasHeaders: true, works: () => true };

const machines: readonly (readonly [string, Machine, readonly RegExp[]])[] = [
  ['Node 20.18', { ...bare, nodeVersion: '20.18.9' }, [/20\.18\.9 is too old/]],
  ['Node 9', { ...bare, nodeVersion: '9.30.0' }, [/too old/]],
  ['a bare Node 20', bare, [/C\+\+ compiler/, /make/, /Python 3/, /headers/]],
  ['Node 20 without make', { ...bare, ...everything, works: (it) => !/make/.test(it) }, [/make/]],
  ['a complete Node 20', { ...bare, ...everything }, []],
  ['Node 20 with all built', { ...bare, hasSqlite: true }, []],
  ['a bare Node 24', { ...bare, nodeVersion: '24.1.0', nodeApi: 10 }, []],
];

for (const [name, machine, expected] of machines) {
  test(`prerequisites: ${name} lacks ${expected.length} things`, async () => {
    const module: unknown = await import(join(repository, 'scripts', 'prerequisites.mjs'));
    const { missingPrerequisites } = module as { missingPrerequisites(on: Machine): string[] };
    const missing = missingPrerequisites(machine);
    assert.equal(missing.length, expected.length, missing.join('\n'));
    for (const [index, pattern] of expected.entries()) assert.match(missing[index] ?? '', pattern);
  });
}
