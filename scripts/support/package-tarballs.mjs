import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readJson, root } from './repository.mjs';
import { capture } from './run.mjs';

/**
 * @typedef {object} PackedPackage
 * @property {string} name e.g. `@probity/core`.
 * @property {string} source Absolute path of its folder in the repository.
 * @property {string} tarball
 * @property {string} folder The unpacked tarball.
 * @property {Record<string, any>} manifest As packed.
 */

/**
 * Packs and unpacks packages.
 * @param {import('./repository.mjs').Workspace[]} workspaces
 * @param {string} into An empty folder.
 * @returns {Promise<PackedPackage[]>}
 * @throws {Error} When npm or tar fails.
 */
export async function pack(workspaces, into) {
  const packArgs = ['pack', '--silent', '--json', '--ignore-scripts', '--pack-destination', into];
  const names = workspaces.flatMap(({ folder }) => ['--workspace', folder]);
  await succeed('npm', [...packArgs, ...names]);
  return Promise.all(
    workspaces.map(async ({ folder: path, manifest: { name, version } }) => {
      const base = `${name.replace('@', '').replace('/', '-')}-${version}`;
      const tarball = join(into, `${base}.tgz`);
      const target = join(into, base);
      mkdirSync(target);
      await succeed('tar', ['-xzf', tarball, '-C', target]);
      const folder = join(target, 'package');
      const manifest = readJson(join(folder, 'package.json'));
      return { name, source: join(root, path), tarball, folder, manifest };
    }),
  );
}

/** @param {string} command @param {string[]} args */
async function succeed(command, args) {
  const { code, output } = await capture(command, args);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${output}`);
}

/**
 * Gives an unpacked package what its manifest declares, and nothing else: links to the installed
 * packages, and to the unpacked ones for those of this repository.
 * @param {PackedPackage} packed
 * @param {readonly PackedPackage[]} all
 */
export function linkDependencies(packed, all) {
  const { dependencies, optionalDependencies, peerDependencies } = packed.manifest;
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  for (const name of names) {
    const installed = [packed.source, root].map((folder) => join(folder, 'node_modules', name));
    const target =
      all.find((other) => other.name === name)?.folder ??
      installed.find((path) => existsSync(path));
    if (target === undefined) continue;
    const link = join(packed.folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(target, link);
  }
}

/**
 * Imports every entry of an unpacked package by its public name and looks for its programs.
 * @param {string} name
 * @param {string} folder
 * @param {Record<string, any>} manifest
 * @returns {Promise<string[]>}
 */
export async function entryFaults(name, folder, manifest) {
  const subpaths = Object.keys(manifest.exports ?? {}).filter((path) => !path.includes('*'));
  const specifiers = subpaths
    .filter((path) => !path.endsWith('.json'))
    .map((path) => name + path.slice(1));
  const source = specifiers.map((specifier) => `await import('${specifier}');`).join('\n');
  writeFileSync(join(folder, 'import-all.mjs'), `${source}\nprocess.exit(0);\n`);
  const { code, output } = await capture(process.execPath, ['import-all.mjs'], { cwd: folder });
  const imports = code === 0 ? [] : [`an entry cannot be imported\n${output.trim()}`];
  const programs = Object.values(manifest.bin ?? {})
    .filter((path) => !existsSync(join(folder, path)))
    .map((path) => `${path} is not in the tarball`);
  return [...imports, ...programs];
}
