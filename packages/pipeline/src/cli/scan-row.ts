/** One text to scan, as a line of input gives it. */
export interface ScanRow {
  readonly id: string | number;
  readonly task?: string;
  /** What is scanned; for hallucination, truth and contamination the model's response. */
  readonly text: string;
  /** The user's prompt. */
  readonly prompt?: string;
  /** The source document; for the task `sts` the second sentence. */
  readonly context?: string;
}

/** A line of input that is no row. `id` is the row's, where it could be read. */
export class ScanRowError extends Error {
  override readonly name = 'ScanRowError';
  readonly id: string | number | undefined;

  constructor(message: string, id?: string | number) {
    super(message);
    this.id = id;
  }
}

/**
 * Reads one line of JSON. Further fields are ignored; null stands for an absent one.
 *
 * @throws ScanRowError saying what is wrong
 */
export function parseScanRow(line: string): ScanRow {
  const value = parseJson(line);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ScanRowError('expected a JSON object');
  }
  const fields = value as Readonly<Record<string, unknown>>;
  const { id, text } = fields;
  if (typeof id !== 'string' && typeof id !== 'number') {
    throw new ScanRowError('id must be a string or a number');
  }
  if (typeof text !== 'string') throw new ScanRowError('text must be a string', id);
  return {
    id,
    text,
    ...optional(fields, 'task', id),
    ...optional(fields, 'prompt', id),
    ...optional(fields, 'context', id),
  };
}

// The parser's own message repeats the line, which may be secret.
function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new ScanRowError('not valid JSON');
  }
}

function optional<Name extends 'task' | 'prompt' | 'context'>(
  fields: Readonly<Record<string, unknown>>,
  name: Name,
  id: string | number,
): { readonly [Key in Name]?: string } {
  const value = fields[name];
  if (value === undefined || value === null) return {};
  if (typeof value !== 'string') throw new ScanRowError(`${name} must be a string`, id);
  return { [name]: value } as { readonly [Key in Name]?: string };
}
