import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { root, workspacesIn } from './repository.mjs';

/** @typedef {{ file: string, line: number, message: string }} Breach */
/** @typedef {import('./syntax.mjs').ParsedFile} ParsedFile */

/** Which packages of ours each package may use; one that is not listed may use core. */
const allowed = /** @type {Record<string, readonly string[]>} */ ({
  core: [],
  pipeline: [],
  evaltool: [],
  client: [],
  platform: ['core'],
  scim: ['core'],
  webhooks: ['core'],
  integrations: ['core'],
  evidence: ['core', 'evaltool'],
  knowledge: ['core', 'pipeline'],
  governance: ['core', 'pipeline', 'knowledge'],
  gateway: ['core', 'pipeline', 'knowledge', 'governance'],
  cli: ['client', 'evaltool'],
  dashboard: ['client'],
  standalone: [
    ...['core', 'pipeline', 'platform', 'governance', 'knowledge', 'scim', 'webhooks'],
    ...['evidence', 'integrations', 'client', 'dashboard'],
  ],
});

/** Packages that are programs: their root entry may load everything they need. */
const programs = new Set(['standalone', 'gateway', 'cli', 'dashboard']);

/** @param {string} name */
function permittedOf(name) {
  return allowed[name] ?? ['core'];
}

const heavyModule = /^(koa|@koa\/router|kysely|pg|better-sqlite3(-13)?|@cantoo\/pdf-lib)(\/|$)/;
const heavyEntry = /^@probity\/[^/]+\/(koa|pdf|sql|testing)$/;
const ours = /^@probity\/([^/]+)/;

/**
 * Holds imports and manifests against the architecture.
 * @param {ReadonlyMap<string, ParsedFile>} files All source files by path.
 * @returns {Breach[]}
 */
export function architectureBreaches(files) {
  const packages = workspacesIn(['packages']);
  return [
    ...packages.flatMap(manifestBreaches),
    ...[...files.values()].flatMap(importBreaches),
    ...rootEntryNames('packages/core/src/index.ts', 150),
    ...packages
      .filter(({ name }) => !programs.has(name))
      .flatMap(({ folder }) => rootEntryBreaches(folder, files)),
  ];
}

/** @param {import('./repository.mjs').Workspace} workspace @returns {Breach[]} */
function manifestBreaches({ folder, name, manifest }) {
  const at = { file: `${folder}/package.json`, line: 1 };
  const permitted = permittedOf(name);
  const needs = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  return needs
    .map((need) => ours.exec(need)?.[1])
    .filter((need) => need !== undefined && !permitted.includes(need))
    .map((need) => ({ ...at, message: `${name} must not depend on ${need}` }));
}

/** @param {ParsedFile} parsed @returns {Breach[]} */
function importBreaches({ file, imports, lineAt }) {
  const [parent, name, part] = file.split('/');
  if (parent === 'tooling') {
    return imports.flatMap(({ specifier, start }) => {
      const path = posix.join(posix.dirname(file), specifier);
      if (!specifier.startsWith('.') || path.startsWith(`tooling/${name}/`)) return [];
      return [{ file, line: lineAt(start), message: `${specifier} leaves the workspace` }];
    });
  }
  if (parent !== 'packages' || name === undefined) return [];
  const isTest = part === 'test';
  return imports.flatMap(({ specifier, start }) => {
    const message = importFault(file, name, isTest, specifier);
    return message ? [{ file, line: lineAt(start), message }] : [];
  });
}

/** @param {string} file @param {string} name @param {boolean} isTest @param {string} specifier */
function importFault(file, name, isTest, specifier) {
  const target = ours.exec(specifier)?.[1];
  if (target === 'test-support') {
    return isTest ? undefined : 'only tests may import @probity/test-support';
  }
  if (target !== undefined && target !== name && !permittedOf(name).includes(target)) {
    return `${name} must not import ${specifier}`;
  }
  if (specifier.startsWith('.')) {
    const path = posix.join(posix.dirname(file), specifier);
    return path.startsWith(`packages/${name}/`) ? undefined : `${specifier} leaves the package`;
  }
  return isTest ? undefined : homeFault(file, specifier);
}

/**
 * Holds an entry to a number of exported names, so that a person can review what it promises.
 * @param {string} file @param {number} limit @returns {Breach[]}
 */
function rootEntryNames(file, limit) {
  if (!existsSync(join(root, file))) return [];
  const lists = readFileSync(join(root, file), 'utf8').matchAll(/export (?:type )?\{([^}]*)\}/g);
  const names = [...lists].flatMap(([, list = '']) =>
    list.split(',').filter((name) => name.trim()),
  );
  const message = `exports ${names.length} names; ${limit} is the limit, move some to ./internal`;
  return names.length > limit ? [{ file, line: 1, message }] : [];
}

/** Where a library may be imported: files of this name, or files in folders of it. */
const homes = [
  { library: /^kysely(\/|$)/, home: /\/(?:sql\.ts$|sql\/)/, name: 'sql' },
  { library: /^(?:koa|@koa\/router)$/, home: /\/(?:http\.ts$|http\/)/, name: 'http' },
  { library: /^@cantoo\/pdf-lib$/, home: /\/(?:pdf\.ts$|pdf\/)/, name: 'pdf' },
];

/** @param {string} file @param {string} specifier */
function homeFault(file, specifier) {
  if (programs.has(file.split('/')[1] ?? '') || !file.includes('/src/')) return undefined;
  const broken = homes.find(({ library, home }) => library.test(specifier) && !home.test(file));
  return broken && `only ${broken.name}.ts and ${broken.name}/ may import ${specifier}`;
}

/**
 * Follows the imports of a package's root entry: neither web framework nor database may be
 * reached, so that a host that does not use them need not install them.
 * @param {string} folder
 * @param {ReadonlyMap<string, ParsedFile>} files
 * @returns {Breach[]}
 */
function rootEntryBreaches(folder, files) {
  /** @type {Breach[]} */
  const breaches = [];
  const seen = new Set([`${folder}/src/index.ts`]);
  for (const file of seen) {
    const parsed = files.get(file);
    for (const { specifier, start, isDynamic } of parsed?.imports ?? []) {
      // Loaded by the function that contains it, where a host uses it.
      if (isDynamic) continue;
      if (specifier.startsWith('.')) seen.add(posix.join(posix.dirname(file), specifier));
      else if (heavyModule.test(specifier) || heavyEntry.test(specifier)) {
        const message = `reached from the root entry of ${folder}, which must not load ${specifier}`;
        breaches.push({ file, line: parsed?.lineAt(start) ?? 1, message });
      }
    }
  }
  return breaches;
}
