import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../../../../', import.meta.url));
/** Those that an application gives to createProbity. */
const EMBEDDED = [
  'core',
  'governance',
  'webhooks',
  'knowledge',
  'evidence',
  'integrations',
  'scim',
];

/** The declarations of an entry such as `@probity/core/sql`. */
function entryOf(specifier: string): string {
  const [, name = '', ...rest] = specifier.split('/');
  const { exports } = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8'));
  const { types } = exports[['.', ...rest].join('/')] as { types: string };
  return join(packages, name, types);
}

/** Adds the declarations that a compiler reads for a file. */
function follow(file: string, read: Set<string>, imported: Map<string, string>): void {
  if (read.has(file)) return;
  read.add(file);
  for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(/ from '([^']+)'/g)) {
    if (specifier.startsWith('.')) {
      const path = join(file, '..', specifier.replace(/\.(?:ts|js)$/, '.d.ts'));
      follow(path, read, imported);
    } else if (specifier.startsWith('@probity/')) follow(entryOf(specifier), read, imported);
    else imported.set(specifier, relative(packages, file));
  }
}

test('the types of an embedded package need no types of Koa', () => {
  for (const name of EMBEDDED) {
    const read = new Set<string>();
    const imported = new Map<string, string>();
    follow(entryOf(`@probity/${name}`), read, imported);
    assert.ok(read.size > 10, name);
    assert.deepEqual([imported.get('koa'), imported.get('@koa/router')], [undefined, undefined]);
  }
});
