import { endOfString } from './json-source.ts';
import type { Steps } from './steps.ts';
import { isStepDue, runAtOnce, runInTurns } from './steps.ts';

/** The texts of numbers that JavaScript would write in another form, by their object or list and their key. */
const texts = new WeakMap<object, Map<string, string>>();
/** All objects and lists that have such a number at any depth. */
const holders = new WeakSet<object>();

/** Characters that are read between two looks at the clock. */
const STEP = 16_384;
const QUOTE = 0x22;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
/** Of so many characters, numbers in this form are always written as they came. */
const SAFE_LENGTH = 15;
const PLAIN = /(?!0\.0{6}|-0)-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?(?![\d.eE])/y;
const OF_NUMBER = /[\d.eE+-]*/y;

/** Parses JSON as `JSON.parse` does; {@link writeJson} writes its numbers as they came. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  runAtOnce(noteSteps(value, text));
  return value;
}

/** The same for a long text: all but `JSON.parse` itself is done in turns of the event loop. */
export async function parseJsonInTurns(text: string): Promise<unknown> {
  const value: unknown = JSON.parse(text);
  await noteNumbers(value, text);
  return value;
}

/**
 * Notes how the numbers of a parsed value were written, as far as JavaScript would write them in another form:
 * `9007199254740993`, `1.0`, `-0`, `1e400`.
 *
 * @param source the JSON that `value` was parsed from
 */
export async function noteNumbers(value: unknown, source: string): Promise<void> {
  await runInTurns(noteSteps(value, source));
}

function* noteSteps(value: unknown, source: string): Steps<void> {
  if (typeof value !== 'object' || value === null || !(yield* hasInexact(source))) return;
  const path: Open[] = [];
  const root = { '': value };
  let open: Open = { container: root, key: '', isList: false };
  let name = '';
  let nextStep = STEP;
  for (let at = 0; at < source.length; at++) {
    if (at >= nextStep) {
      nextStep = at + STEP;
      yield;
    }
    const code = source.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(source, at);
      name = source.slice(at, end);
      at = end - 1;
    } else if (isNumberStart(code)) {
      const raw = numberAt(source, at);
      if (!isExact(raw)) note(raw, open, path);
      at += raw.length - 1;
    } else if (code === 0x3a) open.key = JSON.parse(name) as string;
    else if (code === 0x2c && open.isList) open.key = String(Number(open.key) + 1);
    else if (code === 0x5b || code === 0x7b) {
      path.push(open);
      const isList = code === 0x5b;
      open = { container: childOf(open), key: isList ? '0' : '', isList };
    } else if (code === 0x5d || code === 0x7d) open = path.pop() as Open;
  }
}

/** A number of an object or a list as its source has it. */
export function numberText(container: object, key: string | number, value: number): string {
  const text = texts.get(container)?.get(String(key));
  return text !== undefined && Object.is(Number(text), value) ? text : String(value);
}

/** Whether an object or list has a number, at any depth, that JavaScript would write in another form. */
export function hasNotedNumbers(value: object): boolean {
  return holders.has(value);
}

/**
 * The texts of numbers count for a copy as well, as far as it has the same numbers at the same keys.
 *
 * @param names the new names of the members of `of`, in their order; default: the same names
 */
export function keepNumbers<Value extends object>(
  copy: Value,
  of: object,
  names?: readonly string[],
): Value {
  if (!holders.has(of)) return copy;
  holders.add(copy);
  const known = texts.get(of);
  if (known !== undefined) texts.set(copy, names === undefined ? known : renamed(known, of, names));
  return copy;
}

function renamed(known: Map<string, string>, of: object, names: readonly string[]) {
  return new Map(
    Object.keys(of).flatMap((key, index) => {
      const text = known.get(key);
      return text === undefined ? [] : [[names[index] ?? key, text] as const];
    }),
  );
}

/**
 * Writes JSON as `JSON.stringify` does, with numbers as they came.
 *
 * @param like the parsed value that `value` is a changed copy of
 */
export function writeJson(value: unknown, like?: unknown): string {
  return runAtOnce(writeSteps(value, like)) ?? 'null';
}

/** The same for a long value, in turns of the event loop; a value without such numbers is written at once. */
export async function writeJsonInTurns(value: unknown, like?: unknown): Promise<string> {
  return (await runInTurns(writeSteps(value, like))) ?? 'null';
}

/** Undefined for what JSON does not have. */
function* writeSteps(value: unknown, like: unknown): Steps<string | undefined> {
  if (!isObject(value)) return JSON.stringify(value);
  // An object without an original may hold objects with noted numbers.
  const isPlain = isObject(like) && !holders.has(like) && !holders.has(value);
  if (isPlain) return JSON.stringify(value);
  const before: Readonly<Record<string, unknown>> = isObject(like) ? like : {};
  const known = [texts.get(value), texts.get(before)];
  const isList = Array.isArray(value);
  const written: string[] = [];
  for (const name of Object.keys(value)) {
    if (isStepDue()) yield;
    const each = value[name];
    const text =
      typeof each === 'number'
        ? writeNumber(each, name, known)
        : yield* writeSteps(each, before[name]);
    if (isList) written.push(text ?? 'null');
    else if (text !== undefined) written.push(`${JSON.stringify(name)}:${text}`);
  }
  return isList ? `[${written.join(',')}]` : `{${written.join(',')}}`;
}

function writeNumber(
  value: number,
  key: string,
  known: ReadonlyArray<ReadonlyMap<string, string> | undefined>,
): string {
  for (const texts of known) {
    const text = texts?.get(key);
    if (text !== undefined && Object.is(Number(text), value)) return text;
  }
  return JSON.stringify(value);
}

/** An object or a list that the source has begun. */
interface Open {
  /** Undefined below a member that another one of its name has replaced. */
  readonly container: object | undefined;
  key: string;
  readonly isList: boolean;
}

function note(text: string, { container, key }: Open, path: readonly Open[]): void {
  if (container === undefined) return;
  const known = texts.get(container);
  if (known === undefined) texts.set(container, new Map([[key, text]]));
  else known.set(key, text);
  holders.add(container);
  for (let at = path.length - 1; at > 0; at--) {
    const outer = path[at]?.container;
    if (outer === undefined) continue;
    if (holders.has(outer)) return;
    holders.add(outer);
  }
}

function childOf({ container, key }: Open): object | undefined {
  if (container === undefined || !Object.hasOwn(container, key)) return undefined;
  const child = (container as Record<string, unknown>)[key];
  return isObject(child) ? child : undefined;
}

function* hasInexact(source: string): Steps<boolean> {
  let nextStep = STEP;
  for (let at = 0; at < source.length; at++) {
    if (at >= nextStep) {
      nextStep = at + STEP;
      yield;
    }
    const code = source.charCodeAt(at);
    if (code === QUOTE) at = endOfString(source, at) - 1;
    else if (isNumberStart(code)) {
      PLAIN.lastIndex = at;
      const isPlain = PLAIN.test(source) && PLAIN.lastIndex - at <= SAFE_LENGTH;
      const end = isPlain ? PLAIN.lastIndex : at + numberAt(source, at).length;
      if (!isPlain && !isExact(source.slice(at, end))) return true;
      at = end - 1;
    }
  }
  return false;
}

function numberAt(source: string, at: number): string {
  OF_NUMBER.lastIndex = at;
  return OF_NUMBER.exec(source)?.[0] ?? '';
}

function isNumberStart(code: number): boolean {
  return (code >= ZERO && code <= NINE) || code === MINUS;
}

function isExact(raw: string): boolean {
  return String(Number(raw)) === raw;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
