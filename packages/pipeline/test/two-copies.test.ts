import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as own from '../src/index.ts';

/** The package is copied: Node loads its modules once more, as a bundler puts them into a second bundle. */
const copy = mkdtempSync(join(tmpdir(), 'probity-copy-'));
const root = fileURLToPath(new URL('../../', import.meta.url));
const modules = createRequire(import.meta.url).resolve('@eslint-community/regexpp/package.json');
cpSync(join(root, 'dist', 'src'), join(copy, 'dist', 'src'), { recursive: true });
cpSync(join(root, 'package.json'), join(copy, 'package.json'));
symlinkSync(join(root, 'models'), join(copy, 'models'));
symlinkSync(resolve(dirname(modules), '..', '..'), join(copy, 'node_modules'));
const entry = pathToFileURL(join(copy, 'dist', 'src', 'index.js')).href;
const other = (await import(entry)) as typeof own;
after(() => rmSync(copy, { recursive: true, force: true }));

async function* answer() {
  yield 'She is here. ';
  yield 'Her SSN is 536-22-8145.';
}

describe('two copies of the package in one process', () => {
  it('guards a stream of one copy with a guard of the other', async () => {
    assert.notEqual(other.createGuard, own.createGuard);
    const guard = other.createGuard();
    let passed = '';
    const options = { guard, prompt: 'Who is it?', latency: 'chat', replacement: '…' } as const;
    for await (const text of own.guardStream(answer(), options)) passed += text;
    assert.equal(passed, 'She is here. …');
  });

  it('reads a prompt once that is checked with the object of the other copy', async () => {
    const scanned = own.keepScannedFields();
    const read: string[] = [];
    const definition = () => ({
      name: 'pii_scanner' as const,
      targets: ['prompt', 'response'] as const,
      readsFieldsApart: true,
      async run({ fields }: own.StageContext) {
        read.push(...fields.map(({ text }) => text));
      },
    });
    const config = { stages: [{ name: 'pii_scanner' as const }] };
    const pipeline = other.createPipeline(config, { stages: { pii_scanner: definition } });
    const guard = other.createGuard({ pipeline });
    await guard.check({ prompt: 'a question' }, { scanned });
    await guard.check({ prompt: 'a question', response: 'yes' }, { scanned });
    await own.createGuard().check({ prompt: 'a question' }, { scanned });
    assert.deepEqual(
      read.filter((text) => text !== ''),
      ['a question', 'yes'],
    );
  });
});
