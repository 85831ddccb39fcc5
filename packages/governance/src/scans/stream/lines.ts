import { setImmediate } from 'node:timers/promises';
import { ProbityError, validationError } from '@probity/core';
import { GrowingBuffer, parseStrictJson } from '@probity/core/internal';

const NEWLINE = 0x0a;
/** The largest line in bytes. */
const MAX_LINE = 10_485_760;

/** Lines of bytes without their ends, those that came together as one list; the last line may have no end. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array[]> {
  let line = new GrowingBuffer();
  const take = (part: Uint8Array) => {
    line.append(part);
    if (line.length > MAX_LINE) {
      throw new ProbityError('payload_too_large', `A line is larger than ${MAX_LINE} bytes.`);
    }
  };
  const finish = () => {
    const whole = line.take();
    line = new GrowingBuffer();
    return whole;
  };
  for await (const chunk of chunks) {
    const lines: Uint8Array[] = [];
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      take(chunk.subarray(from, at));
      lines.push(finish());
      from = at + 1;
    }
    if (from < chunk.length) take(chunk.subarray(from));
    if (lines.length > 0) yield lines;
    // Chunks that wait already follow one another without the event loop having a turn.
    await setImmediate();
  }
  if (line.length > 0) yield [finish()];
}

/** Lines with the first one apart; null where there is none. */
export async function withFirst(
  lists: AsyncGenerator<Uint8Array[]>,
): Promise<{ readonly first: Uint8Array; readonly others: AsyncIterable<Uint8Array[]> } | null> {
  const { done, value } = await lists.next();
  const [first, ...together] = done ? [] : value;
  if (first === undefined) return null;
  async function* others() {
    yield together;
    yield* lists;
  }
  return { first, others: others() };
}

/**
 * The texts of lines such as `{"text": "…"}`: one of all lines that came together, as each text has a cost of its own and
 * a response may come letter by letter. A blank line is an empty text: the sender is still there. A surrogate pair may
 * be cut between two lines.
 * @param first the number of the first line
 * @throws ProbityError that names the member and the line, after the text of the lines before
 */
export async function* textsOf(
  lists: AsyncIterable<Uint8Array[]>,
  first: number,
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let half = '';
  let number = first - 1;
  const read = (line: Uint8Array): string => {
    number += 1;
    // Of a cut pair the other half is still to come.
    if (line.length === 0 && half === '') return '';
    const text = half + textOf(decode(decoder, line, number), number);
    half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? '';
    const whole = half === '' ? text : text.slice(0, -1);
    if (!whole.isWellFormed()) throw bad('must not contain lone surrogates', number);
    return whole;
  };
  for await (const lines of lists) {
    const texts: string[] = [];
    let fault: unknown;
    try {
      for (const line of lines) texts.push(read(line));
    } catch (thrown) {
      fault = thrown;
    }
    if (lines.length > 0) yield texts.join('');
    if (fault !== undefined) throw fault;
  }
  if (half !== '') throw bad('must not end with a lone surrogate', number);
}

function decode(
  decoder: InstanceType<typeof TextDecoder>,
  line: Uint8Array,
  number: number,
): string {
  try {
    return decoder.decode(line);
  } catch (cause) {
    const message = `Line ${number} is not valid UTF-8.`;
    throw new ProbityError('invalid_request', message, { cause });
  }
}

function textOf(line: string, number: number): string {
  if (line.trim() === '') return '';
  const { text, ...others } = parseLine(line, number);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    throw validationError({ field: unknown, message: `is not a known field (line ${number})` });
  }
  if (typeof text !== 'string') throw bad('must be a string', number);
  if (text.includes('\0')) throw bad('must not contain U+0000', number);
  return text;
}

function parseLine(line: string, number: number): { readonly text?: unknown } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // Without the cause, whose message quotes the line.
    throw new ProbityError('invalid_request', `Line ${number} is not valid JSON.`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new ProbityError('invalid_request', `Line ${number} must be an object with "text".`);
}

function bad(message: string, number: number): ProbityError {
  return validationError({ field: 'text', message: `${message} (line ${number})` });
}

/**
 * Reads a JSON body.
 * @throws ProbityError `payload_too_large`, or as the JSON of other bodies does
 */
export async function readJsonBody(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<unknown> {
  const body = new GrowingBuffer();
  for await (const chunk of chunks) {
    body.append(chunk);
    if (body.length > maxBytes) {
      const message = `The request body is larger than ${maxBytes} bytes.`;
      throw new ProbityError('payload_too_large', message);
    }
  }
  return parseStrictJson(body.take());
}

/** A text in pieces, without cutting a surrogate pair. */
export async function* piecesOf(text: string, length: number): AsyncGenerator<string> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + length);
    if (end < text.length && (text.codePointAt(end - 1) as number) > 0xffff) end -= 1;
    yield text.slice(start, end);
    start = end;
  }
}
