import assert from 'node:assert/strict';
import { test } from 'node:test';
import type * as Driver from '../../src/sql/sqlite-driver.ts';
import { openSqliteFile } from '../../src/sql/sqlite-driver.ts';
import type { FakePackage } from './driver-folder.ts';
import { importAmong } from './driver-folder.ts';

const line12 = { 'better-sqlite3': { version: '12.11.1' } };
const line13 = { 'better-sqlite3': { version: '13.2.0' } };
const both = { ...line12, 'better-sqlite3-13': { version: '13.2.0' } };

type Choice = readonly [string, Record<string, FakePackage>, number, string, string | RegExp];

const choices: readonly Choice[] = [
  ['Node 20 takes line 12', both, 9, '20.20.2', 'better-sqlite3'],
  ['Node 22 takes line 12 when there is no other', line12, 10, '22.23.3', 'better-sqlite3'],
  ['Node 22 takes line 13 of two', both, 10, '22.23.3', 'better-sqlite3-13'],
  ['Node 24 takes line 13 under its second name', both, 10, '24.21.0', 'better-sqlite3-13'],
  ['Node 24 takes line 13 under its own name', line13, 10, '24.21.0', 'better-sqlite3'],
  [
    'Node 24 refuses line 12 and names the alias and open',
    line12,
    10,
    '24.21.0',
    /better-sqlite3 12\.11\.1 ends .* Node 24\.21\.0: install better-sqlite3 13, .*better-sqlite3-13@npm.*`open`/,
  ],
  [
    'Node 20 refuses line 13',
    line13,
    9,
    '20.20.2',
    /better-sqlite3 13\.2\.0 ends the process on Node 20\.20\.2: npm_config_build_from_source=true npm install better-sqlite3@12/,
  ],
  [
    'Node 20 without a driver says what to install',
    {},
    9,
    '20.20.2',
    /needs better-sqlite3: npm_config_build_from_source=true npm install better-sqlite3@12/,
  ],
  [
    'Node 24 without a driver says what to install',
    {},
    10,
    '24.21.0',
    /npm install better-sqlite3@13/,
  ],
];

for (const [name, installed, napi, node, expected] of choices) {
  test(name, async (t) => {
    const { loadDriver } = await importAmong<typeof Driver>('sqlite-driver', installed, t);
    if (typeof expected === 'string') assert.equal(loadDriver(napi, node), expected);
    else assert.throws(() => loadDriver(napi, node), expected);
  });
}

test('the driver of this Node opens a database', () => {
  const connection = openSqliteFile(':memory:', 0);
  assert.deepEqual(connection.prepare('select 1 as one').all(), [{ one: 1 }]);
  connection.close();
});

test('a driver that was not compiled says how to do that, in one line', async (t) => {
  const code = `module.exports = class {
    constructor() { throw new Error('Could not locate the bindings file. Tried:\\n a\\n b'); }
  };`;
  const installed = {
    'better-sqlite3': { version: '12.11.1', code },
    'better-sqlite3-13': { version: '13.2.0', code },
  };
  const driver = await importAmong<typeof Driver>('sqlite-driver', installed, t);
  assert.throws(
    () => driver.openSqliteFile('app.db', 0),
    /^Error: The database file app\.db cannot be opened: better-sqlite3 is not compiled for Node [\d.]+: npm_config_build_from_source=true npm rebuild better-sqlite3 --ignore-scripts=false$/,
  );
});
