import type { Clock, Timer } from '../clock.ts';
import type { Service } from './lifecycle.ts';

/** What is done again and again. */
export interface RepeatingOptions {
  readonly clock: Clock;
  /** Time from the end of one run to the begin of the next, and before the first. */
  readonly intervalMs: number;
  /** Whether the first run begins with the start instead; default false. */
  readonly isFirstAtOnce?: boolean;
  /** One run; must not reject. A long one asks now and then whether it is to go on. */
  work(isRunning: () => boolean): Promise<void>;
}

/** Does something at intervals while it is started, one run at a time; `stop` waits for the last. */
export function createRepeating(options: RepeatingOptions): Service {
  const { clock, intervalMs, isFirstAtOnce = false, work } = options;
  let timer: Timer | null = null;
  let running = false;
  let working: Promise<void> = Promise.resolve();

  function run(): void {
    working = work(() => running).then(wait);
  }

  function wait(): void {
    if (running) timer = clock.setTimer(run, intervalMs);
  }

  return {
    async start() {
      if (running) return;
      running = true;
      if (isFirstAtOnce) run();
      else wait();
    },
    async stop() {
      running = false;
      timer?.cancel();
      await working;
    },
  };
}
