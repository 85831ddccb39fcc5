/** The words of a text one after the other: hash and place of each. Grows; never shrinks. */
export interface WordBuffer {
  readonly count: number;
  readonly hash: Int32Array;
  readonly start: Int32Array;
  readonly end: Int32Array;
  push(hash: number, start: number, end: number): void;
  /** Makes it empty again. */
  clear(): void;
}

/** Buffers that are larger than this, in words, are not kept. */
const MAX_KEPT = 1 << 14;
let spare: WordBuffer | undefined;

/** An empty buffer, the one given back last where there is one: to make one takes microseconds. */
export function takeWordBuffer(): WordBuffer {
  const taken = spare ?? createWordBuffer();
  spare = undefined;
  return taken;
}

/** Ends the use of a buffer. */
export function giveBackWordBuffer(buffer: WordBuffer): void {
  buffer.clear();
  if (buffer.hash.length <= MAX_KEPT) spare = buffer;
}

/** An empty buffer for about `capacity` words; more fit as well. */
export function createWordBuffer(capacity = 128): WordBuffer {
  const buffer = {
    count: 0,
    hash: new Int32Array(capacity),
    start: new Int32Array(capacity),
    end: new Int32Array(capacity),
    push(hash: number, start: number, end: number): void {
      const at = buffer.count++;
      if (at === buffer.hash.length) {
        buffer.hash = doubled(buffer.hash);
        buffer.start = doubled(buffer.start);
        buffer.end = doubled(buffer.end);
      }
      buffer.hash[at] = hash;
      buffer.start[at] = start;
      buffer.end[at] = end;
    },
    clear(): void {
      buffer.count = 0;
    },
  };
  return buffer;
}

function doubled(values: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(values.length * 2);
  grown.set(values);
  return grown;
}
