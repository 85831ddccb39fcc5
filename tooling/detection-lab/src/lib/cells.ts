import type { Row } from './rows.ts';

/** A row with the properties that cells are made of. */
export interface CellRow {
  readonly row: Row;
  readonly isHarmful: boolean;
  /** Two letters, or `unmarked`. */
  readonly lang: string;
  readonly kind: string;
  /** The categories, family or error of a harmful row; empty for a harmless row. */
  readonly categories: readonly string[];
  readonly place: string;
}

/** Classes of length in words: 1 to 3, 4 to 7, and so on. */
export const LENGTHS: readonly string[] = ['1-3', '4-7', '8-15', '16-31', '32+'];

/** The properties of rows that cells are made of. A row without a value is in no cell. */
export const DIMENSIONS = {
  source: ({ row }: CellRow) => [row.source],
  kind: ({ kind }: CellRow) => [kind],
  language: ({ lang }: CellRow) => [lang],
  length: ({ row }: CellRow) => [lengthOf(row.text)],
  category: ({ categories }: CellRow) => categories,
  place: ({ place }: CellRow) => [place],
} as const satisfies Readonly<Record<string, (row: CellRow) => readonly string[]>>;

/** The name of a property that cells are made of. */
export type Dimension = keyof typeof DIMENSIONS;

/** The rows of each value of a dimension, in order of first appearance. */
export function groupByCell<T extends CellRow>(
  rows: readonly T[],
  dimension: Dimension,
): Map<string, T[]> {
  const cells = new Map<string, T[]>();
  for (const row of rows) {
    for (const value of DIMENSIONS[dimension](row)) {
      const cell = cells.get(value);
      if (cell === undefined) cells.set(value, [row]);
      else cell.push(row);
    }
  }
  return cells;
}

/** A word, or two signs of a script that writes no spaces. */
const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]{1,2}|[^\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+/gu;

/** The class of length of a text, one of {@link LENGTHS}. */
export function lengthOf(text: string): string {
  const words = text.match(WORD)?.length ?? 0;
  const at = [4, 8, 16, 32].findIndex((limit) => words < limit);
  return LENGTHS.at(at) as string;
}

/** A table of texts in columns: the first flush left, the others flush right. */
export function toColumns(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, at) =>
    Math.max(...lines.map((line) => (line[at] ?? '').length)),
  );
  const pad = (text: string, at: number) =>
    at === 0 ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0);
  return lines.map((line) => `  ${line.map(pad).join('  ')}`).join('\n');
}
