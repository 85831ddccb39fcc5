// Packs every public package and checks the tarballs: publint, attw, and an import of every entry
// with nothing at hand but the tarball and what its manifest declares. Build first.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entryFaults, linkDependencies, pack } from './support/package-tarballs.mjs';
import { root, workspacesIn } from './support/repository.mjs';
import { capture } from './support/run.mjs';

/** @typedef {import('./support/package-tarballs.mjs').PackedPackage} PackedPackage */

/** @param {string} module @param {string[]} args @returns {Promise<string[]>} */
async function faultsOf(module, args) {
  const program = join(root, 'node_modules', '.bin', module);
  const { code, output } = await capture(program, args, { env: { ...process.env, NO_COLOR: '1' } });
  return code === 0 ? [] : [`${module} ${args.join(' ')}\n${output.trim()}`];
}

/** @param {PackedPackage} packed @returns {Promise<string[]>} */
async function check({ name, tarball, folder, manifest }) {
  const results = await Promise.all([
    faultsOf('publint', ['--strict', tarball]),
    manifest.exports ? faultsOf('attw', ['--profile', 'esm-only', tarball]) : [],
    entryFaults(name, folder, manifest),
  ]);
  return results.flat();
}

const workspaces = workspacesIn(['packages']).filter(({ manifest }) => !manifest.private);
const folder = mkdtempSync(join(tmpdir(), 'probity-packages-'));
try {
  const packed = await pack(workspaces, folder);
  for (const one of packed) linkDependencies(one, packed);
  let faultCount = 0;
  for (const one of packed) {
    const faults = await check(one);
    faultCount += faults.length;
    process.stdout.write(`${one.name}: ${faults.length === 0 ? 'good' : faults.join('\n')}\n`);
  }
  process.stdout.write(`Packages: ${packed.length} checked, ${faultCount} faults.\n`);
  process.exitCode = faultCount === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
