import { FlatIndex } from './flat-index.ts';
import type { RedisCommands, RedisKeys } from './redis-keys.ts';
import { listOf, numberOf } from './redis-keys.ts';

/** The vectors of a collection as a process has read them. */
export interface LocalCopy {
  readonly generation: string;
  /** Up to where the copy follows. */
  sequence: number;
  /** Null before the first vector. */
  index: FlatIndex | null;
}

/** Ids of one command. */
const PAGE = 500;

/**
 * Brings a copy up to date, or makes one; undefined where there is no collection. Vectors are made from the knowledge
 * base: what is stored of an id behind a sequence is the same also when Redis has lost its last changes and they were
 * stored again, unless the collection itself was made anew.
 */
export async function followChanges(
  client: RedisCommands,
  keys: RedisKeys,
  known: LocalCopy | undefined,
): Promise<LocalCopy | undefined> {
  const head = await client.callBuffer(
    ...(['HMGET', keys.head, 'sequence', 'dimensions', 'generation'] as const),
  );
  const [sequence, dimensions, generation] = listOf(head);
  if (!generation) return undefined;
  const isSame = known?.generation === String(generation);
  const copy = isSame ? known : { generation: String(generation), sequence: 0, index: null };
  if (numberOf(sequence) <= copy.sequence) return copy;
  const length = numberOf(dimensions);
  if (length > 0) copy.index ??= new FlatIndex(length);
  await readChanges(client, keys, copy);
  copy.sequence = numberOf(sequence);
  return copy;
}

async function readChanges(
  client: RedisCommands,
  { log, vectors }: RedisKeys,
  { index, sequence }: LocalCopy,
): Promise<void> {
  const behind = ['ZRANGEBYSCORE', log, `(${sequence}`, '+inf'] as const;
  // What changes between the commands is read again by the next search.
  const ids = listOf(await client.callBuffer(...behind)).map(String);
  for (let from = 0; from < ids.length; from += PAGE) {
    const page = ids.slice(from, from + PAGE);
    const values = listOf(await client.callBuffer('HMGET', vectors, ...page));
    page.forEach((id, at) => {
      const value = values[at];
      if (value) putVector(index, id, value);
      else index?.delete(id);
    });
  }
}

/** Bytes of a number of a vector. */
const NUMBER = Float32Array.BYTES_PER_ELEMENT;

function putVector(index: FlatIndex | null, id: string, bytes: Buffer): void {
  if (!index) return;
  // Copied, since the numbers must begin at a multiple of their size.
  const numbers = bytes.subarray(0, index.length * NUMBER);
  const vector = new Float32Array(Uint8Array.from(numbers).buffer);
  const category = bytes.subarray(index.length * NUMBER).toString();
  index.put(id, vector, category === '' ? null : category);
}

/** A vector and its category as one value: the numbers in the order of bytes of x86 and ARM, then the text. */
export function encodeVector({
  vector,
  category,
}: {
  readonly vector: Float32Array;
  readonly category: string | null;
}): Buffer {
  const numbers = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
  return Buffer.concat([numbers, Buffer.from(category ?? '')]);
}
