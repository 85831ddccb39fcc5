import { createRandom, hashText } from '@probity/test-support/random';

/** What a split needs to know of a row. */
export interface Grouped {
  readonly id: string;
  readonly source: string;
  readonly group?: string;
}

/** Rows to fit on and rows to measure on. */
export interface Parts<T> {
  readonly fit: T[];
  readonly held: T[];
}

/** The rows by source, in order of first appearance. */
export function bySource<T extends Grouped>(rows: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(row.source);
    if (group === undefined) groups.set(row.source, [row]);
    else group.push(row);
  }
  return groups;
}

/** Which of `count` folds, from 0 on, a source belongs to; all its rows are on that side of a split. */
export function foldOfSource(source: string, count: number): number {
  return hashText(source) % count;
}

/** One pair of parts for each source: that source held out whole, all others to fit on. */
export function leaveOneSourceOut<T extends Grouped>(
  rows: readonly T[],
): (Parts<T> & { readonly source: string })[] {
  return [...bySource(rows)].map(([source, held]) => ({
    source,
    held,
    fit: rows.filter((row) => row.source !== source),
  }));
}

/**
 * Holds out about `share` of the rows, group by group: rows of one `group` (of one source; a row
 * without group is a group of its own) stay together. The same seed gives the same split, and a
 * row's side does not depend on which other rows there are.
 *
 * @param share 0 to 1
 */
export function splitGroups<T extends Grouped>(
  rows: readonly T[],
  share: number,
  seed: number,
): Parts<T> {
  const parts: Parts<T> = { fit: [], held: [] };
  for (const row of rows) {
    const draw = createRandom(seed ^ hashText(groupKey(row))).next();
    (draw < share ? parts.held : parts.fit).push(row);
  }
  return parts;
}

/**
 * Cuts rows into `count` folds of about the same size, groups kept together (see
 * {@link splitGroups}).
 */
export function foldGroups<T extends Grouped>(
  rows: readonly T[],
  count: number,
  seed: number,
): T[][] {
  const folds: T[][] = Array.from({ length: count }, () => []);
  for (const row of rows) {
    const fold = createRandom(seed ^ hashText(groupKey(row))).below(count);
    (folds[fold] as T[]).push(row);
  }
  return folds;
}

function groupKey({ id, source, group }: Grouped): string {
  return group === undefined ? `row ${id}` : `group ${source} ${group}`;
}
