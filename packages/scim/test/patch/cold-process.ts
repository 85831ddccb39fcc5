// Applies one request in a process that has done nothing before, then a fixed amount of plain JavaScript, and prints
// the CPU of the first as a multiple of the second, with the threads that compile and collect garbage included:
// node cold-process.js NAME.
import { applyUserPatch } from '../../src/patch/apply.ts';
import { parsePatch } from '../../src/patch/parse.ts';
import { USER } from '../../src/schemas/resource-types.ts';
import type { JsonObject } from '../../src/schemas/types.ts';
import { COLD_REQUESTS } from './cold-requests.ts';
import { userOf } from './people.ts';

const request = COLD_REQUESTS[process.argv[2] ?? ''];
if (!request) throw new Error(`${process.argv[2]} is none of ${Object.keys(COLD_REQUESTS)}`);
const user = userOf(request.attributes ?? {});
const body = JSON.parse(JSON.stringify({ Operations: request.operations() })) as JsonObject;

/** Milliseconds of CPU. */
function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user: inUser, system } = process.cpuUsage(before);
  return (inUser + system) / 1_000;
}

const ofRequest = cpuOf(() => {
  try {
    applyUserPatch(user, parsePatch(body, USER));
  } catch {
    // A refused request is measured like an applied one.
  }
});
// About 30 ms on a processor on which a request takes 30 ms.
const ofControl = cpuOf(() => {
  const rows = Array.from({ length: 20_000 }, (_, index) => ({ value: `u${index}@example.org` }));
  const copies = JSON.parse(JSON.stringify(rows)) as typeof rows;
  new Map(copies.map((row) => [row.value.toLowerCase(), row]));
  copies.sort((one, other) => (one.value < other.value ? -1 : 1));
});
process.stdout.write(String(ofRequest / ofControl));
