// Prints the index of docs/decisions; with --write, stores it as docs/decisions/README.md.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { areaFaults, indexFile, readAreas, toIndex } from './support/decisions.mjs';
import { repositoryFiles, root } from './support/repository.mjs';

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const areas = readAreas(repositoryFiles());
const faults = areaFaults(areas);
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (values.write) writeFileSync(join(root, indexFile), toIndex(areas));
else process.stdout.write(toIndex(areas));
process.exitCode = faults.length === 0 ? 0 : 1;
