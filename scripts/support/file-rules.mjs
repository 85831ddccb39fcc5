import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDataFile, root } from './repository.mjs';
import { anyTypes, functionSizes, switchedTests } from './syntax.mjs';

/** @typedef {import('./architecture.mjs').Breach} Breach */
/** @typedef {import('./syntax.mjs').ParsedFile} ParsedFile */

const longestFile = 400;
const longestFunction = 60;
const unfinished = /\b(TODO|FIXME)\b/;

/** Source and tests of packages, and everything else that is code. */
const codeFile =
  /^((packages|tooling)\/[^/]+\/(src|test|bin|app)|test|scripts|examples|bench)\/.*\.(ts|tsx|mts|js|mjs)$/;

/** @param {string} file */
export function isCodeFile(file) {
  return codeFile.test(file);
}

/**
 * Holds one file against the rules on size, types and tests.
 * @param {ParsedFile} parsed
 * @returns {Breach[]}
 */
export function codeBreaches(parsed) {
  const { file, comments, lineAt } = parsed;
  const at = (/** @type {string} */ message) => (/** @type {number} */ start) => ({
    file,
    line: lineAt(start),
    message,
  });
  const isPackageSource = /^(packages|tooling)\/[^/]+\/src\//.test(file);
  return [
    ...(isDataFile(file) ? [] : sizeBreaches(parsed)),
    ...(isPackageSource ? anyTypes(parsed).map(at('the type any')) : []),
    ...switchedTests(parsed).map(at('a test that is switched off, or switches others off')),
    ...comments
      .filter(({ value }) => unfinished.test(value))
      .map(({ start }) => start)
      .map(at('a note of unfinished work')),
  ];
}

/** @param {ParsedFile} parsed @returns {Breach[]} */
function sizeBreaches(parsed) {
  const { file, text } = parsed;
  const fileLines = text.split('\n').length - 1;
  const tooLong =
    fileLines > longestFile
      ? [{ file, line: 1, message: `${fileLines} lines, more than ${longestFile}` }]
      : [];
  if (/\/test\//.test(file)) return tooLong;
  const functions = functionSizes(parsed)
    .filter(({ ownLines }) => ownLines > longestFunction)
    .map(({ name, line, ownLines }) => ({
      file,
      line,
      message: `${name} has ${ownLines} lines of its own, more than ${longestFunction}`,
    }));
  return [...tooLong, ...functions];
}

/** Written in parts, so that this file does not break its own rule. */
const strayTexts = [
  [String.raw`(^|[\s"'\x60(=])/`, '(work|root)/'].join(''),
  [String.raw`(^|[\s"'\x60(=])/`, String.raw`(home|Users)/[a-z][\w-]*/`].join(''),
  ['/tmp/', '(briefs|bash)'].join(''),
  [String.raw`registry\.`, '(npmjs|yarnpkg|npmmirror)'].join(''),
  ['"resolved": "', 'http'].join(''),
  ['^registry', '='].join(''),
].map((source) => new RegExp(source));

/**
 * Finds what belongs to one machine: its paths and its package registry.
 * @param {string} file
 * @returns {Breach[]}
 */
export function strayTextBreaches(file) {
  const content = readFileSync(join(root, file));
  if (content.includes(0) || isDataFile(file)) return [];
  return content
    .toString('utf8')
    .split('\n')
    .flatMap((text, index) =>
      strayTexts.some((stray) => stray.test(text))
        ? [{ file, line: index + 1, message: 'a path or registry of one machine' }]
        : [],
    );
}
