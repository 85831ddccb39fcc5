import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { TestLifetime } from '@probity/test-support';
import { temporaryFolder } from '@probity/test-support';
import type * as Driver from '../../src/sql/sqlite-driver.ts';
import { openSqliteFile } from '../../src/sql/sqlite-driver.ts';

/** The driver module in a folder of its own, where only these packages are installed. */
async function driverAmong(
  packages: Readonly<Record<string, string>>,
  lifetime: TestLifetime,
): Promise<typeof Driver> {
  const folder = temporaryFolder(lifetime).path;
  for (const [name, version] of Object.entries(packages)) {
    const target = join(folder, 'node_modules', name);
    mkdirSync(target, { recursive: true });
    writeFileSync(join(target, 'package.json'), JSON.stringify({ name, version }));
    writeFileSync(join(target, 'index.js'), `module.exports = ${JSON.stringify(name)};`);
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const source = fileURLToPath(new URL('../../src/sql/sqlite-driver.js', import.meta.url));
  copyFileSync(source, join(folder, 'sqlite-driver.js'));
  return import(pathToFileURL(join(folder, 'sqlite-driver.js')).href) as Promise<typeof Driver>;
}

const line12 = { 'better-sqlite3': '12.11.1' };
const line13 = { 'better-sqlite3': '13.2.0' };
const both = { ...line12, 'better-sqlite3-13': '13.2.0' };

const choices: ReadonlyArray<readonly [string, Record<string, string>, number, string | RegExp]> = [
  ['Node 20 takes line 12', both, 9, 'better-sqlite3'],
  ['Node 24 takes line 13 under its second name', both, 10, 'better-sqlite3-13'],
  ['Node 24 takes line 13 under its own name', line13, 10, 'better-sqlite3'],
  [
    'Node 24 refuses line 12',
    line12,
    10,
    /better-sqlite3 12\.11\.1 does not run on Node v: install better-sqlite3 13/,
  ],
  [
    'Node 20 refuses line 13',
    line13,
    9,
    /better-sqlite3 13\.2\.0 does not run on Node v: install better-sqlite3 12/,
  ],
  ['Node 20 without a driver says what to install', {}, 9, /npm install better-sqlite3@12/],
  ['Node 24 without a driver says what to install', {}, 10, /npm install better-sqlite3@13/],
];

for (const [name, installed, napi, expected] of choices) {
  test(name, async (t) => {
    const { loadDriver } = await driverAmong(installed, t);
    if (typeof expected === 'string') assert.equal(loadDriver(napi, 'v'), expected);
    else assert.throws(() => loadDriver(napi, 'v'), expected);
  });
}

test('the driver of this Node opens a database', () => {
  const connection = openSqliteFile(':memory:', 0);
  assert.deepEqual(connection.prepare('select 1 as one').all(), [{ one: 1 }]);
  connection.close();
});
