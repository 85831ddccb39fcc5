import { parse } from 'yaml';
import { usageFailure } from '../failure.ts';

/** The tool repeats a test by an alias in each of its results, and in the configuration. */
const MAX_ALIASES = 100_000;
/** What aliases may make of a file, in bytes of JSON. */
const MAX_JSON_BYTES = 536_870_912;
const MAX_DEPTH = 512;
const CHUNK_LENGTH = 65_536;

/**
 * The JSON of a YAML text, in parts.
 * @throws CommandFailure for a text that is not YAML, or that aliases make too large or endless
 */
export async function* yamlToJson(text: string, name: string): AsyncGenerator<Uint8Array> {
  const value = parseYaml(text, name);
  let part = '';
  let length = 0;
  for (const token of jsonTokens(value, name)) {
    part += token;
    if (part.length < CHUNK_LENGTH) continue;
    const bytes = Buffer.from(part);
    length += bytes.length;
    if (length > MAX_JSON_BYTES) throw usageFailure(`${name}: its aliases make it too large`);
    yield bytes;
    part = '';
  }
  yield Buffer.from(part);
}

function parseYaml(text: string, name: string): unknown {
  try {
    return parse(text, { maxAliasCount: MAX_ALIASES, logLevel: 'error', uniqueKeys: false });
  } catch (error) {
    // The message goes on to show lines of the file, which are texts of prompts.
    const [reason = ''] = (error as Error).message.split(/:?\n/, 1);
    throw usageFailure(
      `${name} is not valid YAML: ${reason.replace(/ at line .*$/, '')}${placeOf(error)}`,
    );
  }
}

function placeOf(error: unknown): string {
  const [start] = (error as { linePos?: readonly { line: number; col: number }[] }).linePos ?? [];
  return start ? ` (line ${start.line}, column ${start.col})` : '';
}

function* jsonTokens(value: unknown, name: string, depth = 0): Generator<string> {
  if (depth > MAX_DEPTH) throw usageFailure(`${name} is nested more than ${MAX_DEPTH} levels deep`);
  if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) {
      yield index === 0 ? '[' : ',';
      yield* jsonTokens(each, name, depth + 1);
    }
    yield value.length === 0 ? '[]' : ']';
  } else if (typeof value === 'object' && value !== null) {
    let before = '{';
    for (const [key, each] of Object.entries(value)) {
      yield `${before}${JSON.stringify(key)}:`;
      yield* jsonTokens(each, name, depth + 1);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  } else {
    yield JSON.stringify(typeof value === 'bigint' ? Number(value) : value) ?? 'null';
  }
}
