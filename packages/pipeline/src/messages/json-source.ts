import type { TextPath } from './text-path.ts';
import { below } from './text-path.ts';

/** Replaces one text; the name of a member stands before its value. */
type Replace = (text: string, path: TextPath, isName: boolean) => string;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `\u0035` */
const LONG_ESCAPE = 6;

/**
 * Replaces the texts of JSON in its source: strings, numbers (their digits may be a card number) and names of members.
 * What is not replaced stays byte for byte: long numbers keep their digits, and of members of one name all stay. A
 * number that is replaced becomes a string.
 *
 * @param source valid JSON, nested no deeper than the stack allows
 * @param literal told of `true`, `false` or `null` as the value of a member, behind its name
 */
export function editJson(
  source: string,
  path: TextPath,
  replace: Replace,
  literal?: (value: string) => void,
): string {
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

  /** @param taken the names that the object has so far, where the string is a name */
  function takeString(path: TextPath, taken?: NamesOf): void {
    const start = at;
    at = endOfString(source, start);
    const raw = source.slice(start + 1, at - 1);
    const text = raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
    const where = taken === undefined ? path : below(path, text);
    const replaced = replace(text, where, taken !== undefined);
    const next = taken === undefined ? replaced : taken.nameFor(text, replaced);
    if (next !== text) put(start, `"${editString(raw, text, next)}"`);
    if (taken !== undefined) takeMember(where);
  }

  function takeMember(path: TextPath): void {
    skipSpace();
    at++;
    skipSpace();
    const start = at;
    takeValue(path);
    if (/[tfn]/.test(source.charAt(start))) literal?.(source.slice(start, at));
  }

  function takeNumber(path: TextPath): void {
    const start = at;
    while (/[\d+.eE-]/.test(source.charAt(at))) at++;
    const raw = source.slice(start, at);
    const digits = /[.eE]/.test(raw) ? String(Number(raw)) : raw;
    const replaced = replace(digits, path, false);
    if (replaced !== digits) put(start, JSON.stringify(replaced));
  }

  function takeAll(end: string, take: (index: number) => void): void {
    at++;
    skipSpace();
    for (let index = 0; source.charAt(at) !== end; index++) {
      take(index);
      skipSpace();
      if (source.charAt(at) === ',') at++;
      skipSpace();
    }
    at++;
  }

  function takeValue(path: TextPath): void {
    skipSpace();
    const sign = source.charAt(at);
    if (sign === '"') takeString(path);
    else if (sign === '[') takeAll(']', (index) => takeValue(below(path, index)));
    else if (sign === '{') {
      const taken = namesOf();
      takeAll('}', () => takeString(path, taken));
    } else if (/[tfn]/.test(sign)) at += sign === 'f' ? 5 : 4;
    else takeNumber(path);
  }

  takeValue(path);
  return output + source.slice(copied);
}

/** The names of an object, among which those that are replaced stay different. */
export interface NamesOf {
  /** The name in place of `name`: `replaced`, with a number where another member has it. */
  nameFor(name: string, replaced: string): string;
}

/** @param known names that the object has anyway */
export function namesOf(known: readonly string[] = []): NamesOf {
  // By the new name the old one: members of one name keep one name.
  const taken = new Map(known.map((name) => [name, name]));
  return {
    nameFor(name, replaced) {
      let made = replaced;
      for (let count = 2; (taken.get(made) ?? name) !== name; count++) {
        made = `${replaced} (${count})`;
      }
      taken.set(made, name);
      return made;
    },
  };
}

/** Behind the quote that ends the string at `start`. */
function endOfString(source: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const code = source.charCodeAt(at++);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at++;
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
