import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, root } from './repository.mjs';

/**
 * @typedef {object} PackageNames
 * @property {string} name Of the package, in kebab case.
 * @property {string} resource Its first resource, in the singular and in kebab case.
 * @property {string} idPrefix Three letters.
 */

const template = join(root, 'scripts/package-template');
const model = join(root, 'packages/webhooks');

/**
 * The files of a new package by path relative to it: the template with its names filled in, and the
 * manifest, compiler settings and license of `packages/webhooks`.
 * @param {PackageNames} names
 * @returns {Map<string, string>}
 */
export function packageFiles(names) {
  const fillIn = createFillIn(names);
  const files = new Map(
    templateFiles().map((file) => [
      fillIn(file.replaceAll('things', '-things-')),
      fillIn(readFileSync(join(template, file), 'utf8')),
    ]),
  );
  files.set('package.json', `${JSON.stringify(manifestOf(names), null, 2)}\n`);
  for (const file of ['tsconfig.json', 'LICENSE']) {
    files.set(file, readFileSync(join(model, file), 'utf8'));
  }
  return files;
}

/** Paths of the template's files, relative to it. */
function templateFiles() {
  return readdirSync(template, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(template.length + 1))
    .sort();
}

/** @param {PackageNames} names @returns {Record<string, any>} */
export function manifestOf({ name, resource }) {
  const { devDependencies, ...manifest } = readJson(join(model, 'package.json'));
  const { standardwebhooks: _, ...shared } = devDependencies;
  // Entries that only webhooks has.
  const { './verify': __, ...exports } = manifest.exports;
  const description = `The ${toProse(toPlural(resource))} of an organization.`;
  return {
    ...manifest,
    exports,
    name: `@probity/${name}`,
    description,
    keywords: [name],
    devDependencies: shared,
  };
}

/** @param {string} resource In the singular. */
export function toPlural(resource) {
  if (/[^aeiou]y$/.test(resource)) return `${resource.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(resource) ? `${resource}es` : `${resource}s`;
}

/** @param {string} kebab */
export function toSnake(kebab) {
  return kebab.replaceAll('-', '_');
}

/** @param {string} kebab */
function toProse(kebab) {
  return kebab.replaceAll('-', ' ');
}

/** @param {string} kebab */
function toCamel(kebab) {
  return kebab.replace(/-([a-z0-9])/g, (_, letter) => letter.toUpperCase());
}

/** @param {string} kebab */
function toPascal(kebab) {
  const camel = toCamel(kebab);
  return camel[0]?.toUpperCase() + camel.slice(1);
}

/**
 * Replaces the template's names: `sample` is the package, `thing` the resource; `__thing__` is in
 * snake case, `-thing-` in kebab case, `~thing~` in words.
 * @param {PackageNames} names
 * @returns {(text: string) => string}
 */
function createFillIn({ name, resource, idPrefix }) {
  const plural = toPlural(resource);
  const article = /^[aeiou]/.test(resource) ? 'an' : 'a';
  /** @type {readonly (readonly [RegExp, string])[]} */
  const replacements = [
    [/\ba (?=~thing~)/g, `${article} `],
    [/\bA (?=~thing~)/g, `${toPascal(article)} `],
    [/~things~/g, toProse(plural)],
    [/~thing~/g, toProse(resource)],
    [/__things__/g, toSnake(plural)],
    [/__thing__/g, toSnake(resource)],
    [/-things-/g, plural],
    [/(?<=\/)things(?=[/.])/g, plural],
    [/Things/g, toPascal(plural)],
    [/Thing/g, toPascal(resource)],
    [/\bthings/g, toCamel(plural)],
    [/\bthing/g, toCamel(resource)],
    [/\bidp(?=_)|(?<=')idp(?=')/g, idPrefix],
    [/Sample/g, toPascal(name)],
    [/sample(?=[A-Z])/g, toCamel(name)],
    [/sample/g, name],
  ];
  return (text) =>
    replacements.reduce((filled, [pattern, value]) => filled.replace(pattern, value), text);
}
