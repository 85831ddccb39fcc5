import type { Clock } from '@probity/core';

/** A comment of an event stream, which clients ignore and which keeps proxies and clients from timing out. */
export const KEEP_ALIVE = ': keep-alive\n\n';
/** Silence after which a comment is sent. */
export const KEEP_ALIVE_MS = 10_000;

const COMMENT = /(?:^|[\r\n]):/;

/** Whether a piece of an event stream has a comment. */
export function hasComment(text: string): boolean {
  return COMMENT.test(text);
}

/** Resolves with the value, or with undefined when it takes longer than `delayMs`. Rejects as the value does. */
export async function within<Value>(
  clock: Clock,
  value: Promise<Value>,
  delayMs: number,
): Promise<Value | undefined> {
  let cancel = () => {};
  const silence = new Promise<undefined>((resolve) => {
    const timer = clock.setTimer(() => resolve(undefined), Math.max(0, delayMs));
    cancel = () => timer.cancel();
  });
  try {
    return await Promise.race([value, silence]);
  } finally {
    cancel();
  }
}
