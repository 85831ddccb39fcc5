import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './repository.mjs';
import { capture } from './run.mjs';

/**
 * How programs resolve the declarations of a package. Packages are ECMAScript modules: TypeScript lets a CommonJS file
 * import one under `nodenext` and `node20`, not under `node16` (TS1479).
 */
const projects = [
  { file: 'entries.mts', module: 'node16', resolution: 'node16' },
  { file: 'entries.mts', module: 'nodenext', resolution: 'nodenext' },
  { file: 'entries.cts', module: 'nodenext', resolution: 'nodenext' },
  { file: 'entries.cts', module: 'node20', resolution: 'node16' },
  { file: 'entries.ts', module: 'esnext', resolution: 'bundler' },
];

const flags = [
  ...['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'],
  ...['--skipLibCheck', 'false', '--target', 'es2022', '--types', 'node'],
];

/**
 * Compiles one import of every entry for each way of resolution, the declarations included.
 * @param {string} folder Where the packages, and the types of their peers, are looked up.
 * @param {readonly string[]} specifiers
 * @returns {Promise<string[]>} The messages of the compiler for each failed entry.
 */
export async function typeFaults(folder, specifiers) {
  const text = specifiers.map((name, at) => `export * as entry${at} from '${name}';\n`).join('');
  const faults = [];
  for (const { file, module, resolution } of projects) {
    writeFileSync(join(folder, file), text);
    const args = [...flags, '--module', module, '--moduleResolution', resolution, file];
    const compiler = join(root, 'node_modules', '.bin', 'tsc');
    const { code, output } = await capture(compiler, args, { cwd: folder });
    if (code !== 0) faults.push(`types under ${module} and ${resolution}, ${file}:\n${output}`);
  }
  return faults;
}
