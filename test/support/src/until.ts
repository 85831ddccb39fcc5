import { setTimeout as delay } from 'node:timers/promises';

/**
 * How long tests wait for an expected condition, in milliseconds: it only bounds hanging, so that
 * no test fails because the machine is slow or busy.
 */
export const PATIENCE_MS = 120_000;

const PAUSE_MS = 10;

/**
 * Polls until the condition is true.
 *
 * @param what describes the condition, for the error
 * @throws Error when the condition is still false after `timeoutMs` (default {@link PATIENCE_MS}); whatever
 *   `isSo` throws.
 */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string,
  timeoutMs = PATIENCE_MS,
): Promise<void> {
  const endMs = performance.now() + timeoutMs;
  while (!(await isSo())) {
    if (performance.now() >= endMs) throw new Error(`Not so within ${timeoutMs} ms: ${what}`);
    await delay(PAUSE_MS);
  }
}
