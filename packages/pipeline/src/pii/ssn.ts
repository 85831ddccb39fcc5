import { allMatches } from '../text/matches.ts';
import type { Candidate } from './candidate.ts';
import { type Cue, isLabelledOtherwise, readCue } from './cues.ts';

const SSN = /(?<![\p{L}\d_./+#=-]|\d,)(\d{3})([- ./]?)(\d{2})\2(\d{4})(?![\p{L}\d_]|[-./,]\d)/gu;
const AFTER_EQUALS = /(?<=[=#])(\d{3})([- ./]?)(\d{2})\2(\d{4})(?![\p{L}\d_]|[-./,]\d)/gu;
/** Printed in advertisements and on sample cards, and withdrawn for that reason. */
const WITHDRAWN: ReadonlySet<string> = new Set(['078051120', '219099999', '457555462']);

/**
 * United States social security numbers. Areas 000, 666 and 900 to 999, group 00 and serial 0000 are
 * never issued (Social Security Administration, randomization rules of 2011). Nine digits without
 * separators count only where a word names them; hyphenated ones unless a label says otherwise.
 */
export function findSsn(text: string): Candidate[] {
  const found: Candidate[] = [];
  const patterns = /[=#]\d/.test(text) ? [SSN, AFTER_EQUALS] : [SSN];
  for (const pattern of patterns) {
    for (const match of allMatches(text, pattern)) {
      const [value, area = '', separator = '', group = '', serial = ''] = match;
      if (!isIssued(area, group, serial)) continue;
      const end = match.index + value.length;
      const cue = readCue('ssn', text, match.index, end);
      const score = rate(separator, cue, () => isLabelledOtherwise(text, match.index));
      const reason = 'nine digits in the ranges of social security numbers';
      found.push({ type: 'ssn', start: match.index, end, score, reason });
    }
  }
  return found;
}

function isIssued(area: string, group: string, serial: string): boolean {
  if (area === '000' || area === '666' || area >= '900') return false;
  if (group === '00' || serial === '0000') return false;
  const digits = area + group + serial;
  return !WITHDRAWN.has(digits) && !/^(\d)\1{8}$/.test(digits);
}

// Nothing else is commonly written 3-2-4 with hyphens: a harmless word nearby only lowers that.
function rate(separator: string, cue: Cue, isLabelled: () => boolean): number {
  if (cue === 'for') return separator === '' ? 0.97 : 0.99;
  if (cue === 'against') return separator === '-' && !isLabelled() ? 0.75 : 0;
  if (separator === '-') return 0.92;
  return separator === ' ' ? 0.7 : 0;
}
