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

/** So many lines above a cell, and as many below, are compared with it. */
const NEIGHBORS = 8;
/** So many other cells make a column. */
const COLUMN = 2;

/**
 * Whether a value fills a cell of a column (of a table, or of one value a line) whose other cells look the same
 * and mostly have no such value: among ids or amounts one in ten passes the check digit of cards.
 *
 * @param hits places of such values in the text, the value itself among them
 */
export function isOddInColumn(
  text: string,
  { start, end }: TextRange,
  hits: readonly TextRange[],
): boolean {
  const line = startOfLine(text, start);
  if (line === undefined) return false;
  const lead = text.slice(line, start);
  const separator = SEPARATORS.find((sign) =>
    text.slice(line, lineEnd(text, start)).includes(sign),
  );
  const column = separator === undefined ? 0 : lead.split(separator).length - 1;
  const cell = cellOf(text, { start: line, end: lineEnd(text, line) }, separator, column);
  if (text.slice(cell.start, cell.end).trim() !== text.slice(start, end)) return false;
  const shape = shapeOf(text.slice(start, end));
  const others = linesAround(text, line)
    .map((each) => cellOf(text, each, separator, column))
    .filter((each) => shapeOf(text.slice(each.start, each.end).trim()) === shape);
  const same = others.filter((each) =>
    hits.some((hit) => hit.start < each.end && each.start < hit.end),
  );
  return others.length >= COLUMN && same.length * 2 < others.length;
}

function shapeOf(cell: string): string {
  return cell.replace(/\d+/g, '0');
}

function lineEnd(text: string, place: number): number {
  const end = text.indexOf('\n', place);
  return end < 0 ? text.length : end;
}

function linesAround(text: string, line: number): TextRange[] {
  const lines: TextRange[] = [];
  let end = line - 1;
  for (let step = 0; step < NEIGHBORS && end >= 0; step++) {
    const start = startOfLine(text, end);
    if (start === undefined) break;
    lines.push({ start, end });
    end = start - 1;
  }
  let start = lineEnd(text, line) + 1;
  for (let step = 0; step < NEIGHBORS && start < text.length; step++) {
    lines.push({ start, end: Math.min(lineEnd(text, start), start + REACH) });
    start = lineEnd(text, start) + 1;
  }
  return lines;
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

/** A cell of a line; all of it without a separator, nothing at its end where it has fewer columns. */
function cellOf(
  text: string,
  line: TextRange,
  separator: string | undefined,
  column: number,
): TextRange {
  if (separator === undefined) return line;
  let { start } = line;
  for (let passed = 0; passed < column; passed++) {
    const next = text.indexOf(separator, start);
    if (next < 0 || next >= line.end) return { start: line.end, end: line.end };
    start = next + 1;
  }
  const end = text.indexOf(separator, start);
  return { start, end: end < 0 || end > line.end ? line.end : end };
}
