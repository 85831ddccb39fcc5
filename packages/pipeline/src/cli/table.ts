import type { DecidedFinding } from '../policy-types.ts';
import { createRedactor } from '../redaction/redactor.ts';
import { builtInStage } from '../stages.ts';
import type { VerdictCounts } from './batches.ts';
import type { ScannedRow } from './row-scanner.ts';
import type { ScanRow } from './scan-row.ts';

/** How a table is printed. */
export interface TableOptions {
  /** Whether with colors, as escape sequences. */
  readonly color: boolean;
  /** Findings below it are not printed. */
  readonly minScore: number;
}

/** A row that could not be scanned. */
export interface ErrorLine {
  readonly id?: string | number;
  readonly line: number;
  readonly error: string;
}

const STYLES = { red: 31, yellow: 33, green: 32, faint: 2, bold: 1 } as const;
const COLOR_OF = { allowed: 'green', flagged: 'yellow', blocked: 'red' } as const;
const HEADER = ['place', 'stage', 'type', 'score', 'text', 'reason'];
const MAX_EXCERPT = 48;
/** Findings of a text that are printed: about one screen. */
const MAX_LINES = 100;

/** A text's verdict and, below it, a line for each finding that counts for it. */
export function printRow(
  row: ScanRow,
  { verdict, decided }: ScannedRow,
  options: TableOptions,
): string {
  const { verdict: word = 'allowed', reason, error } = verdict;
  const why = [reason, error].filter((each) => each !== undefined).join('; ');
  const title = style(visible(String(row.id)), 'bold', options);
  const head = `${title}  ${style(word, COLOR_OF[word], options)}${why === '' ? '' : `  ${why}`}`;
  const shown = decided
    .filter(({ score }) => score >= options.minScore)
    .sort((a, b) => a.start - b.start);
  if (shown.length === 0) return head;
  const places = createPlaces(row.text);
  const lines = shown
    .slice(0, MAX_LINES)
    .map(({ stage, type, score, start, end, reason }) => [
      places(start),
      stage,
      type,
      score.toFixed(2),
      excerpt(row.text, start, end, decided),
      reason,
    ]);
  const more = shown.length - lines.length;
  const rest = more === 0 ? [] : [style(`  and ${more} more`, 'faint', options)];
  return [head, ...printColumns([HEADER, ...lines], options), ...rest].join('\n');
}

/** A row that is none, or could not be scanned. */
export function printError({ id, line, error }: ErrorLine, options: TableOptions): string {
  const name = id === undefined ? `line ${line}` : visible(String(id));
  return `${style(name, 'bold', options)}  ${style('not scanned', 'red', options)}  ${error}`;
}

/** The last line: how many texts have each verdict. */
export function printSummary(
  rows: number,
  errors: number,
  verdicts: VerdictCounts,
  options: TableOptions,
): string {
  const words = ['blocked', 'flagged', 'allowed'] as const;
  const counts = words
    .filter((word) => verdicts[word] > 0)
    .map((word) => style(`${verdicts[word]} ${word}`, COLOR_OF[word], options));
  const failed = errors === 0 ? [] : [style(`${errors} not scanned to the end`, 'red', options)];
  return `\n${rows} ${rows === 1 ? 'text' : 'texts'}: ${[...counts, ...failed].join(', ')}\n`;
}

/** Lines of cells, the first one the header, with columns aligned; the last column is not padded. */
export function printColumns(
  lines: readonly (readonly string[])[],
  options: Pick<TableOptions, 'color'>,
): string[] {
  const widths = (lines[0] ?? []).map((_, at) =>
    Math.max(...lines.map((cells) => cells[at]?.length ?? 0)),
  );
  return lines.map((cells, index) => {
    const padded = cells.map((cell, at) =>
      at === widths.length - 1 ? cell : cell.padEnd(widths[at] as number),
    );
    const line = `  ${padded.join('  ')}`;
    return index === 0 ? style(line, 'faint', options) : line;
  });
}

/** Line and column of an offset, from 1; a column is a character, not a UTF-16 unit. */
function createPlaces(text: string): (offset: number) => string {
  const starts = [0];
  for (const { 0: end, index } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + end.length);
  return (offset) => {
    const line = starts.findLastIndex((start) => start <= offset);
    const column = [...text.slice(starts[line], offset)].length + 1;
    return `${line + 1}:${column}`;
  };
}

/** What was found, with the personal data and secrets in it masked, on one line. */
function excerpt(
  text: string,
  start: number,
  end: number,
  findings: readonly DecidedFinding[],
): string {
  const to = Math.min(end, start + 4 * MAX_EXCERPT);
  const marks = findings
    .filter(
      (found) =>
        builtInStage(found.stage)?.commandLine?.isMasked === true &&
        found.start < to &&
        found.end > start,
    )
    .map((found) => ({
      ...found,
      start: Math.max(0, found.start - start),
      end: Math.min(to, found.end) - start,
    }));
  const masked = createRedactor({ style: 'mask' }).redact(text.slice(start, to), marks);
  const signs = [...visible(masked.replace(/\s+/g, ' '))];
  const isCut = to < end || signs.length > MAX_EXCERPT;
  return isCut ? `${signs.slice(0, MAX_EXCERPT - 1).join('')}…` : signs.join('');
}

/** A scanned text must not command the terminal it is shown on. */
export function visible(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\ufffd');
}

function style(
  text: string,
  name: keyof typeof STYLES,
  { color }: Pick<TableOptions, 'color'>,
): string {
  return color ? `\x1b[${STYLES[name]}m${text}\x1b[0m` : text;
}
