import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Files } from './script-repository.ts';
import { makeRepository, repository, runScript } from './script-repository.ts';

const license = readFileSync(join(repository, 'LICENSE'), 'utf8');
const scanFolder = 'examples/embed-express/dist/src';

/** A package with an entry `./sql`, and the example that the check runs. */
function packageFiles(manifest: object, sql: string): Files {
  const entry = (name: string) => ({ types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` });
  const core = {
    name: '@probity/core',
    version: '1.0.0',
    description: 'A kernel.',
    keywords: ['kernel'],
    license: 'Apache-2.0',
    type: 'module',
    files: ['dist'],
    exports: { '.': entry('index'), './sql': entry('sql') },
    ...manifest,
  };
  return {
    'package.json': '{"private":true,"type":"module","workspaces":["packages/*"]}',
    LICENSE: license,
    'packages/core/package.json': JSON.stringify(core),
    'packages/core/README.md': 'See [the license](LICENSE).\n',
    'packages/core/dist/index.js': 'export const a = 1;\n',
    'packages/core/dist/index.d.ts': 'export declare const a: 1;\n',
    'packages/core/dist/sql.js': `${sql}\nexport const b = 1;\n`,
    'packages/core/dist/sql.d.ts': 'export declare const b: 1;\n',
    [`${scanFolder}/scan.js`]: "console.log('blocked pii_scanner found ssn');\n",
    [`${scanFolder}/governance.js`]: '',
    [`${scanFolder}/host.js`]: '',
  };
}

const peers = (range: string) => ({
  peerDependencies: { kysely: '^0.28.18', pg: range },
  peerDependenciesMeta: { kysely: { optional: true }, pg: { optional: true } },
});

test('the package check passes a package whose entries load only the peers they need', async (t) => {
  const files = packageFiles(peers('^8.23.1'), "import 'kysely';");
  const folder = makeRepository({ ...files, 'packages/core/LICENSE': license }, t);
  const { code, output } = await runScript(folder, ['scripts/check-packages.mjs']);
  assert.match(output, /Packages: 1 checked, 0 faults; versions of Node: 1\./);
  assert.equal(code, 0);
});

test('the package check reports dead links, source maps and missing keywords', async (t) => {
  const manifest = { ...peers('^8.23.1'), keywords: [] };
  const faulty = {
    'packages/core/LICENSE': license,
    'packages/core/README.md':
      'See [the decisions](../../docs/decisions.md) and [npm](https://npmjs.com).\n',
    'packages/core/dist/index.js.map': '{}',
  };
  const files = { ...packageFiles(manifest, "import 'kysely';"), ...faulty };
  const folder = makeRepository(files, t);
  const { code, output } = await runScript(folder, ['scripts/check-packages.mjs']);
  assert.match(
    output,
    /README\.md links to \.\.\/\.\.\/docs\/decisions\.md, which is not in the tarball/,
  );
  assert.match(output, /index\.js\.map is in the tarball without its source/);
  assert.match(output, /package\.json has no keywords/);
  assert.match(output, /Packages: 1 checked, 3 faults/);
  assert.equal(code, 1);
});

test('the package check reports an always loaded peer, an exact peer version and a missing license', async (t) => {
  const files = packageFiles(peers('8.23.1'), "import 'pg';");
  const readme = { 'packages/core/README.md': 'A kernel.\n' };
  const folder = makeRepository({ ...files, ...readme }, t);
  const { code, output } = await runScript(folder, ['scripts/check-packages.mjs']);
  for (const form of ['imported', 'required']) {
    assert.match(output, new RegExp(`with kysely cannot be ${form}: @probity/core/sql`));
  }
  assert.match(output, /Cannot find package 'pg'/);
  assert.match(output, /the peer pg is 8\.23\.1, not a caret range/);
  assert.match(output, /LICENSE is not in the tarball/);
  assert.match(output, /Packages: 1 checked, 4 faults/);
  assert.equal(code, 1);
});

test('the package check reports a scan that fails without koa and pg', async (t) => {
  const files = packageFiles(peers('^8.23.1'), "import 'kysely';");
  const scan = { [`${scanFolder}/scan.js`]: "import 'koa';\n", 'packages/core/LICENSE': license };
  const folder = makeRepository({ ...files, ...scan }, t);
  const { code, output } = await runScript(folder, ['scripts/check-packages.mjs']);
  assert.match(output, /a scan with kysely, better-sqlite3, better-sqlite3-13 answers/);
  assert.match(output, /Cannot find package 'koa'/);
  assert.equal(code, 1);
});
