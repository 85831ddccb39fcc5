// Adds to package-lock.json the optional packages of other platforms that npm left out of it, as
// it does when the registry it was run against lacks them; without them npm ci calls the lock file
// out of step. Run after every change of dependencies: node scripts/complete-lock.mjs
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, root } from './support/repository.mjs';

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'openharmony', 'sunos', 'win32'];
const processors = ['arm', 'arm64', 'ia32', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

/**
 * What a platform package's name says: `binding-linux-x64-musl` is for linux, x64 and musl.
 * @param {string} name
 * @returns {{ cpu: string[], os: string[], libc?: string[] } | undefined}
 */
function platformOf(name) {
  const words = name.replace('windows', 'win32').split(/[/-]/);
  const os = words.find((word) => systems.includes(word));
  const cpu = words.find((word) => processors.includes(word));
  if (os === undefined || cpu === undefined) return undefined;
  const library = words.find((word) => /^(musl|gnu)/.test(word));
  if (library === undefined) return { cpu: [cpu], os: [os] };
  return { cpu: [cpu], os: [os], libc: [library.startsWith('musl') ? 'musl' : 'glibc'] };
}

/**
 * Whether the package that `parent` would load under `name` is in the lock file.
 * @param {string} parent Key of the lock file, e.g. `node_modules/a/node_modules/b`.
 * @param {string} name
 * @param {Record<string, unknown>} packages
 */
function isLocked(parent, name, packages) {
  const parts = parent.split('/node_modules/');
  const folders = parts.map((_, index) => parts.slice(0, index + 1).join('/node_modules/'));
  const keys = [`node_modules/${name}`, ...folders.map((it) => `${it}/node_modules/${name}`)];
  return keys.some((key) => packages[key] !== undefined);
}

const file = join(root, 'package-lock.json');
const lock = readJson(file);
const before = Object.keys(lock.packages).length;
for (const [parent, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const platform = platformOf(name);
    if (platform === undefined || isLocked(parent, name, lock.packages)) continue;
    const { dev, engines, license } = entry;
    const added = { version, ...platform, dev, license, optional: true, engines };
    lock.packages[`node_modules/${name}`] = added;
  }
}
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)),
);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${Object.keys(lock.packages).length - before} packages added.\n`);
