import type { Output } from '../terminal/output.ts';
import { counted, styled, visible } from '../terminal/text.ts';

/** A row that the server refused. */
export interface RefusedRow {
  /** From 1, the header of a CSV file included; of JSON, the place in the array. */
  readonly line: number;
  readonly message: string;
}

/** The answer of the server: counts by name, and the rows that it refused. */
type KnowledgeImport = Readonly<Record<string, unknown>>;

/** The rows that the server refused. */
export function refusedRows(answer: unknown): RefusedRow[] {
  const { errors } = contentOf(answer);
  if (!Array.isArray(errors)) return [];
  return errors.flatMap((row: Readonly<Record<string, unknown>> | null) => {
    const { line, row: number, message, field } = row ?? {};
    const at = Number(line ?? number ?? 0);
    return [{ line: at, message: [field, message].filter(isText).join(': ') }];
  });
}

/** The counts of the server on one line, and a line for each row that it refused. */
export function formatKnowledgeImport(answer: unknown, output: Output): string {
  const counts = Object.entries(contentOf(answer))
    .filter((entry): entry is [string, number] => typeof entry[1] === 'number')
    .map(([name, count]) => `${visible(name)} ${count.toLocaleString('en-US')}`);
  const rows = refusedRows(answer);
  const refused = rows.map(({ line, message }) => {
    return `${styled(`line ${line}`, 'red', output)}  ${visible(message)}\n`;
  });
  const summary = rows.length === 0 ? '' : `${counted(rows.length, 'row')} refused\n`;
  return `${counts.join(', ')}\n${refused.join('')}${summary}`;
}

function contentOf(answer: unknown): KnowledgeImport {
  const { data = answer } = (answer ?? {}) as { readonly data?: unknown };
  return typeof data === 'object' && data !== null ? (data as KnowledgeImport) : {};
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
