import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

/** The modules that the compiled entry loads, by their URL, and what they import from elsewhere. */
function follow(entry: URL) {
  const modules = new Set([entry.href]);
  const foreign: string[] = [];
  for (const href of modules) {
    const code = readFileSync(new URL(href), 'utf8');
    for (const [, specifier = ''] of code.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)) {
      if (specifier.startsWith('.')) modules.add(new URL(specifier, href).href);
      else foreign.push(specifier);
    }
  }
  return { modules: modules.size, foreign };
}

test('the entry for receivers loads nothing but its own modules, not even of Node', () => {
  const { modules, foreign } = follow(new URL('../../src/verify.js', import.meta.url));
  assert.deepEqual(foreign, []);
  assert.ok(modules >= 8, `only ${modules} modules were found`);
});
