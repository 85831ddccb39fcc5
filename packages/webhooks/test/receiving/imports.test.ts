import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

/** The files that the compiled entry imports, itself included, and what they import from elsewhere. */
function follow(entry: string, fileOf: (specifier: string) => string) {
  const files = new Set([new URL(`../../src/${entry}`, import.meta.url).href]);
  const foreign: string[] = [];
  for (const href of files) {
    const code = readFileSync(new URL(href), 'utf8');
    for (const [, specifier = ''] of code.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)) {
      if (specifier.startsWith('.')) files.add(new URL(fileOf(specifier), href).href);
      else foreign.push(specifier);
    }
  }
  return { count: files.size, foreign };
}

test('the entry for receivers loads nothing but its own modules, not even of Node', () => {
  const { count, foreign } = follow('verify.js', (specifier) => specifier);
  assert.deepEqual(foreign, []);
  assert.ok(count >= 8, `only ${count} files were found`);
});

test('the types of the entry for receivers need none of @types/node', () => {
  const toDeclaration = (specifier: string) => specifier.replace(/\.[tj]s$/, '.d.ts');
  const { count, foreign } = follow('verify.d.ts', toDeclaration);
  assert.deepEqual(foreign, ['@probity/core/events']);
  assert.ok(count >= 6, `only ${count} files were found`);
  const events = new URL(import.meta.resolve('@probity/core/events'));
  const declared = readFileSync(new URL(events.href.replace(/\.js$/, '.d.ts')), 'utf8');
  assert.doesNotMatch(declared, /\bimport\b|<reference/);
});
