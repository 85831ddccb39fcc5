import type { z } from 'zod';
import type { KeyPath } from './issues.ts';

/** The part of a file that is right in itself. */
export interface RightPart<Values> {
  readonly values: Values;
  /** Where a value stood in the file: entries of lists that are left out have moved the others. */
  placeOf(path: KeyPath): KeyPath;
}

/** The indexes that the entries of lists had. */
type Indexes = WeakMap<readonly unknown[], number[]>;

/** What is removed because a member of it is missing may leave another one without a member of its own. */
const MOST_ROUNDS = 32;

/**
 * The values of a file without those that the schema refuses: each value, entry of a list or member of its own, and
 * what cannot be without it.
 *
 * @param issues what the schema refuses of the whole
 * @returns undefined where nothing of the file can be read
 */
export function rightPartOf<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  issues: readonly z.core.$ZodIssue[],
): RightPart<z.output<Schema>> | undefined {
  const copy = structuredClone(value);
  const indexes: Indexes = new WeakMap();
  let wrong = issues;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    removeAll(copy, wrong, indexes);
    const parsed = schema.safeParse(copy);
    if (parsed.success) {
      return { values: parsed.data, placeOf: (path) => originOf(copy, path, indexes) };
    }
    wrong = parsed.error.issues;
  }
  return undefined;
}

function removeAll(root: unknown, issues: readonly z.core.$ZodIssue[], indexes: Indexes): void {
  const gone: Gone = new Map();
  for (const issue of issues) {
    const paths: readonly (readonly PropertyKey[])[] =
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((name) => [...issue.path, name])
        : [issue.path];
    for (const path of paths) remove(root, path, gone);
  }
  for (const [list, { path, entries }] of gone) {
    // A list of nothing would say something else.
    if (entries.size === list.length) {
      remove(root, path, gone);
      continue;
    }
    const before = indexes.get(list) ?? list.map((_, index) => index);
    const isKept = (_: unknown, index: number) => !entries.has(index);
    indexes.set(list, before.filter(isKept));
    const kept = list.filter(isKept);
    (list as unknown[]).splice(0, list.length, ...kept);
  }
}

/** Lists with entries that are removed. */
type Gone = Map<
  readonly unknown[],
  { readonly path: readonly PropertyKey[]; entries: Set<number> }
>;

/** Removes a value; where it is missing, what needs it. */
function remove(root: unknown, path: readonly PropertyKey[], gone: Gone): void {
  const last = path.at(-1);
  if (last === undefined) return;
  const holder = path.slice(0, -1).reduce<unknown>((held, part) => memberOf(held, part), root);
  if (Array.isArray(holder) && typeof last === 'number' && last < holder.length) {
    const held = gone.get(holder) ?? { path: path.slice(0, -1), entries: new Set() };
    held.entries.add(last);
    gone.set(holder, held);
  } else if (isKeyed(holder) && Object.hasOwn(holder, last)) delete holder[last];
  else remove(root, path.slice(0, -1), gone);
}

function originOf(root: unknown, path: KeyPath, indexes: Indexes): KeyPath {
  let held = root;
  return path.map((part) => {
    const list = held;
    held = memberOf(held, part);
    if (typeof part !== 'number' || !Array.isArray(list)) return part;
    return indexes.get(list)?.[part] ?? part;
  });
}

function isKeyed(held: unknown): held is Record<PropertyKey, unknown> {
  return typeof held === 'object' && held !== null && !Array.isArray(held);
}

function memberOf(held: unknown, part: PropertyKey): unknown {
  if (typeof held !== 'object' || held === null) return undefined;
  return (held as Readonly<Record<PropertyKey, unknown>>)[part];
}
