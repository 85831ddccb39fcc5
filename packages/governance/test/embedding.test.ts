import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

test('the example of the README blocks a card number', async () => {
  const program = fileURLToPath(new URL('./embedding.js', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  assert.equal(stdout, 'blocked pii_scanner found credit_card\n');
});
