import type { Evidence } from '../records/types.ts';

type Cell = string | number | null;

/**
 * What a spreadsheet takes for the beginning of a formula (OWASP, "CSV Injection"), in full width too, as some
 * languages write it.
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** The columns by name, in their order; a null is an empty cell. */
const COLUMNS: Readonly<Record<string, (record: Evidence) => Cell>> = {
  sequence: ({ sequence }) => sequence,
  id: ({ id }) => id,
  createdAt: ({ createdAt }) => createdAt.toISOString(),
  occurredAt: ({ occurredAt }) => occurredAt?.toISOString() ?? null,
  evidenceType: ({ evidenceType }) => evidenceType,
  source: ({ source }) => source,
  title: ({ title }) => title,
  content: ({ content }) => content,
  aiSystemId: ({ aiSystemId }) => aiSystemId,
  labels: ({ labels }) => JSON.stringify(labels),
  obligations: ({ obligationIds }) => obligationIds.join(' '),
  metadata: ({ metadata }) => JSON.stringify(metadata),
  hash: ({ hash }) => hash,
};

/** The line with the names of the columns. */
export const CSV_HEADER: string = toLine(Object.keys(COLUMNS));

/** The line of a record (RFC 4180). */
export function toCsvLine(record: Evidence): string {
  return toLine(Object.values(COLUMNS).map((cellOf) => cellOf(record)));
}

function toLine(cells: readonly Cell[]): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

/** A text that begins as a formula gets an apostrophe before it, by which a spreadsheet shows it as text. */
function toCell(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
