// Says what the API changes that breaks programs made for its last release; with --write, stores the present API as
// that of a release. Build first: the document is made from the compiled packages.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { breakingChanges, toBaseline } from './support/breaking-changes.mjs';
import { serverDocument } from './support/reference-pages.mjs';
import { root } from './support/repository.mjs';

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const path = join(root, 'scripts/openapi/baseline.json');
const document = await serverDocument();
if (values.write) writeFileSync(path, `${JSON.stringify(toBaseline(document), null, 1)}\n`);
const changes = breakingChanges(JSON.parse(readFileSync(path, 'utf8')), document, new Date());
for (const change of changes) process.stdout.write(`breaks programs: ${change}\n`);
process.stdout.write(
  `API since the last release: ${changes.length} changes that break programs.\n`,
);
process.exitCode = changes.length === 0 ? 0 : 1;
