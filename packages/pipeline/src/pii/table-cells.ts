import type { TextRange } from '../types.ts';

/** How far above a cell the head of its column is looked for, in UTF-16 units. */
const REACH = 220;
/** The longest head of a column; what is longer is a sentence. */
const MAX_HEAD = 40;
const SEPARATORS = ['\t', '|', ';', ','] as const;

/**
 * Where the head of the column stands that a place in a table belongs to (CSV, tab-separated values,
 * Markdown): the same cell of the topmost line above it with as many separators. Undefined where the
 * place is in no table.
 */
export function columnHead(text: string, place: number): TextRange | undefined {
  const lineStart = startOfLine(text, place);
  if (lineStart === undefined || lineStart === 0) return undefined;
  const lineEnd = text.indexOf('\n', place);
  const line = text.slice(
    lineStart,
    lineEnd < 0 ? lineStart + REACH : Math.min(lineEnd, lineStart + REACH),
  );
  const separator = SEPARATORS.find((sign) => line.includes(sign));
  if (separator === undefined) return undefined;
  const columns = line.split(separator).length;
  const head = topmostLine(text, lineStart, place - REACH, separator, columns);
  const column = text.slice(lineStart, place).split(separator).length - 1;
  const cell = head === undefined ? undefined : cellOf(text, head, separator, column);
  return cell === undefined || cell.end - cell.start > MAX_HEAD ? undefined : cell;
}

/** Where the line of a place begins, undefined where that is far away. */
function startOfLine(text: string, place: number): number | undefined {
  const from = Math.max(0, place - REACH);
  const at = text.slice(from, place).lastIndexOf('\n');
  if (at >= 0) return from + at + 1;
  return from === 0 ? 0 : undefined;
}

function topmostLine(
  text: string,
  lineStart: number,
  limit: number,
  separator: string,
  columns: number,
): TextRange | undefined {
  let top: TextRange | undefined;
  let end = lineStart - 1;
  while (end > 0) {
    const start = startOfLine(text, end);
    if (start === undefined || start < limit) break;
    const line = text.slice(start, end);
    if (line.split(separator).length !== columns) break;
    top = { start, end };
    end = start - 1;
  }
  return top;
}

function cellOf(text: string, line: TextRange, separator: string, column: number): TextRange {
  let start = line.start;
  for (let passed = 0; passed < column; passed++) start = text.indexOf(separator, start) + 1;
  const end = text.indexOf(separator, start);
  return { start, end: end < 0 || end > line.end ? line.end : end };
}
