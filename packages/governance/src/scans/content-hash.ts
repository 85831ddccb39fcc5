import type { Hash } from 'node:crypto';
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { ScanInput } from '@probity/pipeline';

/** UTF-16 code units hashed without yielding, a few milliseconds of work. */
const CHUNK = 1 << 20;

/** Hashes of the scanned texts, as stored with a scan. */
export interface ContentHashes {
  readonly promptHash: string | null;
  readonly responseHash: string;
  readonly contextHash: string | null;
}

/**
 * SHA-256 in lower-case hex of the prompt's and the response's UTF-8 and of the JSON array of the
 * passages. Yields to the event loop within long texts.
 */
export async function hashContent({
  prompt,
  response,
  context,
}: ScanInput): Promise<ContentHashes> {
  return {
    promptHash: prompt === undefined ? null : await digest((hash) => addText(hash, prompt)),
    responseHash: await digest((hash) => addText(hash, response)),
    contextHash: context === undefined ? null : await digest((hash) => addList(hash, context)),
  };
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

/** The output of `JSON.stringify(passages)`, in pieces. */
async function addList(hash: Hash, passages: readonly string[]): Promise<void> {
  let unhashed = '[';
  for (const [index, passage] of passages.entries()) {
    unhashed += index === 0 ? '"' : ',"';
    for (const part of partsOf(passage)) {
      unhashed += JSON.stringify(part).slice(1, -1);
      if (unhashed.length < CHUNK) continue;
      hash.update(unhashed);
      unhashed = '';
      await setImmediate();
    }
    unhashed += '"';
  }
  hash.update(`${unhashed}]`);
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
