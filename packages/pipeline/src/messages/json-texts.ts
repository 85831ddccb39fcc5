import { editJson, namesOf } from './json-source.ts';
import type { TextPath } from './text-path.ts';
import { below } from './text-path.ts';

/** What is done with the texts of a JSON value. */
export interface JsonVisitor {
  /** Replaces one text; the name of a member stands before its value. */
  replace(text: string, path: TextPath, isName: boolean): string;
  /** Told of `true`, `false` or `null` as the value of the member whose name was visited last. */
  literal?(value: string): void;
  /** Told how many values JSON as text has, before it is parsed. */
  weigh?(values: number): void;
  /** Called for what is nested too deep; it stays as it is. */
  refuse(path: TextPath, expected: string, value: unknown): void;
}

/** Deeper values are no arguments of a tool; the walk calls itself once a level. */
const MAX_DEPTH = 100;

/**
 * Replaces the texts of a JSON value: strings, numbers (their digits may be a card number) and names
 * of members. A number that is replaced becomes a string.
 *
 * @returns the value itself where nothing was replaced
 */
export function mapJson(value: unknown, path: TextPath, visitor: JsonVisitor, depth = 0): unknown {
  const { replace } = visitor;
  if (typeof value === 'string') return replace(value, path, false);
  if (typeof value === 'number' || typeof value === 'bigint') {
    const digits = String(value);
    const replaced = replace(digits, path, false);
    return replaced === digits ? value : replaced;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH) {
    visitor.refuse(path, `at most ${MAX_DEPTH} levels`, value);
    return value;
  }
  const inner = (key: string | number, each: unknown) =>
    mapJson(each, below(path, key), visitor, depth + 1);
  if (Array.isArray(value)) {
    const list = value.map((each: unknown, index) => inner(index, each));
    return list.some((each, index) => each !== value[index]) ? list : value;
  }
  let isChanged = false;
  const names = namesOf(Object.keys(value));
  const entries = Object.entries(value).map(([key, each]) => {
    const name = names.nameFor(key, replace(key, below(path, key), true));
    if (each === null || typeof each === 'boolean') visitor.literal?.(String(each));
    const mapped = inner(key, each);
    isChanged ||= name !== key || mapped !== each;
    return [name, mapped] as const;
  });
  return isChanged ? Object.fromEntries(entries) : value;
}

/**
 * The same for JSON as text, such as a tool call's arguments. Read as values, since escapes
 * (`\u0035`, `\n`) would hide what is written with them, and replaced in their places. What is no JSON object or list
 * is one text.
 */
export function mapJsonText(text: string, path: TextPath, visitor: JsonVisitor): string {
  const { replace } = visitor;
  const shape = /^\s*[[{]/.test(text) ? measure(text) : undefined;
  if (shape === undefined || shape.isDeep) return replace(text, path, false);
  visitor.weigh?.(shape.values);
  if (!isJson(text)) return replace(text, path, false);
  return editJson(text, path, replace, visitor.literal);
}

/** What is known of JSON as text without parsing it. */
interface Shape {
  /** Values between commas outside of strings. */
  readonly values: number;
  /** Whether brackets are nested too deep to be walked; those in strings count, which errs to one text. */
  readonly isDeep: boolean;
}

function measure(text: string): Shape {
  let values = 1;
  let depth = 0;
  let isString = false;
  for (let index = 0; index < text.length && depth <= MAX_DEPTH; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x5b || code === 0x7b) depth++;
    else if (code === 0x5d || code === 0x7d) depth--;
    else if (code === 0x22) isString = !isString;
    else if (isString) {
      if (code === 0x5c) index++;
    } else if (code === 0x2c) values++;
  }
  return { values, isDeep: depth > MAX_DEPTH };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
