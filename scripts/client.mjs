// Says whether the generated files of packages/client lag behind the OpenAPI document of the server;
// with --write, stores them. Build first: the document is made from the compiled packages.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { clientFaults, clientFiles } from './support/client-files.mjs';
import { root } from './support/repository.mjs';

const { values } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
});
const files = await clientFiles();
if (values.write) {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
const faults = clientFaults(files);
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
