import type { Clock, Timer } from '../clock.ts';
import type { Service } from './lifecycle.ts';

/** Settings of a repeated task. */
export interface RepeatingOptions {
  readonly clock: Clock;
  /** Time from the end of one run to the start of the next, and before the first. */
  readonly intervalMs: number;
  /** Whether the first run begins immediately at start; default false. */
  readonly isFirstAtOnce?: boolean;
  /** One run; must not reject. A long run checks periodically whether to continue. */
  work(isRunning: () => boolean): Promise<void>;
}

/** Runs a task at intervals while started, one run at a time; `stop` waits for the current run. */
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
