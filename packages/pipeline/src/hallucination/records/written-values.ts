/** What a value says beside its own words. */
export interface WrittenValue {
  /** Other ways to write it, as words: a date in full, a time of the clock of twelve hours. */
  readonly words: string;
  /** What it is in other units: an amount in cents, a share in percent. */
  readonly numbers: readonly number[];
  /** A time, in minutes since 1970 or since midnight. */
  readonly minutes?: number;
}

const NOTHING: WrittenValue = { words: '', numbers: [] };
const NUMBER = /^([-+(]?)\s?[$€£¥]?\s?(\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?)\s?%?\s?\)?$/i;
const DATE = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2}))?/;
const TIME = /^(\d{1,2}):(\d{2})(?::\d{2})?$/;
const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
/** Seconds since 1970, from 2001 on. */
const FIRST_EPOCH = 1e9;
const LAST_EPOCH = 4e9;
/** By what a value is divided, by a word of its name. */
const DIVISORS: readonly (readonly [RegExp, readonly number[]])[] = [
  [/\b(?:cents?|pence|minor)\b/, [100]],
  [/\b(?:ms|millis|milliseconds?)\b/, [1e3, 6e4, 3.6e6]],
  [/\b(?:s|sec|secs|seconds?)\b/, [60, 3600]],
  [/\b(?:min|mins|minutes?)\b/, [60]],
  [/\b(?:m|meters?|metres?|grams?|mb|kb)\b/, [1e3]],
  [/\bbytes?\b/, [1e3, 1e6, 1e9, 1024, 2 ** 20, 2 ** 30]],
  [/\b(?:hours?|hrs?)\b/, [24]],
];
const EPOCH_NAME =
  /\b(?:at|on|time|date|timestamp|ts|created|updated|modified|start|end|expires|due)\b/;

/**
 * The further forms in which answers repeat a value.
 *
 * @param name its name in lower case, the words apart
 * @param number what `toNumber` says of the value
 */
export function writtenValueOf(name: string, value: string, number: number): WrittenValue {
  if (!Number.isNaN(number)) return numberIn(name, Math.abs(number));
  const first = value.charCodeAt(0);
  if (first > 0x39 || first < 0x30) return NOTHING;
  const date = DATE.exec(value);
  if (date !== null) return { words: dateWords(date), numbers: [], minutes: minutesOf(value) };
  const time = TIME.exec(value);
  if (time !== null) {
    const [hour, minute] = [Number(time[1]), time[2] as string];
    return { words: timeWords(hour, minute), numbers: [], minutes: hour * 60 + Number(minute) };
  }
  return NOTHING;
}

/** The value of a text that is a number, an amount or a share and nothing else; NaN for others. Brackets are a minus. */
export function toNumber(text: string): number {
  const parts = NUMBER.exec(text);
  if (parts === null) return Number.NaN;
  const value = Number((parts[2] as string).replaceAll(',', ''));
  return parts[1] === '-' || parts[1] === '(' ? -value : value;
}

function numberIn(name: string, number: number): WrittenValue {
  const numbers: number[] = [];
  if (number > 0 && number <= 1) numbers.push(number * 100);
  for (const [pattern, divisors] of DIVISORS) {
    if (pattern.test(name)) numbers.push(...divisors.map((divisor) => number / divisor));
  }
  const seconds = number > LAST_EPOCH ? number / 1e3 : number;
  const isEpoch = seconds >= FIRST_EPOCH && seconds < LAST_EPOCH && EPOCH_NAME.test(name);
  const date = isEpoch ? DATE.exec(new Date(seconds * 1e3).toISOString()) : null;
  return { words: date === null ? '' : dateWords(date), numbers };
}

function minutesOf(date: string): number {
  return Math.round(Date.parse(date) / 6e4);
}

function dateWords([, year, month, day, hour, minute]: RegExpExecArray): string {
  const name = MONTHS[Number(month) - 1] ?? '';
  const weekday = DAYS[new Date(`${year}-${month}-${day}`).getUTCDay()] ?? '';
  const time =
    hour === undefined ? '' : `, ${hour}:${minute}, ${timeWords(Number(hour), minute ?? '')}`;
  return `${weekday}, ${name} ${Number(day)}, ${year}, ${month}${time}`;
}

function timeWords(hour: number, minute: string): string {
  return `${hour % 12 === 0 ? 12 : hour % 12}:${minute} ${hour < 12 ? 'am' : 'pm'}`;
}
