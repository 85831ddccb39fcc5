import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readDataFile } from '../src/lib/data-file.ts';
import type { Manifest } from '../src/lib/row-files.ts';
import {
  checkPackages,
  checkRowFiles,
  copyPlain,
  readManifest,
  sourcesOf,
} from '../src/lib/row-files.ts';

const ROWS = '{"id":"a"}\n';
const sha256 = createHash('sha256').update(ROWS).digest('hex');
const source = (repository: string, task: string) => ({
  repository,
  commit: '12345678',
  licence: 'MIT',
  taken: 'all',
  tasks: [task],
});
const MANIFEST: Manifest = {
  files: ['pii/dev.jsonl', 'truth/dev.jsonl', 'toxicity/dev.jsonl'].map((path) => ({
    path,
    sha256,
  })),
  sources: [source('one/a', 'pii'), source('two/b', 'truth'), source('three/c', 'toxicity')],
  packages: [
    { name: 'words', version: '1.0.0', licence: 'MIT', integrity: 'sha512-x' },
    { name: 'other', version: '1.0.0', licence: 'MIT', integrity: 'sha512-y' },
  ],
};

describe('row files from outside', () => {
  let folder = '';
  const put = (path: string, content: string | Buffer) => {
    const file = join(folder, path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, content);
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'probity-rows-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('row files are right by their plain content; others are named with the sources they need', () => {
    put('pii/dev.jsonl.gz', gzipSync(ROWS));
    put('truth/dev.jsonl', `${ROWS}{}`);
    const checks = checkRowFiles(MANIFEST, folder);
    assert.deepEqual(
      checks.map(({ state }) => state),
      ['right', 'different', 'missing'],
    );
    assert.match(checks[1]?.detail ?? '', new RegExp(`expected ${sha256}`));
    const sources = sourcesOf(MANIFEST, checks).map(({ repository }) => repository);
    assert.deepEqual(sources, ['two/b', 'three/c']);
  });

  it('row files are written as plain files', () => {
    put('in/pii/dev.jsonl.gz', gzipSync(ROWS));
    copyPlain(MANIFEST, join(folder, 'in'), join(folder, 'out'));
    assert.equal(readFileSync(join(folder, 'out/pii/dev.jsonl'), 'utf8'), ROWS);
  });

  it('packages are right by version and hash as npm recorded them', () => {
    const states = () => checkPackages(MANIFEST, folder).map(({ state }) => state);
    assert.deepEqual(states(), ['missing', 'missing']);
    const packages = {
      'node_modules/words': { version: '1.0.0', integrity: 'sha512-x' },
      'node_modules/other': { version: '1.0.0', integrity: 'sha512-z' },
    };
    put('node_modules/.package-lock.json', JSON.stringify({ packages }));
    assert.deepEqual(states(), ['right', 'different']);
  });

  it('the list of sources names what the table of the README names, and every row file once', () => {
    const { files, sources, packages } = readManifest(readDataFile('sources'));
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    for (const { repository, commit } of sources) {
      assert.ok(readme.includes(`\`${repository}\` @ ${commit}`), repository);
    }
    for (const { name, version } of packages) {
      assert.ok(readme.includes(version) && readme.includes(name.split('/').at(-1) ?? name), name);
    }
    assert.equal(new Set(files.map(({ path }) => path)).size, files.length);
    for (const { sha256: sum } of files) assert.match(sum, /^[0-9a-f]{64}$/);
    for (const { integrity } of packages) assert.match(integrity, /^sha512-[\w+/]{86}==$/);
  });
});
