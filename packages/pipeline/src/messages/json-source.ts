import type { Steps } from './steps.ts';
import { isStepDue } from './steps.ts';
import type { TextPath } from './text-path.ts';
import { below } from './text-path.ts';

/** The role of a text in a JSON value. */
export type JsonKind = 'name' | 'string' | 'number';

/** Replaces one text; the name of a member stands before its value. */
type Replace = (text: string, path: TextPath, kind: JsonKind) => string;

const BACKSLASH = 0x5c;
/** `\u0035` */
const LONG_ESCAPE = 6;

/**
 * Replaces the texts of JSON in its source: strings, numbers (their digits may be a card number) and names of members.
 * What is not replaced stays byte for byte: long numbers keep their digits, and of members of one name all stay. A
 * number that is replaced becomes a string.
 *
 * @param source valid JSON
 * @param literal told of `true`, `false` or `null` as the value of a member, behind its name
 */
export function* editJson(
  source: string,
  path: TextPath,
  replace: Replace,
  literal?: (value: string) => void,
): Steps<string> {
  let at = 0;
  let output = '';
  let copied = 0;
  const put = (start: number, text: string) => {
    output += source.slice(copied, start) + text;
    copied = at;
  };
  const skipSpace = () => {
    while (source.charCodeAt(at) <= 0x20) at++;
  };
  /** The text of the string at `at`, and what writes it with another text. */
  const takeText = () => {
    const start = at;
    at = endOfString(source, start);
    const raw = source.slice(start + 1, at - 1);
    const text = raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
    const write = (next: string) => {
      if (next !== text) put(start, `"${editString(raw, text, next)}"`);
    };
    return { text, write };
  };
  const takeNumber = (path: TextPath) => {
    const start = at;
    while (/[\d+.eE-]/.test(source.charAt(at))) at++;
    const digits = digitsOf(source.slice(start, at));
    const replaced = replace(digits, path, 'number');
    if (replaced !== digits) put(start, JSON.stringify(replaced));
  };
  /** Takes the name of a member; the path of its value. */
  const takeName = ({ path, names }: OpenObject): TextPath => {
    const { text, write } = takeText();
    const where = below(path, text);
    write(names.nameFor(text, replace(text, where, 'name')));
    skipSpace();
    at++;
    return where;
  };

  const open: (OpenObject | OpenList)[] = [];
  for (let where = path; ; ) {
    if (isStepDue()) yield;
    skipSpace();
    const sign = source.charAt(at);
    if (sign === '{') open.push({ path: where, names: namesOf() });
    else if (sign === '[') open.push({ path: where, index: 0 });
    if (sign === '{' || sign === '[') at++;
    else if (sign === '"') {
      const { text, write } = takeText();
      write(replace(text, where, 'string'));
    } else if (/[tfn]/.test(sign)) {
      const value = sign === 'f' ? 'false' : sign === 't' ? 'true' : 'null';
      at += value.length;
      if ('names' in (open.at(-1) ?? {})) literal?.(value);
    } else takeNumber(where);
    let holder = open.at(-1);
    for (; holder !== undefined; holder = open.at(-1)) {
      skipSpace();
      if (source.charAt(at) === ',') at++;
      skipSpace();
      if (!/[\]}]/.test(source.charAt(at))) break;
      at++;
      open.pop();
    }
    if (holder === undefined) return output + source.slice(copied);
    where = 'names' in holder ? takeName(holder) : below(holder.path, holder.index++);
  }
}

/** An object that the source has begun. */
interface OpenObject {
  readonly path: TextPath;
  readonly names: NamesOf;
}

/** A list that the source has begun; `index` counts its values so far. */
interface OpenList {
  readonly path: TextPath;
  index: number;
}

/** The names of an object, among which those that are replaced stay different. */
export interface NamesOf {
  /** The name in place of `name`: `replaced`, with a number where another member has it. */
  nameFor(name: string, replaced: string): string;
}

/** @param known names that the object has anyway */
export function namesOf(known: readonly string[] = []): NamesOf {
  // By the new name the old one.
  const taken = new Map(known.map((name) => [name, name]));
  // Members of one name keep one name.
  const made = new Map<string, string>();
  // A search from the first number for each of many equal names would take the square of their count.
  const next = new Map<string, number>();
  return {
    nameFor(name, replaced) {
      const pair = `${replaced.length} ${replaced}${name}`;
      let free = made.get(pair) ?? replaced;
      while ((taken.get(free) ?? name) !== name) {
        const count = next.get(replaced) ?? 2;
        free = `${replaced} (${count})`;
        next.set(replaced, count + 1);
      }
      taken.set(free, name);
      made.set(pair, free);
      return free;
    },
  };
}

/** The digits of a number without its exponent and an empty fraction, as they are scanned. */
export function digitsOf(raw: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(raw) ?? [];
  const shift = Number(exponent);
  if (whole === '' || Math.abs(shift) > MOST_SHIFT) return raw;
  const digits = whole + fraction.padEnd(shift, '0');
  const point = whole.length + shift;
  if (point <= 0 || /[1-9]/.test(digits.slice(point))) return raw;
  return sign + (digits.slice(0, point).replace(/^0+(?=\d)/, '') || '0');
}

/** Longer numbers have no value of anything. */
const MOST_SHIFT = 20;

/** Behind the quote that ends the string at `start`. */
export function endOfString(source: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = source.indexOf('"', at);
    let before = at;
    while (source.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((at - before) % 2 === 0) return at + 1;
  }
}

/** The inside of a string with another text, in which what both texts begin and end with stays as it was written. */
function editString(raw: string, text: string, next: string): string {
  const most = Math.min(text.length, next.length);
  let head = 0;
  while (head < most && text[head] === next[head]) head++;
  let tail = 0;
  while (tail < most - head && text.at(-1 - tail) === next.at(-1 - tail)) tail++;
  const middle = JSON.stringify(next.slice(head, next.length - tail)).slice(1, -1);
  const from = offsetOf(raw, head);
  return raw.slice(0, from) + middle + raw.slice(offsetOf(raw, text.length - tail));
}

/** Where a unit of a text stands in it as it is written. */
function offsetOf(raw: string, unit: number): number {
  let at = 0;
  for (let count = 0; count < unit; count++) {
    if (raw.charCodeAt(at) !== BACKSLASH) at++;
    else at += raw.charAt(at + 1) === 'u' ? LONG_ESCAPE : 2;
  }
  return at;
}
