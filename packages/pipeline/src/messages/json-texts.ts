import type { JsonKind } from './json-source.ts';
import { digitsOf, editJson, namesOf } from './json-source.ts';
import { keepNumbers, numberText } from './number-texts.ts';
import type { Steps } from './steps.ts';
import { isLongText, isStepDue } from './steps.ts';
import type { TextPath } from './text-path.ts';
import { below } from './text-path.ts';

/** What is done with the texts of a JSON value. */
export interface JsonVisitor {
  /** Replaces one text; the name of a member stands before its value. */
  replace(text: string, path: TextPath, kind: JsonKind): string;
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
 * @returns steps that end with the value itself where nothing was replaced
 */
export function* mapJson(
  value: unknown,
  path: TextPath,
  visitor: JsonVisitor,
  depth = 0,
): Steps<unknown> {
  if (typeof value !== 'object' || value === null) return mapScalar(value, path, visitor);
  if (depth === MAX_DEPTH) {
    visitor.refuse(path, `at most ${MAX_DEPTH} levels`, value);
    return value;
  }
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    for (let index = 0; index < value.length; index++) {
      if (isStepDue()) yield;
      const at = below(path, index);
      const each: unknown = value[index];
      const isInner = typeof each === 'object' && each !== null;
      list.push(
        isInner
          ? yield* mapJson(each, at, visitor, depth + 1)
          : mapScalar(each, at, visitor, value),
      );
    }
    return list.some((each, index) => each !== value[index]) ? keepNumbers(list, value) : value;
  }
  let isChanged = false;
  const names = namesOf(Object.keys(value));
  const entries: [string, unknown][] = [];
  for (const [key, each] of Object.entries(value)) {
    if (isStepDue()) yield;
    const at = below(path, key);
    const name = names.nameFor(key, visitor.replace(key, at, 'name'));
    if (each === null || typeof each === 'boolean') visitor.literal?.(String(each));
    const isInner = typeof each === 'object' && each !== null;
    const mapped = isInner
      ? yield* mapJson(each, at, visitor, depth + 1)
      : mapScalar(each, at, visitor, value);
    isChanged ||= name !== key || mapped !== each;
    entries.push([name, mapped]);
  }
  return isChanged ? renamedCopy(entries, value) : value;
}

/** @param holder the object or list with the value, which knows the digits of its numbers */
function mapScalar(
  value: unknown,
  path: TextPath,
  { replace }: JsonVisitor,
  holder: object = NO_HOLDER,
): unknown {
  if (typeof value === 'string') return replace(value, path, 'string');
  if (typeof value !== 'number' && typeof value !== 'bigint') return value;
  const isExact = typeof value === 'bigint' || holder === NO_HOLDER;
  const digits = isExact ? String(value) : digitsOf(numberText(holder, path.key, value));
  const replaced = replace(digits, path, 'number');
  return replaced === digits ? value : replaced;
}

const NO_HOLDER = {};

/** A copy of an object with other names and values, in the order of its members. */
export function renamedCopy(entries: readonly (readonly [string, unknown])[], of: object): object {
  const names = entries.map(([name]) => name);
  return keepNumbers(Object.fromEntries(entries), of, names);
}

/**
 * The same for JSON as text, such as a tool call's arguments. Read as values, since escapes
 * (`\u0035`, `\n`) would hide what is written with them, and replaced in their places. What is no JSON object or list
 * is one text.
 */
export function* mapJsonText(text: string, path: TextPath, visitor: JsonVisitor): Steps<string> {
  const { replace } = visitor;
  const shape = /^\s*[[{]/.test(text) ? measure(text) : undefined;
  if (shape === undefined || shape.isDeep) return replace(text, path, 'string');
  visitor.weigh?.(shape.values);
  if (isLongText(text)) yield;
  if (!isJson(text)) return replace(text, path, 'string');
  if (isLongText(text)) yield;
  return yield* editJson(text, path, replace, visitor.literal);
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
