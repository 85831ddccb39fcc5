import type { Hash } from 'node:crypto';
import { createHash, hash as hashAtOnce } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { ScanContent } from './content.ts';
import type { Scan } from './types.ts';

/** UTF-16 code units hashed without yielding, a few milliseconds of work. */
const CHUNK = 1 << 20;

/** Hashes of what was scanned, as stored with a scan. */
export type ContentHashes = Pick<
  Scan,
  'promptHash' | 'responseHash' | 'contextHash' | 'messagesHash'
>;

/** Those of a scan whose texts are not hashed. */
export const NO_HASHES: ContentHashes = Object.freeze({
  promptHash: null,
  responseHash: null,
  contextHash: null,
  messagesHash: null,
});

/**
 * SHA-256 in lower-case hex of the prompt's and the response's UTF-8 and of the JSON arrays of the passages and of the
 * messages. Yields to the event loop within long texts.
 */
export async function hashContent(content: ScanContent): Promise<ContentHashes> {
  if (content.messages) {
    const { messages, context } = content;
    return {
      ...NO_HASHES,
      messagesHash: await digest((hash) => addList(hash, messages)),
      contextHash: context === undefined ? null : await digest((hash) => addList(hash, context)),
    };
  }
  const { prompt, response, context } = content.input;
  return {
    ...NO_HASHES,
    promptHash: prompt === undefined ? null : await digestText(prompt),
    responseHash: await digestText(response),
    contextHash: context === undefined ? null : await digest((hash) => addList(hash, context)),
  };
}

/** Most texts are short, and need no hash object. */
function digestText(text: string): Promise<string> | string {
  if (text.length <= CHUNK) return hashAtOnce('sha256', text);
  return digest((hash) => addText(hash, text));
}

async function digest(fill: (hash: Hash) => Promise<void>): Promise<string> {
  const hash = createHash('sha256');
  await fill(hash);
  return hash.digest('hex');
}

async function addText(hash: Hash, text: string): Promise<void> {
  for (const part of partsOf(text)) {
    hash.update(part);
    if (part.length < text.length) await setImmediate();
  }
}

/** The output of `JSON.stringify(items)`, in pieces. */
async function addList(hash: Hash, items: readonly unknown[]): Promise<void> {
  let unhashed = '[';
  for (const [index, item] of items.entries()) {
    if (index > 0) unhashed += ',';
    for (const part of jsonParts(item)) {
      unhashed += part;
      if (unhashed.length < CHUNK) continue;
      hash.update(unhashed);
      unhashed = '';
      await setImmediate();
    }
  }
  hash.update(`${unhashed}]`);
}

/** The JSON of a value: of a text in pieces, of anything else at once. */
function* jsonParts(value: unknown): Generator<string> {
  if (typeof value !== 'string') {
    yield JSON.stringify(value);
    return;
  }
  yield '"';
  for (const part of partsOf(value)) yield JSON.stringify(part).slice(1, -1);
  yield '"';
}

/** Splits a text into pieces without cutting a surrogate pair. */
function* partsOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + CHUNK);
    if (end < text.length && (text.codePointAt(end - 1) as number) > 0xffff) end--;
    yield text.slice(start, end);
    start = end;
  }
}
