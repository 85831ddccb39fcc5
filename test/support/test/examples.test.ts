import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

test('the page on embedding links every example', () => {
  const page = readFileSync(join(root, 'docs/embed.md'), 'utf8');
  const names = readdirSync(join(root, 'examples'));
  const missing = names.filter((name) => !page.includes(`](../examples/${name})`));
  assert.deepEqual(missing, []);
});
