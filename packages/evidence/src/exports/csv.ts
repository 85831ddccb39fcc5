import { findObligation } from '../obligations/catalogue.ts';
import type { Stance } from '../obligations/stance.ts';
import { stancesOf } from '../obligations/stance.ts';
import type { Evidence } from '../records/types.ts';

type Cell = string | number | null;

/**
 * What a spreadsheet takes for the beginning of a formula (OWASP, "CSV Injection"), in full width too, as some
 * languages write it.
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * The same after a semicolon, a tab or a line break: a spreadsheet whose decimal sign is the comma ends a cell there,
 * even within quotes. A negative number is not a formula.
 */
const INNER_FORMULA = /(?<=[;\t\r\n][ "]*)(?:[=@＝＠]|[+\-＋－](?!\d[\d.,]*\s*(?:[;\t\r\n]|$)))/g;

type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>;

/** A record with the name of its AI system. */
export interface NamedRecord {
  readonly record: Evidence;
  /** Null for none. */
  readonly aiSystemName: string | null;
}

/** A record with one of its obligations; null where it has none. */
interface ObligationRow extends NamedRecord {
  readonly obligation: { readonly id: string; readonly stance: Stance } | null;
}

/** The outcome of an evaluation, for people. */
const OUTCOME: Columns<NamedRecord> = {
  aiSystem: ({ aiSystemName }) => aiSystemName,
  provider: ({ record }) => providerOf(record),
  result: ({ record: { metadata } }) => textOf(metadata.findingType)?.replaceAll('_', ' ') ?? null,
  passRate: ({ record: { metadata } }) => numberOf(metadata.passRate),
  score: ({ record: { metadata } }) => numberOf(metadata.score),
  severity: ({ record: { metadata } }) => textOf(metadata.severity),
};

/** Columns of a row for each record, in their order; a null is an empty cell. */
const RECORD_COLUMNS: Columns<NamedRecord> = {
  sequence: ({ record }) => record.sequence,
  id: ({ record }) => record.id,
  createdAt: ({ record }) => record.createdAt.toISOString(),
  occurredAt: ({ record }) => record.occurredAt?.toISOString() ?? null,
  evidenceType: ({ record }) => record.evidenceType,
  source: ({ record }) => record.source,
  title: ({ record }) => record.title,
  content: ({ record }) => record.content,
  aiSystemId: ({ record }) => record.aiSystemId,
  labels: ({ record }) => JSON.stringify(record.labels),
  obligations: ({ record }) => record.obligationIds.join(' '),
  metadata: ({ record }) => JSON.stringify(record.metadata),
  hash: ({ record }) => record.hash,
  ...OUTCOME,
  adverseObligations: ({ record }) =>
    [...stancesOf(record)].flatMap(([id, stance]) => (stance === 'adverse' ? [id] : [])).join(' '),
};

/** Columns of a row for each record and obligation. */
const OBLIGATION_COLUMNS: Columns<ObligationRow> = {
  sequence: ({ record }) => record.sequence,
  framework: ({ obligation }) => findObligation(obligation?.id ?? '')?.framework ?? null,
  reference: ({ obligation }) => findObligation(obligation?.id ?? '')?.reference ?? null,
  obligation: ({ obligation }) => findObligation(obligation?.id ?? '')?.title ?? null,
  stance: ({ obligation }) => obligation?.stance ?? null,
  title: ({ record }) => record.title,
  content: ({ record }) => record.content,
  ...OUTCOME,
  occurredAt: ({ record }) => record.occurredAt?.toISOString() ?? null,
  createdAt: ({ record }) => record.createdAt.toISOString(),
  evidenceType: ({ record }) => record.evidenceType,
  source: ({ record }) => record.source,
  labels: ({ record }) =>
    Object.entries(record.labels)
      .map(([name, value]) => `${name}=${value}`)
      .join('; '),
  obligationId: ({ obligation }) => obligation?.id ?? null,
  aiSystemId: ({ record }) => record.aiSystemId,
  evidenceId: ({ record }) => record.id,
  hash: ({ record }) => record.hash,
};

/** Rows of a CSV export: one for each record, or for each of its obligations. */
export const CSV_ROWS = ['records', 'obligations'] as const;
/** One of {@link CSV_ROWS}. */
export type CsvRows = (typeof CSV_ROWS)[number];

/** Spreadsheets read a file without it in the code page of the machine. */
const BYTE_ORDER_MARK = '\ufeff';

/** The beginning of the file: the byte order mark, and the line with the names of the columns. */
export function csvHeader(rows: CsvRows): string {
  const columns = rows === 'records' ? RECORD_COLUMNS : OBLIGATION_COLUMNS;
  return BYTE_ORDER_MARK + toLine(Object.keys(columns));
}

/** The lines of a record (RFC 4180). */
export function toCsvLines(named: NamedRecord, rows: CsvRows): string {
  if (rows === 'records') return lineOf(RECORD_COLUMNS, named);
  const stances = [...stancesOf(named.record)].map(([id, stance]) => ({ id, stance }));
  return (stances.length === 0 ? [null] : stances)
    .map((obligation) => lineOf(OBLIGATION_COLUMNS, { ...named, obligation }))
    .join('');
}

function lineOf<Row>(columns: Columns<Row>, row: Row): string {
  return toLine(Object.values(columns).map((cellOf) => cellOf(row)));
}

function providerOf({ metadata }: Evidence): string | null {
  const [id] = listOf(metadata.providers);
  const [label] = listOf(metadata.providerLabels);
  const name = textOf(metadata.provider) ?? textOf(id);
  const shown = textOf(metadata.providerLabel) ?? textOf(label);
  return name === null || shown === null ? name : `${name} [${shown}]`;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function toLine(cells: readonly Cell[]): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

/** A text that begins as a formula gets an apostrophe before it, by which a spreadsheet shows it as text. */
function toCell(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const quoted = value.replaceAll(INNER_FORMULA, "'$&");
  const text = FORMULA.test(value) ? `'${quoted}` : quoted;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
