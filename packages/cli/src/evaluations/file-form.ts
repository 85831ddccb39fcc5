import { usageFailure } from '../failure.ts';

/** How far a file is read to tell its form. */
const SNIFFED_BYTES = 1_048_576;

/** An input whose form is known; all of its bytes are still to be read. */
export interface SniffedInput {
  readonly form: 'json' | 'yaml';
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * Tells JSON from YAML by the first characters, and by the name where these leave it open.
 * @throws CommandFailure for JSON Lines and other forms, with what to do instead
 */
export async function sniffInput(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<SniffedInput> {
  const source = chunks[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  let length = 0;
  while (length < SNIFFED_BYTES) {
    const { done, value } = await source.next();
    if (done) break;
    read.push(value);
    length += value.length;
    if (Buffer.from(value).includes(0x0a) && length >= 65_536) break;
  }
  const start = new TextDecoder().decode(Buffer.concat(read));
  const form = formOf(path, start);
  return { form, chunks: joined(read, source) };
}

async function* joined(read: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>) {
  yield* read;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

const JSON_LINES_HINT =
  'JSON Lines have no time and no version of the evaluation: write it with `promptfoo eval -o results.json`';

function formOf(path: string, start: string): SniffedInput['form'] {
  const name = path === '-' ? 'standard input' : path;
  const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase();
  if (extension === 'jsonl' || extension === 'ndjson' || isJsonLines(start)) {
    throw usageFailure(`${name}: ${JSON_LINES_HINT}`);
  }
  const first = start.trimStart()[0];
  if (first === undefined) throw usageFailure(`${name} is empty`);
  if (first === '{' || first === '[') return 'json';
  const mayBeYaml = extension === undefined || ['yaml', 'yml', 'json'].includes(extension);
  // Each of the tool's YAML files is a mapping, whose first line is a key.
  if (mayBeYaml && /^(---|%YAML|#|["']?[\w$-]+["']?\s*:)/.test(start.trimStart())) return 'yaml';
  throw usageFailure(
    `${name} is neither JSON nor YAML: write it with \`promptfoo eval -o results.json\``,
  );
}

/** Whether the first line is an object by itself, and another one follows. */
function isJsonLines(start: string): boolean {
  const [, line = '', next = ''] = /^\s*(\{[^\n]*\})[ \t\r]*\n\s*(.)/.exec(start) ?? [];
  if (next !== '{') return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
