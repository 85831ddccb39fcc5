import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
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

/**
 * Runs a program that must succeed.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @throws {Error} With its output when it fails.
 */
export async function succeed(command, args, options) {
  const { code, output } = await capture(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${output}`);
}
