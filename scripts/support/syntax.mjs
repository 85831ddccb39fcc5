import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { root } from './repository.mjs';

/**
 * @typedef {object} ParsedFile
 * @property {string} file Path relative to the repository.
 * @property {string} text
 * @property {any} program The syntax tree (ESTree with TypeScript nodes).
 * @property {{ value: string, start: number }[]} comments
 * @property {Import[]} imports
 * @property {(offset: number) => number} lineAt Line of a position, from 1.
 */

/**
 * @typedef {object} Import
 * @property {string} specifier
 * @property {number} start
 * @property {boolean} isDynamic Whether it is loaded by a function, with `import()`.
 */

/**
 * Reads and parses a TypeScript or JavaScript file.
 * @param {string} file Path relative to the repository.
 * @returns {ParsedFile}
 * @throws {Error} When it does not parse.
 */
export function parseFile(file) {
  const text = readFileSync(join(root, file), 'utf8');
  const { program, comments, errors, module } = parseSync(file, text);
  const [error] = errors;
  if (error) throw new Error(`${file}: ${error.message}`);
  return { file, text, program, comments, imports: importsOf(text, module), lineAt: lines(text) };
}

/** Everything a module loads: imports, re-exports and `import()` of a literal, types included. */
function importsOf(/** @type {string} */ text, /** @type {any} */ module) {
  /** @type {any[]} */
  const requests = [
    ...module.staticImports.map((/** @type {any} */ entry) => entry.moduleRequest),
    ...module.staticExports.flatMap((/** @type {any} */ entry) =>
      entry.entries.map((/** @type {any} */ item) => item.moduleRequest),
    ),
    ...module.dynamicImports.map((/** @type {any} */ entry) => entry.moduleRequest),
  ];
  const dynamic = new Set(
    module.dynamicImports.map((/** @type {any} */ entry) => entry.moduleRequest.start),
  );
  const literals = requests.filter(
    (request) => request && /^['"]/.test(text.slice(request.start, request.end)),
  );
  /** An import that is exported again is listed twice by the parser. */
  const byStart = new Map(literals.map((request) => [request.start, request]));
  return [...byStart.values()].map(({ start, end }) => ({
    specifier: text.slice(start + 1, end - 1),
    start,
    isDynamic: dynamic.has(start),
  }));
}

/** @param {string} text @returns {(offset: number) => number} */
function lines(text) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

/**
 * @typedef {object} FunctionSize
 * @property {string} name
 * @property {number} line First line.
 * @property {number} ownLines Its lines without those of functions within it; the line on which
 * such a function starts counts as its own.
 */

/**
 * The functions of a file with their sizes.
 * @param {ParsedFile} parsed
 * @returns {FunctionSize[]}
 */
export function functionSizes({ program, lineAt }) {
  /** @type {FunctionSize[]} */
  const found = [];
  /** @type {{ nested: number }[]} */
  const open = [];
  const enter = () => void open.push({ nested: 0 });
  const leave = (/** @type {any} */ node) => {
    const line = lineAt(node.start);
    const span = lineAt(node.end) - line + 1;
    const nested = open.pop()?.nested ?? 0;
    const outer = open.at(-1);
    if (outer) outer.nested += span - 1;
    found.push({ name: node.id?.name ?? 'function', line, ownLines: span - nested });
  };
  new Visitor({
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
  }).visit(program);
  return found;
}

/** Positions of the type `any`. @param {ParsedFile} parsed @returns {number[]} */
export function anyTypes({ program }) {
  /** @type {number[]} */
  const found = [];
  new Visitor({ TSAnyKeyword: (node) => void found.push(node.start) }).visit(program);
  return found;
}

const testFunctions = new Set(['test', 'it', 'describe', 'suite']);
const switches = new Set(['skip', 'only', 'todo']);

/**
 * Positions at which a test is switched off or others are: `test.skip(...)`, or an option like
 * `skip: true`. A computed reason, `skip: redisMissing()`, is none of these.
 * @param {ParsedFile} parsed
 * @returns {number[]}
 */
export function switchedTests({ program }) {
  /** @type {number[]} */
  const found = [];
  new Visitor({
    CallExpression(/** @type {any} */ { callee, arguments: args, start }) {
      const isMember = callee.type === 'MemberExpression';
      const name = isMember ? callee.object.name : callee.name;
      if (!testFunctions.has(name)) return;
      const byName = isMember && switches.has(callee.property.name);
      if (byName || args.some(isSwitchingOption)) found.push(start);
    },
  }).visit(program);
  return found;
}

function isSwitchingOption(/** @type {any} */ argument) {
  if (argument.type !== 'ObjectExpression') return false;
  return argument.properties.some(
    (/** @type {any} */ { key, value }) =>
      switches.has(key?.name) && value.type === 'Literal' && value.value !== false,
  );
}
