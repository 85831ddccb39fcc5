// Checks sizes, types, tests, imports and stray texts; prints each breach as file:line.
import { architectureBreaches } from './support/architecture.mjs';
import { codeBreaches, isCodeFile, strayTextBreaches } from './support/file-rules.mjs';
import { repositoryFiles } from './support/repository.mjs';
import { parseFile } from './support/syntax.mjs';

const tracked = repositoryFiles();
const parsed = new Map(tracked.filter(isCodeFile).map((file) => [file, parseFile(file)]));
const breaches = [
  ...[...parsed.values()].flatMap(codeBreaches),
  ...architectureBreaches(parsed),
  ...tracked.flatMap(strayTextBreaches),
];
for (const { file, line, message } of breaches) {
  process.stdout.write(`${file}:${line} ${message}\n`);
}
process.stdout.write(`Style: ${parsed.size} files of code, ${breaches.length} breaches.\n`);
process.exitCode = breaches.length === 0 ? 0 : 1;
