// Writes a package with one resource in the shape of packages/webhooks:
// npm run new-package NAME [RESOURCE] [-- --id-prefix=abc]
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { manifestOf, packageFiles, toPlural, toSnake } from './support/package-template.mjs';
import { readJson, root } from './support/repository.mjs';

const usage = 'Usage: npm run new-package NAME [RESOURCE] [-- --id-prefix=abc]';
const kebabCase = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

try {
  const names = readNames(process.argv.slice(2));
  const folder = `packages/${names.name}`;
  // All are made before the first is written, so that a refusal leaves nothing behind.
  const edited = new Map([
    addPermissions(names),
    addIdPrefix(names),
    addReference(folder),
    addToLock(folder, names),
  ]);
  for (const [file, text] of edited) write(file, text);
  for (const [file, text] of packageFiles(names)) write(`${folder}/${file}`, text);
  // Imports and lines are ordered and broken by the names that stand in them.
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  execFileSync(process.execPath, [biome, 'check', '--write', folder], { cwd: root, stdio: 'pipe' });
  process.stdout.write(
    `Wrote ${folder} and changed ${[...edited.keys()].join(', ')}.\n` +
      'Next: npm install, npm run build, node scripts/reference.mjs --write, ' +
      `npm test -- ${names.name}; then name the capability in the program that is to have it.\n`,
  );
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}

/** @param {readonly string[]} args @returns {import('./support/package-template.mjs').PackageNames} */
function readNames(args) {
  const options = /** @type {const} */ ({ 'id-prefix': { type: 'string' } });
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [name = '', resource = name.replace(/s$/, '')] = positionals;
  if (positionals.length > 2 || !kebabCase.test(name) || !kebabCase.test(resource)) {
    throw new Error(`${usage}\nNAME and RESOURCE (in the singular) are lower case with hyphens.`);
  }
  if (existsSync(join(root, 'packages', name))) throw new Error(`packages/${name} exists already.`);
  const idPrefix = values['id-prefix'] ?? resource.replaceAll('-', '').slice(0, 3);
  if (!/^[a-z]{3}$/.test(idPrefix)) throw new Error(`${usage}\nThe id prefix has three letters.`);
  return { name, resource, idPrefix };
}

/** @typedef {[file: string, text: string]} Edit */

/** @param {import('./support/package-template.mjs').PackageNames} names @returns {Edit} */
function addPermissions({ resource }) {
  const file = 'packages/core/src/contract/permissions.ts';
  const subject = toSnake(toPlural(resource));
  const text = read(file);
  if (text.includes(`'${subject}:`)) throw new Error(`${file} has permissions on ${subject}.`);
  const lines = `  '${subject}:read': 'viewer',\n  '${subject}:write': 'admin',\n`;
  return insertBefore(file, text, '} as const satisfies Record<string, Role>;', lines);
}

/** @param {import('./support/package-template.mjs').PackageNames} names @returns {Edit} */
function addIdPrefix({ idPrefix }) {
  const file = 'packages/core/src/contract/prefixes.ts';
  const text = read(file);
  if (text.includes(`'${idPrefix}'`)) {
    throw new Error(`${file} has the id prefix ${idPrefix}; give another with --id-prefix.`);
  }
  return insertBefore(file, text, '] as const;', `  '${idPrefix}',\n`);
}

/** @param {string} folder @returns {Edit} */
function addReference(folder) {
  const file = 'tsconfig.json';
  const config = readJson(join(root, file));
  const after = config.references.findIndex(
    (/** @type {{ path: string }} */ { path }) => path === 'packages/webhooks',
  );
  config.references.splice(after + 1, 0, { path: folder });
  return [file, `${JSON.stringify(config, null, 2)}\n`];
}

/**
 * What `npm install` would add, so that `npm ci` accepts the lock file.
 * @param {string} folder
 * @param {import('./support/package-template.mjs').PackageNames} names
 * @returns {Edit}
 */
function addToLock(folder, names) {
  const file = 'package-lock.json';
  const lock = readJson(join(root, file));
  const { type: _, exports: __, files: ___, sideEffects: ____, ...rest } = manifestOf(names);
  const { description: _____, keywords: ______, ...entry } = rest;
  lock.packages[`node_modules/${entry.name}`] = { resolved: folder, link: true };
  lock.packages[folder] = entry;
  const sorted = Object.entries(lock.packages).sort(([left], [right]) =>
    left.localeCompare(right, 'en'),
  );
  return [file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`];
}

/** @param {string} file @param {string} text @param {string} mark @param {string} lines @returns {Edit} */
function insertBefore(file, text, mark, lines) {
  const at = text.indexOf(mark);
  if (at === -1) throw new Error(`${file} has no line ${mark}`);
  return [file, text.slice(0, at) + lines + text.slice(at)];
}

/** @param {string} file */
function read(file) {
  return readFileSync(join(root, file), 'utf8');
}

/** @param {string} file @param {string} text */
function write(file, text) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}
