import type { z } from 'zod';

/** A copy of the values of a file without those that the schema has refused. */
export function without(value: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const copy = structuredClone(value);
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const name of issue.keys) remove(copy, [...issue.path, name]);
    } else remove(copy, issue.path);
  }
  return copy;
}

/** An entry of a list is removed with the list: the numbers of the others would no longer be right. */
function remove(root: unknown, path: readonly PropertyKey[]): void {
  const inList = path.findIndex((part) => typeof part === 'number');
  const shortened = inList < 0 ? path : path.slice(0, inList);
  const holder = shortened.slice(0, -1).reduce<unknown>((held, part) => memberOf(held, part), root);
  const last = shortened.at(-1);
  if (typeof holder === 'object' && holder !== null && last !== undefined) {
    delete (holder as Record<PropertyKey, unknown>)[last];
  }
}

function memberOf(held: unknown, part: PropertyKey): unknown {
  if (typeof held !== 'object' || held === null) return undefined;
  return (held as Readonly<Record<PropertyKey, unknown>>)[part];
}
