import { COLUMNS } from './row.ts';

/** Separators that spreadsheets write: where the comma is the decimal sign, cells are separated by semicolons. */
const SEPARATORS = [',', ';', '\t', '|'] as const;
/** A CSV file's separator. */
export type Separator = (typeof SEPARATORS)[number];

/** The line before the header by which spreadsheets name the separator. */
const SEPARATOR_LINE = /^"?sep=([,;\t|])"?[,;\t|]*$/i;

/** UTF-16 units in which the header must begin. */
const MAX_HEAD = 65_536;

/** Whether a line names the separator. */
export function isSeparatorLine(line: string): boolean {
  return SEPARATOR_LINE.test(line.replaceAll('\n', ''));
}

/** The separator of a file by its first lines, and its text from the beginning. */
export async function findSeparator(
  text: AsyncIterable<string>,
): Promise<{ separator: Separator; text: AsyncIterable<string> }> {
  const source = text[Symbol.asyncIterator]();
  let head = '';
  let isEnd = false;
  while (!isEnd && head.length < MAX_HEAD && !hasHeader(head)) {
    const { done, value } = await source.next();
    if (done) isEnd = true;
    else head += value;
  }
  return { separator: separatorOf(head), text: joined(head, source) };
}

async function* joined(head: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    if (head !== '') yield head;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** Lines with text; a row of separators is an empty row of a spreadsheet. */
function linesOf(head: string): string[] {
  return head.split('\n').filter((line) => /[^\s,;|"]/.test(line));
}

/** Whether a line with text is complete, other than one that names the separator. */
function hasHeader(head: string): boolean {
  const complete = head.slice(0, head.lastIndexOf('\n') + 1);
  return linesOf(complete).some((line) => !isSeparatorLine(line));
}

function separatorOf(head: string): Separator {
  const [first = '', second = ''] = linesOf(head);
  const named = SEPARATOR_LINE.exec(first)?.[1];
  if (named !== undefined) return named as Separator;
  const header = isSeparatorLine(first) ? second : first;
  const known: ReadonlySet<string> = new Set(COLUMNS);
  const countKnown = (separator: string) =>
    header.split(separator).filter((cell) => known.has(toColumnName(cell.replaceAll('"', ''))))
      .length;
  return SEPARATORS.reduce((best, next) => (countKnown(next) > countKnown(best) ? next : best));
}

/** The name of a column as the specification has it: `Source URL` is `source_url`. */
export function toColumnName(cell: string): string {
  return cell
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
}
