import type { PiiType } from '../risk.ts';
import { allMatches } from '../text/matches.ts';
import { CUE_WORDS, HARMLESS_WORDS, NUMBERED_WORDS } from './cue-words.ts';

/** What the words around a candidate say: for its type, against it, or nothing. */
export type Cue = 'for' | 'against' | undefined;

/** How far around a candidate words are read, in UTF-16 units. */
const REACH = 40;
const REACH_AFTER = 24;

const MARKS = /\p{M}/gu;
const TYPES = Object.keys(CUE_WORDS) as PiiType[];
const LABEL = new RegExp(
  `(?<![a-z0-9])(?:${alternatives(NUMBERED_WORDS)})(?:[ .]{1,2}(?:number|no|nr|id|code|is|was)){0,2}[ .:#=]{0,4}$`,
);
const PATTERNS: Readonly<Record<PiiType, RegExp>> = compileAll();

/**
 * Reads about 40 characters before a candidate and 24 after it. The nearest word before decides;
 * where there is none, the nearest after it. A word for another type speaks against this one.
 *
 * @param text the normalized text
 * @param start where the candidate begins in it
 * @param end where it ends
 */
export function readCue(type: PiiType, text: string, start: number, end: number): Cue {
  const before = plain(text.slice(Math.max(0, start - REACH), start));
  const after = plain(text.slice(end, end + REACH_AFTER));
  return nearest(type, before, true) ?? nearest(type, after, false);
}

/** Whether a word for `type` stands before the candidate, nearer than any word against it. */
export function isNamedBefore(type: PiiType, text: string, start: number): boolean {
  return nearest(type, plain(text.slice(Math.max(0, start - REACH), start)), true) === 'for';
}

/**
 * Whether the candidate is labelled as the number of something else: `part number 12-3`, `order #12`.
 * Unlike a harmless word somewhere before it, that leaves no doubt.
 */
export function isLabelledOtherwise(text: string, start: number): boolean {
  return LABEL.test(plain(text.slice(Math.max(0, start - REACH), start)));
}

function nearest(type: PiiType, text: string, last: boolean): Cue {
  let cue: Cue;
  for (const match of allMatches(text, PATTERNS[type])) {
    cue = match[1] === undefined ? 'against' : 'for';
    if (!last) return cue;
  }
  return cue;
}

function plain(text: string): string {
  return text.toLowerCase().normalize('NFD').replace(MARKS, '');
}

function compileAll(): Readonly<Record<PiiType, RegExp>> {
  const compile = (type: PiiType) => {
    const others = TYPES.filter(
      (other) => other !== type && other !== 'email' && other !== 'ip_address',
    );
    const against = [...HARMLESS_WORDS, ...others.flatMap((other) => CUE_WORDS[other])];
    const word = `(${alternatives(CUE_WORDS[type])})|(?:${alternatives(against)})`;
    return new RegExp(`(?<![a-z0-9])(?:${word})(?![a-z])`, 'g');
  };
  return Object.fromEntries(TYPES.map((type) => [type, compile(type)])) as Record<PiiType, RegExp>;
}

function alternatives(lists: readonly string[]): string {
  const words = lists.flatMap((list) => list.split(','));
  return words
    .map((word) => word.replaceAll(' ', '[ .\\-_]{1,2}').replaceAll('*', '[a-z]{0,24}'))
    .join('|');
}
