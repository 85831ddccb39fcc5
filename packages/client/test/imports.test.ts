import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../src', import.meta.url));

test('the client imports nothing but its own modules, in its code and in its types', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(js|d\.ts)$/.test(name),
  );
  assert.ok(files.length > 30, `only ${files.length} files were found`);
  for (const file of files) {
    const text = readFileSync(`${folder}/${file}`, 'utf8');
    for (const [, specifier = ''] of text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)) {
      assert.match(specifier, /^\.\.?\//, file);
    }
    assert.doesNotMatch(text, /<reference|\bBuffer\b|\bNodeJS\b/, file);
  }
});
