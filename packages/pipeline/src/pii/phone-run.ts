import type { TextRange } from '../types.ts';

/** A part of a row of digits that may be one telephone number. */
export interface PhonePart extends TextRange {
  readonly value: string;
}

/** Most digits of a telephone number, with its country code (ITU-T E.164, section 6). */
const MAX_DIGITS = 15;
const MIN_DIGITS = 7;
const COMPLETE =
  /^(?:\+?1[-. ])?(?:\([2-9]\d{2}\) ?[-.]?|[2-9]\d{2}[-. ])\d{3}[-. ]\d{4}$|^\d{3}[-.]\d{3}[-.]\d{4}$/;
/** An address of the internet, and a North American number that is to come. */
const ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const NANP_AHEAD = /^\([2-9]\d{2}\) \d{3}-\d{4}(?!\d)/;

/**
 * Cuts a row of digits and separators into the telephone numbers that it may be. A row that fits one
 * number stays whole; a longer one, or one with a second plus sign, is cut at blanks and slashes: before a plus
 * sign, after a complete North American number, before the trunk prefix 0 of the next national number,
 * or where the digits would be too many for one number.
 */
export function splitPhoneRun(row: string, offset: number): PhonePart[] {
  if (row.startsWith('(') && !row.includes(')')) return splitPhoneRun(row.slice(1), offset + 1);
  const whole = { value: row, start: offset, end: offset + row.length };
  if (countDigits(row) <= MAX_DIGITS && !row.includes('+', 2)) return [whole];
  const parts: PhonePart[] = [];
  let start = 0;
  for (let at = 1; at < row.length; at++) {
    if (
      !' /'.includes(row.charAt(at)) ||
      at <= start ||
      !isCut(row.slice(start, at), row.slice(at + 1))
    )
      continue;
    parts.push(trimmed(row, start, at, offset));
    start = at + 1;
  }
  parts.push(trimmed(row, start, row.length, offset));
  return parts.filter(({ value }) => countDigits(value) >= MIN_DIGITS - 1);
}

/** Signs between two numbers. */
const BETWEEN = ' /-.';

/** A part without the signs at its ends that part it from the next one. */
function trimmed(row: string, start: number, end: number, offset: number): PhonePart {
  let from = start;
  let to = end;
  while (from < to && BETWEEN.includes(row.charAt(from))) from++;
  while (to > from && BETWEEN.includes(row.charAt(to - 1))) to--;
  return { value: row.slice(from, to), start: offset + from, end: offset + to };
}

function isCut(before: string, after: string): boolean {
  if (/^\(?\+/.test(after) || ADDRESS.test(before) || NANP_AHEAD.test(after)) return true;
  const digits = countDigits(before);
  if (digits < MIN_DIGITS || /^\(?\+?\d{0,3}\)?$/.test(before)) return false;
  if (COMPLETE.test(before)) return true;
  const next = /^\S+/.exec(after)?.[0] ?? '';
  if (digits + countDigits(next) > MAX_DIGITS) return true;
  return digits >= 10 && before.startsWith('0') && /^\(?0\d/.test(next);
}

function countDigits(value: string): number {
  let count = 0;
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) count++;
  }
  return count;
}
