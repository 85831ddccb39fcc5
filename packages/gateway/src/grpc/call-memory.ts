import { ProbityError } from '@probity/core';
import type { BodyShare } from '@probity/core/internal';

/** Flag of compression and length that precede each message of gRPC. */
const PREFIX_BYTES = 5;

/** How much of the memory for requests a call occupies. */
export interface CallMemory {
  /**
   * Counts bytes as they arrive.
   * @throws ProbityError `payload_too_large` for a message that is announced as too large, `unavailable` when there is
   *   no room
   */
  arrive(chunk: Uint8Array): void;
  /** The bytes that the oldest message which has arrived whole occupies; `length` is its length without compression. */
  deliver(length: number): number;
  /** Releases the bytes of a message that is no longer kept. */
  give(bytes: number): void;
  /** Releases everything; nothing is counted after it. */
  release(): void;
}

/**
 * Counts the messages of a call from their first byte on. The size of a compressed message is not known before it is
 * decompressed: it counts as the largest one until then.
 * @param limit largest message in bytes
 * @param end ends the call, whose messages are ended in favor of those of others
 */
export function createCallMemory(
  share: BodyShare,
  limit: number,
  end: (error: ProbityError) => void,
): CallMemory {
  const prefix = Buffer.alloc(PREFIX_BYTES);
  const arrived: number[] = [];
  let prefixLength = 0;
  let missing = 0;
  let size = 0;
  let isOver = false;

  const take = (bytes: number) => {
    share.take(bytes);
    size += bytes;
  };

  const begin = () => {
    const length = prefix.readUInt32BE(1);
    if (length > limit) {
      throw new ProbityError('payload_too_large', `The message is larger than ${limit} bytes.`);
    }
    if (prefix[0] === 1) take(limit);
    missing = length;
  };

  const endIfWhole = () => {
    if (prefixLength < PREFIX_BYTES || missing > 0) return;
    arrived.push(size);
    prefixLength = 0;
    size = 0;
  };

  return {
    arrive(chunk) {
      if (isOver) return;
      share.endableBy(end);
      for (let at = 0; at < chunk.length; ) {
        if (prefixLength < PREFIX_BYTES) {
          prefix[prefixLength++] = chunk[at++] as number;
          if (prefixLength === PREFIX_BYTES) begin();
        } else {
          const part = Math.min(missing, chunk.length - at);
          take(part);
          missing -= part;
          at += part;
        }
        endIfWhole();
      }
      if (prefixLength === 0) share.endableBy(null);
    },
    deliver(length) {
      const counted = arrived.shift() ?? 0;
      const kept = Math.min(counted, length);
      share.give(counted - kept);
      return kept;
    },
    give(bytes) {
      if (!isOver) share.give(bytes);
    },
    release() {
      isOver = true;
      share.endableBy(null);
      share.release();
    },
  };
}
