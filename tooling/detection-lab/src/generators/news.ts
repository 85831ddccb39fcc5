import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '@probity/test-support/random';
import { readDataFile } from '../lib/data-file.ts';
import { WRITTEN_FOLDER } from '../lib/paths.ts';
import { FAITHFUL_EDITS, FALSE_EDITS } from './sentence-edits.ts';

const lists = readDataFile('claims/news');

/** Statements about a report, by whether it bears them out. */
interface Statements {
  readonly faithful: readonly string[];
  readonly unfaithful: readonly string[];
}

/** A made-up report with statements about it. */
export interface NewsReport extends Statements {
  readonly text: string;
  /** Whole reports in one sentence; the false ones are about like events, with details of their own. */
  readonly summaries: Statements;
}

/** A statement about a report. */
export interface NewsStatement {
  readonly text: string;
  readonly faithful: boolean;
  /** How it was made; `written` and `summary` by hand. */
  readonly kind: string;
}

/** The reports, in parts that can be held out. */
export const NEWS: Readonly<Record<string, readonly NewsReport[]>> = {
  news_one: readReports(readTable('one')),
  news_two: readReports(readTable('two')),
  news_three: readReports(readTable('three')),
  news_four: readReports(readTable('four')),
  news_five: readReports(readTable('five')),
  news_six: readReports(readTable('six')),
  news_seven: readReports(readTable('seven')),
  news_eight: readReports(readTable('eight')),
};

/** In these tables a star behind the sign marks a summary. */
function readTable(name: string): string {
  const path = join(WRITTEN_FOLDER, `news-${name}.txt`);
  return `\n${readFileSync(path, 'utf8')}`;
}

function readReports(table: string): NewsReport[] {
  return table
    .split(/\n= /)
    .slice(1)
    .map((part) => {
      const [text = '', ...statements] = part.split(/\n(?=[+-]\*? )/).map((item) => unwrap(item));
      const marked = (sign: string) =>
        statements
          .filter((item) => item.startsWith(`${sign} `))
          .map((item) => item.slice(sign.length + 1));
      const summaries = { faithful: marked('+*'), unfaithful: marked('-*') };
      return { text, faithful: marked('+'), unfaithful: marked('-'), summaries };
    });
}

function unwrap(item: string): string {
  return item.trim().replaceAll('\n', ' ');
}

/** What goes wrong in statements that are free in their wording. */
const ERRORS = ['number', 'date', 'unit', 'name', 'denial', 'opposite', 'exchange', 'embellish'];

/** The statements about a report: those written, and more that are made of the faithful ones. */
export function newsStatements(
  report: NewsReport,
  others: readonly NewsReport[],
  random: Random,
): NewsStatement[] {
  const sentences = report.text.split(/(?<=[.!?]"?) /);
  const foreign = others.flatMap(({ faithful }) => faithful);
  const { faithful, unfaithful, summaries } = report;
  return [
    ...faithful.map((text) => ({ text, faithful: true, kind: 'written' })),
    ...unfaithful.map((text) => ({ text, faithful: false, kind: 'written' })),
    ...summaries.faithful.map((text) => ({ text, faithful: true, kind: 'summary' })),
    ...summaries.unfaithful.map((text) => ({ text, faithful: false, kind: 'summary' })),
    ...faithful.flatMap((text) => madeOf(text, sentences, foreign, random)),
  ];
}

function madeOf(
  text: string,
  sentences: readonly string[],
  foreign: readonly string[],
  random: Random,
): NewsStatement[] {
  const made: NewsStatement[] = [];
  const reworded = random.pick(FAITHFUL_EDITS)(text, random, []);
  if (reworded !== undefined) made.push({ text: reworded, faithful: true, kind: 'reworded' });
  const other = random.pick(foreign);
  made.push({ text: invent(text, random), faithful: false, kind: 'invented' });
  made.push({ text: stitch(text, other, random), faithful: false, kind: 'stitched' });
  made.push({ text: other, faithful: false, kind: 'foreign' });
  for (const kind of random.shuffle(ERRORS).slice(0, 4)) {
    const edited = FALSE_EDITS[kind]?.(text, random, sentences);
    if (edited !== undefined && edited !== text) made.push({ text: edited, faithful: false, kind });
  }
  return made;
}

/** The beginning of one statement with the end of another. */
function stitch(text: string, other: string, random: Random): string {
  const own = text.split(' ');
  const rest = other.split(' ');
  const cut = Math.floor(own.length * (0.4 + 0.3 * random.next()));
  return [...own.slice(0, cut), ...rest.slice(-Math.max(3, own.length - cut))].join(' ');
}

const FIRST_NAMES = lists.list('firstNames');
const LAST_NAMES = lists.list('lastNames');
const TOWNS = lists.list('towns');
const BODIES = lists.list('bodies');
const DETAILS = lists.list('details');
const OPENINGS = lists.list('openings');

/** Adds what no report says: people, places and circumstances. */
function invent(text: string, random: Random): string {
  const fill = (pattern: string): string =>
    pattern
      .replace('TOWN', () => random.pick(TOWNS))
      .replace('BODY', () => random.pick(BODIES))
      .replace('NAME', () => `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`)
      .replace('AGE', () => String(20 + random.below(65)));
  const detail = fill(random.pick(DETAILS));
  if (random.next() < 0.3) {
    const opening = fill(random.pick(OPENINGS));
    const said = `${text[0]?.toLowerCase()}${text.slice(1)}`;
    return `${opening[0]?.toUpperCase()}${opening.slice(1)}${said}`;
  }
  return text.replace(/[.]$/, ` ${detail}.`);
}
