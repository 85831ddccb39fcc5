import type { ProbityError } from '@probity/core';
import { isUtf8Label } from '@probity/core/internal';
import type { Members } from '@probity/pipeline/protocols';
import { parseJson } from '@probity/pipeline/protocols';
import type { Dispatcher } from 'undici';
import { proxyError } from './proxy-error.ts';
import { upstreamFault } from './upstream.ts';

/** Reads a whole answer. @throws ProbityError with status 502 for what is no JSON object or longer than `limit` bytes */
export async function readAnswer(
  body: Dispatcher.ResponseData['body'],
  limit: number,
): Promise<Members> {
  const bytes = await readBytes(body, limit).catch((error: unknown) => {
    const { name, code } = error as { readonly name: string; readonly code?: string };
    // The client left.
    if (name === 'AbortError') throw error;
    throw code === 'UND_ERR_BODY_TIMEOUT' ? upstreamFault(error) : unreadable('broke off');
  });
  if (bytes === undefined) throw unreadable(`is larger than ${limit} bytes`);
  let answer: unknown;
  try {
    // Some servers send a byte order mark.
    answer = parseJson(bytes.toString('utf8').replace(/^\ufeff/, ''));
  } catch {
    throw unreadable('is no JSON');
  }
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer))
    throw unreadable('is no JSON object');
  return answer as Members;
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
