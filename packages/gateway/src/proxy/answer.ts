import { isDeepStrictEqual } from 'node:util';
import type { ProbityError } from '@probity/core';
import { hasRepeatedMember, isUtf8Label } from '@probity/core/internal';
import type { Members } from '@probity/pipeline/protocols';
import { parseJsonInTurns, writeJsonInTurns } from '@probity/pipeline/protocols';
import type { Dispatcher } from 'undici';
import { proxyError } from './proxy-error.ts';
import { upstreamFault } from './upstream.ts';

/** A whole answer, as it came and as it is read. */
export interface ReadAnswer {
  readonly text: string;
  readonly members: Members;
}

/** Reads a whole answer. @throws ProbityError with status 502 for what is no JSON object or longer than `limit` bytes */
export async function readAnswer(
  body: Dispatcher.ResponseData['body'],
  limit: number,
): Promise<ReadAnswer> {
  const bytes = await readBytes(body, limit).catch((error: unknown) => {
    const { name, code } = error as { readonly name: string; readonly code?: string };
    // The client left.
    if (name === 'AbortError') throw error;
    throw code === 'UND_ERR_BODY_TIMEOUT' ? upstreamFault(error) : unreadable('broke off');
  });
  if (bytes === undefined) throw unreadable(`is larger than ${limit} bytes`);
  // Some servers send a byte order mark.
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  let answer: unknown;
  try {
    answer = await parseJsonInTurns(text);
  } catch {
    throw unreadable('is no JSON');
  }
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer))
    throw unreadable('is no JSON object');
  return { text, members: answer as Members };
}

/**
 * The text of an answer to pass on: as it came, where nothing of it is replaced.
 *
 * @param clean removes API keys of providers, which may be escaped in the text that came
 */
export async function writeAnswer(
  answer: Members,
  { text, members }: ReadAnswer,
  clean: (text: string) => string,
): Promise<string> {
  const plain = JSON.stringify(answer);
  const isSame = clean(plain) === plain && isDeepStrictEqual(answer, members);
  // Of two members of one name only the last was scanned.
  if (isSame && !(await hasRepeatedMember(text))) return text;
  return clean(await writeJsonInTurns(answer, members));
}

/** Undefined for more than `limit`. By events: an iterator over the few parts of most answers costs more than reading them. */
function readBytes(
  body: Dispatcher.ResponseData['body'],
  limit: number,
): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let length = 0;
    body.on('data', (part: Buffer) => {
      length += part.length;
      parts.push(part);
      if (length <= limit) return;
      resolve(undefined);
      body.destroy();
    });
    body.on('end', () => resolve(parts.length === 1 ? parts[0] : Buffer.concat(parts)));
    body.on('error', reject);
    body.on('close', () => reject(new Error('closed before its end')));
  });
}

/**
 * Whether a successful answer is a stream of events, by its head.
 *
 * @throws ProbityError with status 502 for an answer whose text cannot be read: packed, or in another encoding than UTF-8
 */
export function readKind({ headers, body }: Dispatcher.ResponseData): 'events' | 'json' {
  const type = String(headers['content-type'] ?? '');
  const packed = String(headers['content-encoding'] ?? 'identity');
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(type) ?? [];
  if (
    packed.toLowerCase() === 'identity' &&
    (isUtf8Label(charset) || /^us-ascii$/i.test(charset))
  ) {
    return /^\s*text\/event-stream\b/i.test(type) ? 'events' : 'json';
  }
  // Its end is an error of the stream, which nobody waits for.
  body.on('error', () => {}).destroy();
  throw unreadable('is compressed, or not in UTF-8');
}

/** The error for an answer of which nothing can be passed on; another attempt would be paid for again. */
export function unreadable(what: string): ProbityError {
  return proxyError(
    {
      status: 502,
      message: `The answer of the model ${what}.`,
      type: 'server_error',
      code: 'upstream_broken',
    },
    { 'x-should-retry': 'false' },
  );
}
