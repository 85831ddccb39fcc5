import { bodyReply, duplexReply } from './replies.ts';
import type { BodyMode, Side, WireBody, WireResponse } from './wire.ts';

/** A body that is held until it is whole. */
export interface HeldBody {
  /** Answers to a part, where more parts follow. */
  hold(part: WireBody): WireResponse[];
  /** All that has come. */
  bytes(): Buffer;
  readonly length: number;
  /**
   * The answers that pass a body on.
   *
   * @param changed what is passed on; null for the body as it came
   * @param isEnd whether no trailers follow
   */
  release(changed: Buffer | null, isEnd: boolean): WireResponse[];
}

/**
 * Holds a body. With BUFFERED all of it comes as one part, whose answer sets its length; with STREAMED each part is
 * answered, and the last one with the whole; with FULL_DUPLEX_STREAMED nothing is answered before.
 */
export function holdBody(side: Side, mode: BodyMode | undefined): HeldBody {
  const chunks: Buffer[] = [];
  let length = 0;
  let parts = 0;
  const isDuplex = mode === 'FULL_DUPLEX_STREAMED';
  const add = ({ body }: WireBody) => {
    chunks.push(body);
    length += body.length;
    parts += 1;
  };
  return {
    hold(part) {
      add(part);
      return part.end_of_stream || isDuplex ? [] : [bodyReply(side, Buffer.alloc(0))];
    },
    bytes: () => Buffer.concat(chunks),
    get length() {
      return length;
    },
    release(changed, isEnd) {
      const whole = changed ?? Buffer.concat(chunks);
      chunks.length = 0;
      length = 0;
      if (isDuplex) return [duplexReply(side, whole, isEnd)];
      if (parts > 1) return [bodyReply(side, whole)];
      return [bodyReply(side, changed, { set: { 'content-length': String(whole.length) } })];
    },
  };
}
