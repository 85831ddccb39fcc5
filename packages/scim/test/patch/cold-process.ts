// Applies one request in a process that has done nothing before, and prints the milliseconds of CPU that it took, those
// of the threads that compile and collect garbage included: node cold-process.js NAME.
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
const before = process.cpuUsage();
try {
  applyUserPatch(user, parsePatch(body, USER));
} catch {
  // What is refused is measured as what is applied.
}
const { user: inUser, system } = process.cpuUsage(before);
process.stdout.write(String((inUser + system) / 1_000));
