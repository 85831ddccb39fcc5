import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { capture } from './run.mjs';

/** @typedef {import('./package-tarballs.mjs').PackedPackage} PackedPackage */

/**
 * The public entries of a package, without files of data.
 * @param {PackedPackage} packed
 * @returns {{ subpath: string, specifier: string }[]}
 */
export function entriesOf({ name, manifest }) {
  return Object.keys(manifest.exports ?? {})
    .filter((subpath) => !subpath.includes('*') && !subpath.endsWith('.json'))
    .map((subpath) => ({ subpath, specifier: name + subpath.slice(1) }));
}

/**
 * Imports modules as ESM and requires them as CommonJS, in processes of their own.
 * @param {object} run
 * @param {string} run.node The Node binary.
 * @param {string} run.folder Where the modules are looked up.
 * @param {readonly string[]} run.specifiers
 * @returns {Promise<string[]>} The output of each process that failed.
 */
export async function importFaults({ node, folder, specifiers }) {
  const imports = specifiers.map((specifier) => `await import('${specifier}');\n`).join('');
  const requires = specifiers.map((specifier) => `require('${specifier}');\n`).join('');
  writeFileSync(join(folder, 'entries.mjs'), `${imports}process.exit(0);\n`);
  writeFileSync(join(folder, 'entries.cjs'), `${requires}process.exit(0);\n`);
  const faults = await Promise.all(
    ['entries.mjs', 'entries.cjs'].map(async (program) => {
      const { code, output } = await capture(node, [program], { cwd: folder });
      const form = program.endsWith('.mjs') ? 'imported' : 'required';
      return code === 0 ? [] : [`cannot be ${form}: ${specifiers.join(', ')}\n${output.trim()}`];
    }),
  );
  return faults.flat();
}
