import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TestLifetime } from '@probity/test-support';
import { temporaryFolder } from '@probity/test-support';
import { sampleCases } from '@probity/test-support/combinations';

const run = promisify(execFile);
const ROWS = Number(process.env.IMPORT_ROWS ?? 20_000);
const CHARACTERS = 3_900;
/** The default file has 74 MiB. What buffers hold is not part of it, but of the resident memory. */
const HEAP_MIB = 64;
const FEW = 500;

interface Imported {
  readonly created: number;
  readonly failed: number;
  readonly errors: number;
  readonly rssBytes: number;
}

/** Imports a file into a new database, in a process of its own. */
async function importRows(
  t: TestLifetime,
  rows: number,
  format: string,
  strict: boolean,
): Promise<Imported> {
  const program = fileURLToPath(new URL('./import-program.js', import.meta.url));
  const database = join(temporaryFolder(t, 'disk').path, 'knowledge.db');
  const args = [database, format, strict, rows, CHARACTERS].map(String);
  const node = [`--max-old-space-size=${HEAP_MIB}`, program, ...args];
  return JSON.parse((await run(process.execPath, node)).stdout);
}

const IMPORTS = [
  ['csv', false],
  ['json', false],
  ['csv', true],
] as const;

for (const [format, strict] of sampleCases(IMPORTS, 2)) {
  const kind = strict ? `${format} that is stored as a whole or not at all` : format;
  test(`a file of ${kind} is imported by a process whose memory it does not fit into`, async (t) => {
    const few = await importRows(t, FEW, format, strict);
    const { created, failed, errors, rssBytes } = await importRows(t, ROWS, format, strict);
    const refused = strict ? 0 : ROWS / 10;
    assert.deepEqual(
      [created, failed, errors],
      [ROWS - refused, refused, Math.min(refused, 1_000)],
    );
    const grown = rssBytes - few.rssBytes;
    assert.ok(grown < ROWS * CHARACTERS * 0.75, `${grown} bytes more than for ${FEW} rows`);
    t.diagnostic(`${ROWS} rows: RSS ${mib(rssBytes)} MiB at most, of ${FEW} ${mib(few.rssBytes)}`);
  });
}

function mib(bytes: number): number {
  return Math.round(bytes / 1_048_576);
}
