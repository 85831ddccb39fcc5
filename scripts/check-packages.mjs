// Packs every public package and checks the tarballs: node scripts/check-packages.mjs [22] [24].
// publint, attw, the license, the description, links of the README, the version ranges, and how
// much hosts install; every entry imported as ESM and required as
// CommonJS, with nothing but what the manifest declares, and, as npm installs the libraries, with
// the optional peers that the entry needs and no other; the types of every entry under node16,
// nodenext, node20 and bundler; a scan on SQLite without koa and pg. The
// imports and the scan also run under the named lines of Node, where npm can fetch them. Build first.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchNode, nodeVersions } from './support/fetch-node.mjs';
import { entriesOf, importFaults } from './support/package-entries.mjs';
import { linkDependencies, PackageInstall } from './support/package-install.mjs';
import { isProgram, manifestFaults } from './support/package-manifests.mjs';
import { sizeFaults } from './support/package-sizes.mjs';
import { pack } from './support/package-tarballs.mjs';
import { root, workspacesIn } from './support/repository.mjs';
import { capture } from './support/run.mjs';

/** @typedef {import('./support/package-tarballs.mjs').PackedPackage} PackedPackage */

/** @param {string} module @param {string[]} args @returns {Promise<string[]>} */
async function faultsOf(module, args) {
  const program = join(root, 'node_modules', '.bin', module);
  const { code, output } = await capture(program, args, { env: { ...process.env, NO_COLOR: '1' } });
  return code === 0 ? [] : [`${module} ${args.join(' ')}\n${output.trim()}`];
}

/** @param {PackedPackage} packed @param {readonly string[]} nodes @returns {Promise<string[]>} */
async function packageFaults(packed, nodes) {
  const { tarball, folder, manifest } = packed;
  const specifiers = entriesOf(packed).map(({ specifier }) => specifier);
  const results = await Promise.all([
    faultsOf('publint', ['--strict', tarball]),
    manifest.exports ? faultsOf('attw', ['--profile', 'esm-only', tarball]) : [],
    manifestFaults(packed),
    ...nodes.map((node) => importFaults({ node, folder, specifiers })),
  ]);
  return results.flat();
}

/** @param {readonly PackedPackage[]} libraries @param {string} into @param {readonly string[]} nodes */
async function installFaults(libraries, into, nodes) {
  const install = new PackageInstall(libraries, into);
  const peers = await install.install();
  const entries = await install.entryFaults(nodes);
  const types = await install.typeFaults();
  return [...peers, ...entries, ...types, ...(await install.scanFaults(nodes))];
}

/** @param {readonly string[]} lines @returns {Promise<string[]>} This Node and those that are asked for. */
async function nodesOf(lines) {
  const nodes = [process.execPath];
  for (const line of lines) {
    const version = nodeVersions[line];
    if (version === undefined) throw new Error(`Unknown line of Node: ${line}`);
    const node = await fetchNode(version);
    if (node) nodes.push(node);
    else process.stderr.write(`npm could not fetch Node ${version}: NOT checked under it.\n`);
  }
  return nodes;
}

/** @param {string} name @param {readonly string[]} faults @returns {number} */
function report(name, faults) {
  process.stdout.write(`${name}: ${faults.length === 0 ? 'good' : faults.join('\n')}\n`);
  return faults.length;
}

const nodes = await nodesOf(process.argv.slice(2));
const workspaces = workspacesIn(['packages']).filter(({ manifest }) => !manifest.private);
const folder = mkdtempSync(join(tmpdir(), 'probity-packages-'));
try {
  const packed = await pack(workspaces, folder);
  const libraries = packed.filter((one) => !isProgram(one));
  let faultCount = report('installed by npm', await installFaults(libraries, folder, nodes));
  faultCount += report('sizes', await sizeFaults(libraries, folder));
  for (const one of packed) linkDependencies(one, packed);
  for (const one of packed) faultCount += report(one.name, await packageFaults(one, nodes));
  const runs = `versions of Node: ${nodes.length}`;
  process.stdout.write(`Packages: ${packed.length} checked, ${faultCount} faults; ${runs}.\n`);
  process.exitCode = faultCount === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
