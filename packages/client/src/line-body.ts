/** Texts that come one after the other. */
export type TextParts = AsyncIterable<string> | ReadableStream<string>;

/** Whether a member of a body is not a text, but the parts of one. */
export function isTextParts(value: unknown): value is TextParts {
  if (typeof value !== 'object' || value === null) return false;
  return Symbol.asyncIterator in value || 'getReader' in value;
}

/**
 * A body of JSON Lines: first the other members of a request, then a line for each part. The parts are read no faster
 * than they are sent, and are ended with the body.
 * @param signal aborts when the answer is over: fetch does not always cancel the body of an answered request
 */
export function lineBody(
  head: object,
  parts: TextParts,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const encode = (line: object) => encoder.encode(`${JSON.stringify(line)}\n`);
  const iterator = iteratorOf(parts);
  let isBegun = false;
  const end = async () => {
    await iterator.return?.();
  };
  signal.addEventListener('abort', () => void end().catch(() => undefined), { once: true });
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (!isBegun) {
        isBegun = true;
        controller.enqueue(encode(head));
        return;
      }
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(encode({ text: value }));
    },
    cancel: end,
  });
}

/** Not every browser can iterate a stream. */
function iteratorOf(parts: TextParts): AsyncIterator<string> {
  const { [Symbol.asyncIterator]: iterate } = parts as Partial<AsyncIterable<string>>;
  if (iterate) return iterate.call(parts);
  const reader = (parts as ReadableStream<string>).getReader();
  return {
    next: async () => {
      const { done, value } = await reader.read();
      return done ? { done, value: undefined } : { done, value };
    },
    return: async () => {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}
