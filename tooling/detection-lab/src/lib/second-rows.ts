import { join } from 'node:path';
import type { LearnRow } from './linear-recipe.ts';
import { checkTypes, parseRow, readLines } from './rows.ts';

/** A row with its language and kind; where its file names no kind, its source is the kind. */
export interface KindRow extends LearnRow {
  readonly lang: string;
  readonly kind: string;
}

type Named = LearnRow & {
  readonly lang?: string;
  readonly labels: Readonly<Record<string, unknown>>;
};

/** A row as it was read, with its kind. */
export function toKindRow({ text, label, types, source, lang = 'en', labels }: Named): KindRow {
  const { kind } = labels;
  return { text, label, types, source, lang, kind: typeof kind === 'string' ? kind : source };
}

/**
 * Reads the training rows of `DIR/TASK`. The rows of `toxicity2` name their categories in `labels.category`,
 * those of `injection2` their type in `labels.type`.
 *
 * @throws RowError for a missing file or a bad line
 */
export function readSecond(dataDir: string, task: 'toxicity2' | 'injection2'): KindRow[] {
  return readLines(join(dataDir, task, 'train.jsonl.gz'), (line, place) => {
    const row = parseRow(line, place, { task });
    const { category, type } = row.labels as { category?: string | string[]; type?: string };
    const types = row.label === 0 ? [] : [category ?? [], type ?? []].flat();
    return toKindRow({ ...row, types: checkTypes(types, task, place) });
  });
}

/** At most `most` rows of each source and label, no text twice, shuffled by `random`. */
export function capRows<T extends LearnRow>(
  rows: readonly T[],
  most: number,
  random: { shuffle<U>(values: readonly U[]): U[] },
): T[] {
  const counts = new Map<string, number>();
  const seen = new Set<string>();
  return random.shuffle(rows).filter(({ text, source, label }) => {
    const key = `${source} ${label}`;
    const count = counts.get(key) ?? 0;
    if (count >= most || seen.has(text)) return false;
    seen.add(text);
    counts.set(key, count + 1);
    return true;
  });
}

/**
 * How much each row counts: min(1, (most / rows of its source and label) ^ 0.7), so that a large source
 * is heard more than a small one but not in proportion.
 */
export function weighRows(rows: readonly LearnRow[], most: number): number[] {
  const counts = new Map<string, number>();
  const key = ({ source, label }: LearnRow) => `${source} ${label}`;
  for (const row of rows) counts.set(key(row), (counts.get(key(row)) ?? 0) + 1);
  return rows.map((row) => Math.min(1, (most / (counts.get(key(row)) as number)) ** 0.7));
}
