import type { Output } from './output.ts';
import type { Style } from './text.ts';
import { styled, visible } from './text.ts';

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  value(row: Row): string;
  style?(row: Row): Style | undefined;
}

const GAP = '  ';

/**
 * A table with a header. The last column is cut to the width of the terminal.
 * @returns lines, each with its line break
 */
export function formatTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  output: Output,
): string {
  const cells = rows.map((row) => columns.map(({ value }) => visible(value(row))));
  const widths = columns.map(({ title }, at) =>
    Math.max(title.length, ...cells.map((line) => line[at]?.length ?? 0)),
  );
  const room = output.columns - widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  const fit = (text: string, at: number): string => {
    if (at < columns.length - 1) return text.padEnd(widths[at] ?? 0);
    return output.isTerminal && text.length > Math.max(room, 20)
      ? `${text.slice(0, Math.max(room, 20) - 1)}…`
      : text;
  };
  const header = columns.map(({ title }, at) => styled(fit(title, at), 'faint', output)).join(GAP);
  const lines = cells.map((line, index) =>
    line
      .map((text, at) => {
        const style = columns[at]?.style?.(rows[index] as Row);
        return style ? styled(fit(text, at), style, output) : fit(text, at);
      })
      .join(GAP),
  );
  return [header, ...lines].map((line) => `${line.trimEnd()}\n`).join('');
}
