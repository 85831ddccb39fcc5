/** Size that a copy begins with, in bytes. */
const FIRST_SIZE = 4_096;

/**
 * Collects chunks by copying them into one buffer that doubles its size. Keeping the chunks would
 * cost an object, and the memory that it is a part of, for each: a client decides how small they
 * are. A single chunk, as most bodies are, is not copied.
 */
export class GrowingBuffer {
  #bytes: Uint8Array = new Uint8Array(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(chunk: Uint8Array): void {
    const length = this.#length + chunk.length;
    if (this.#length === 0) this.#bytes = chunk;
    else {
      if (length > this.#bytes.length) this.#grow(length);
      this.#bytes.set(chunk, this.#length);
    }
    this.#length = length;
  }

  /** The bytes so far; valid until the next `append`. */
  take(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #grow(length: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(length, this.#length * 2, FIRST_SIZE));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

/** All bytes of a body. */
export async function collectBytes(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const body = new GrowingBuffer();
  for await (const chunk of chunks) body.append(chunk);
  return body.take();
}
