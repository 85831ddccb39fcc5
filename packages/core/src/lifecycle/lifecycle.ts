import type { Clock } from '../clock.ts';
import { systemClock } from '../clock.ts';
import type { Logger } from '../logging/logger.ts';

/** Anything with a lifetime. Both calls may be repeated; `stop` waits for work in progress. */
export interface Service {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A named part of a program. */
export interface LifecyclePart extends Service {
  readonly name: string;
}

/** Starts the parts of a program in order and stops them in reverse. */
export interface Lifecycle extends Service, AsyncDisposable {}

/** How long `stop` waits for one part: longer than the 30 s that a server gives its requests. */
const STOP_LIMIT_MS = 35_000;

/**
 * Creates the lifecycle of a program. When a part fails to start, the parts already started are
 * stopped before the error is passed on. A part that fails to stop, or has not stopped
 * after 35 s, is logged and does not prevent the others from stopping.
 */
export function createLifecycle(
  parts: readonly LifecyclePart[],
  logger: Logger,
  clock: Pick<Clock, 'setTimer'> = systemClock,
): Lifecycle {
  const started: LifecyclePart[] = [];
  let starting: Promise<void> | null = null;
  let stopping: Promise<void> | null = null;

  async function startAll(): Promise<void> {
    for (const part of parts) {
      started.push(part);
      await part.start();
    }
  }

  async function stopAll(): Promise<void> {
    for (let part = started.pop(); part; part = started.pop()) {
      try {
        await withinLimit(clock, part.stop());
      } catch (error) {
        logger.error('a part failed to stop', { part: part.name, error });
      }
    }
  }

  const lifecycle: Service = {
    start() {
      starting ??= startAll().catch(async (error: unknown) => {
        await stopAll();
        throw error;
      });
      return starting;
    },
    async stop() {
      if (!starting) return;
      stopping ??= starting.catch(() => undefined).then(stopAll);
      await stopping;
    },
  };
  return { ...lifecycle, [Symbol.asyncDispose]: () => lifecycle.stop() };
}

/** @throws Error when `stopping` takes longer than the limit */
function withinLimit(clock: Pick<Clock, 'setTimer'>, stopping: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error(`It did not stop within ${STOP_LIMIT_MS} ms.`));
    const timer = clock.setTimer(giveUp, STOP_LIMIT_MS);
    stopping.finally(() => timer.cancel()).then(resolve, reject);
  });
}
