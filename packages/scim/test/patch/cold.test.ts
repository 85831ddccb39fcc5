import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { COLD_REQUESTS } from './cold-requests.ts';

const run = promisify(execFile);
const script = fileURLToPath(new URL('./cold-process.js', import.meta.url));

/** In multiples of a fixed amount of plain JavaScript in the same process; the largest request takes one to two. */
const MAX_RATIO = 4;

/** Processes that are started at most: other work on the machine makes the same instructions take longer. */
const MAX_ROUNDS = 20;

for (const name of Object.keys(COLD_REQUESTS)) {
  test(`${name} in one PATCH take little CPU in a new process`, async () => {
    const rounds: number[] = [];
    while (rounds.length < MAX_ROUNDS && !rounds.some((ratio) => ratio < MAX_RATIO)) {
      const { stdout } = await run(process.execPath, [script, name]);
      rounds.push(Number(stdout));
    }
    assert.ok(Math.min(...rounds) < MAX_RATIO, `${rounds.join(', ')} times the control`);
  });
}
