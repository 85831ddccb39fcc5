import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../src/temporary-folder.ts';
import { repository } from './script-repository.ts';

interface TestPackage {
  readonly folder: string;
  readonly files: readonly string[];
}

type WriteEntries = (
  packages: TestPackage[],
  folder: string,
  atOnce: number,
  timeOf: (file: string) => number,
) => string[];

async function loadWriteEntries(): Promise<WriteEntries> {
  const module: unknown = await import(join(repository, 'scripts/support/test-entries.mjs'));
  return (module as { writeEntries: WriteEntries }).writeEntries;
}

test('each process gets at most twenty files, and every idle processor gets a process', async (t) => {
  const writeEntries = await loadWriteEntries();
  const filesOf = (count: number) =>
    Array.from({ length: count }, (_, index) => `/${index + 100}.test.js`);
  const dealt = (count: number) => {
    const packages = [{ folder: 'packages/a', files: filesOf(count) }];
    const entries = writeEntries(packages, temporaryFolder(t).path, 4, () => 1);
    return entries.map((path) => readFileSync(path, 'utf8').match(/\/\d+\.test\.js/g) ?? []);
  };
  const sizes = [110, 24, 10, 3].map((count) => dealt(count).map(({ length }) => length));
  assert.deepEqual(sizes, [[19, 19, 18, 18, 18, 18], [6, 6, 6, 6], [5, 5], [3]]);
  assert.deepEqual(dealt(110).flat().sort(), filesOf(110));
});

test('test files that take long are in different processes, and the longest process starts first', async (t) => {
  const writeEntries = await loadWriteEntries();
  const files = Array.from({ length: 10 }, (_, index) => `/${index}.test.js`);
  const packages = [
    { folder: 'packages/a', files: [...files, '/b.isolated.test.js'] },
    { folder: 'packages/b', files },
  ];
  const times: Record<string, number> = {
    '/b.isolated.test.js': 90,
    '/3.test.js': 50,
    '/4.test.js': 40,
  };
  const entries = writeEntries(packages, temporaryFolder(t).path, 2, (file) => times[file] ?? 1);
  const names = entries.map((path) => basename(path));
  assert.deepEqual(names, [
    '001-packages-a.test.mjs',
    '002-packages-a.test.mjs',
    '003-packages-b.test.mjs',
    '004-packages-a.test.mjs',
    '005-packages-b.test.mjs',
  ]);
  const dealt = entries.map((path) =>
    readFileSync(path, 'utf8').match(/\/\w+(?:\.\w+)*\.js(?=")/g),
  );
  assert.match(String(dealt[0]), /b\.isolated/);
  for (const each of dealt.slice(1)) {
    assert.ok(!(String(each).includes('/3.test') && String(each).includes('/4.test')));
  }
});

test('packages of fewer than five test files share a process', async (t) => {
  const writeEntries = await loadWriteEntries();
  const packages = ['x', 'y'].map((name) => ({
    folder: `examples/${name}`,
    files: [`/${name}.test.js`],
  }));
  const entries = writeEntries(packages, temporaryFolder(t).path, 4, () => 1);
  assert.deepEqual(
    entries.map((path) => basename(path)),
    ['001-small.test.mjs'],
  );
});
