import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryFiles, root } from './repository.mjs';

const DOCUMENT = 'docs/security.md';
const HEADING = '## Threats and their tests';
const row = /^\| (?!Threat |-)(.+) \|$/;
const cells = /^(.+) \| \[(.+)\]\(\.\.\/([^)\s]+)\)$/;

/**
 * The rows of the table of threats that name no test: the test's file must exist and have a test, or a
 * check of a contract, with exactly this title. A title that a template makes is written as the template.
 * @returns {string[]}
 */
export function threatFaults() {
  if (!repositoryFiles().includes(DOCUMENT)) return [];
  const lines = readFileSync(join(root, DOCUMENT), 'utf8').split('\n');
  const start = lines.indexOf(HEADING);
  if (start === -1) return [`${DOCUMENT}: there is no section "${HEADING}"`];
  const next = lines.findIndex((line, index) => index > start && line.startsWith('## '));
  const end = next === -1 ? lines.length : next;
  return lines.slice(start, end).flatMap((line, index) => {
    const text = row.exec(line)?.[1];
    const fault = text === undefined ? undefined : rowFault(text);
    return fault === undefined ? [] : [`${DOCUMENT}:${start + index + 1} ${fault}`];
  });
}

/** @param {string} text The row without its outer bars. @returns {string | undefined} */
function rowFault(text) {
  const [, , title, path] = cells.exec(text) ?? [];
  if (!title || !path) return 'a row is | threat | [title of a test](../file) |';
  if (!repositoryFiles().includes(path)) return `no such file: ${path}`;
  return hasTest(readFileSync(join(root, path), 'utf8'), title)
    ? undefined
    : `${path} has no test with the title: ${title}`;
}

/** @param {string} source @param {string} title */
function hasTest(source, title) {
  const joined = source.replace(/\b(test|it)\(\s+/g, '$1(');
  return ["'", '"', '`'].some((quote) => {
    const literal = `${quote}${title}${quote}`;
    return [`test(${literal},`, `it(${literal},`, `  ${literal}:`].some((text) =>
      joined.includes(text),
    );
  });
}
