import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from './repository.mjs';

/**
 * @typedef {object} DecisionRecord
 * @property {string} question The heading.
 * @property {number} line Of the heading, from 1.
 * @property {string} text What is below the heading.
 */

/**
 * @typedef {object} DecisionArea
 * @property {string} file Path relative to the repository.
 * @property {string} title The heading of the file.
 * @property {DecisionRecord[]} records
 */

/** The generated list of all records. */
export const indexFile = 'docs/decisions/README.md';

const folder = dirname(indexFile);
const command = 'node scripts/decisions-index.mjs --write';
const labels = ['Decision', 'Why', 'Measured', 'Date'];
const requiredLabels = ['Decision', 'Why', 'Date'];
const datePattern = /^\*\*Date\.\*\* (\d{4}-\d{2}-\d{2})$/m;

/**
 * Parses the file of one area: a title, then one second-level heading for each record.
 * @param {string} file @param {string} text @returns {DecisionArea}
 */
export function parseArea(file, text) {
  const title = /^# (.+)$/m.exec(text)?.[1] ?? basename(file, '.md');
  const headings = [...text.matchAll(/^## (.*)$/gm)];
  const records = headings.map((heading, position) => ({
    question: heading[1] ?? '',
    line: text.slice(0, heading.index).split('\n').length,
    text: text.slice(heading.index + heading[0].length, headings[position + 1]?.index),
  }));
  return { file, title, records };
}

/** @param {string} text */
function isDay(text) {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** @param {DecisionRecord} record @returns {string[]} */
function recordFaults({ question, text }) {
  const found = [...text.matchAll(/^\*\*(\w+)\.\*\* \S/gm)].map((match) => match[1] ?? '');
  const order = labels.filter((label) => found.includes(label));
  const date = datePattern.exec(text)?.[1];
  return [
    ...(question.endsWith('?') ? [] : ['the heading of a record is a question']),
    ...requiredLabels
      .filter((label) => !found.includes(label))
      .map((label) => `**${label}.** is missing`),
    ...(order.join() === found.join() ? [] : [`write each of ${labels.join(', ')} once, in order`]),
    ...(!found.includes('Date') || (date && isDay(date)) ? [] : ['the date is YYYY-MM-DD']),
  ];
}

/**
 * What is wrong with the form of the records.
 * @param {readonly DecisionArea[]} areas @returns {string[]}
 */
export function areaFaults(areas) {
  return areas.flatMap(({ file, records }) => {
    const questions = records.map(({ question }) => question);
    return [
      ...(records.length > 0 ? [] : [`${file}:1 there is no record`]),
      ...records.flatMap((record, position) =>
        [
          ...recordFaults(record),
          ...(questions.indexOf(record.question) === position ? [] : ['the question is repeated']),
        ].map((fault) => `${file}:${record.line} ${fault}: ${record.question}`),
      ),
    ];
  });
}

/**
 * The anchor that GitHub gives a heading.
 * @param {string} heading
 */
export function anchorOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

/**
 * The text of the index.
 * @param {readonly DecisionArea[]} areas
 */
export function toIndex(areas) {
  const sections = areas.map(({ file, title, records }) => {
    const name = basename(file);
    const entries = records.map(({ question }) => `- [${question}](${name}#${anchorOf(question)})`);
    return [`## [${title}](${name})`, '', ...entries, ''].join('\n');
  });
  return [
    `<!-- Written by \`${command}\`; edit the files of the areas. -->`,
    '',
    '# Decisions',
    '',
    'One file for each area, one record for each decision: the question, the decision, the reason,',
    'what was measured where there are figures, and the date. The commit that changes a decision',
    'changes its record and the date; after a change of headings run',
    `\`${command}\`.`,
    '',
    ...sections,
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}

/**
 * Reads the areas among the given files, ordered by title.
 * @param {readonly string[]} files Paths relative to the repository. @returns {DecisionArea[]}
 */
export function readAreas(files) {
  return files
    .filter((file) => dirname(file) === folder && file.endsWith('.md') && file !== indexFile)
    .map((file) => parseArea(file, readFileSync(join(root, file), 'utf8')))
    .sort((a, b) => (a.title < b.title ? -1 : 1));
}

/**
 * Faults of all records, and whether the index lists them as they are.
 * @param {readonly string[]} files Of the repository. @returns {string[]}
 */
export function decisionFaults(files) {
  const areas = readAreas(files);
  const present = files.includes(indexFile) ? readFileSync(join(root, indexFile), 'utf8') : '';
  return [
    ...areaFaults(areas),
    ...(present === toIndex(areas) ? [] : [`${indexFile} is out of date: run ${command}`]),
  ];
}
