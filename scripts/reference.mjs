// Says whether the pages of docs/reference lag behind the compiled packages; with --write, stores them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { referenceFaults, referencePages } from './support/reference-pages.mjs';
import { root } from './support/repository.mjs';

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const pages = await referencePages();
if (values.write) {
  for (const [path, text] of pages) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
const faults = referenceFaults(pages);
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
