import { allMatches } from '../text/matches.ts';
import type { Candidate } from './candidate.ts';
import type { Cue, CueReader } from './cues.ts';
import { isCounted } from './number-shapes.ts';
import { SPACED_LETTERS } from './spaced-letters.ts';

const SSN = new RegExp(
  `(?=\\d{3})(?<![${SPACED_LETTERS}\\d]|\\d[.-])(\\d{3})([- ./]?)(\\d{2})\\2(\\d{4})(?![${SPACED_LETTERS}\\d]|[-.]\\d)`,
  'gu',
);
/** What stands around digits that belong to something longer: a decimal, a path, a code. */
const PART_BEFORE = /(?:[_./+-]|(?<!\d)\d{1,3},)$/;
const PART_AFTER = /^(?:_|\/\d|,\d{1,3}(?![\d.]))/;
/** How much before and after a value is looked at for that. */
const AROUND = 5;
/** Printed in advertisements and on sample cards, and withdrawn for that reason. */
const WITHDRAWN: ReadonlySet<string> = new Set(['078051120', '219099999', '457555462']);

/**
 * United States social security numbers. Areas 000, 666 and 900 to 999, group 00 and serial 0000 are
 * never issued (Social Security Administration, randomization rules of 2011). Nine digits without
 * separators count only where a word names them; hyphenated ones unless a label says otherwise.
 */
export function findSsn(text: string, cues: CueReader): Candidate[] {
  const found: Candidate[] = [];
  for (const match of allMatches(text, SSN)) {
    const [value, area = '', separator = '', group = '', serial = ''] = match;
    if (!isIssued(area, group, serial)) continue;
    const start = match.index;
    const end = start + value.length;
    if (separator !== '-' && (isPart(text, start, end) || isCounted(text, end))) continue;
    const cue = cues.around('ssn', start, end);
    const score = rate(separator, cue, () => cues.label(start) !== undefined);
    const reason = 'nine digits in the ranges of social security numbers';
    found.push({ type: 'ssn', start, end, score, reason });
  }
  return found;
}

function isPart(text: string, start: number, end: number): boolean {
  return (
    PART_BEFORE.test(text.slice(Math.max(0, start - AROUND), start)) ||
    PART_AFTER.test(text.slice(end, end + AROUND))
  );
}

function isIssued(area: string, group: string, serial: string): boolean {
  if (area === '000' || area === '666' || area >= '900') return false;
  if (group === '00' || serial === '0000') return false;
  const digits = area + group + serial;
  return !WITHDRAWN.has(digits) && !/^(\d)\1{8}$/.test(digits);
}

// Nothing else is commonly written 3-2-4 with hyphens: a harmless word nearby only lowers that.
function rate(separator: string, cue: Cue, isLabeled: () => boolean): number {
  if (cue === 'for') return separator === '' ? 0.97 : 0.99;
  if (cue === 'against') return separator === '-' && !isLabeled() ? 0.75 : 0;
  if (separator === '-') return 0.92;
  return separator === ' ' ? 0.7 : 0;
}
