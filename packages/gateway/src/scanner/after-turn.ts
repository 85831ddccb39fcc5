import type { Logger } from '@probity/core';

let waiting: (() => void)[] = [];

/** Runs `work` when the event loop has turned, by which the answers of this turn are on their way. */
export function afterTurn(logger: Logger, work: () => void): void {
  const isFirst = waiting.push(() => attempt(logger, work)) === 1;
  if (isFirst) setImmediate(runAll);
}

function runAll(): void {
  const works = waiting;
  waiting = [];
  for (const work of works) work();
}

function attempt(logger: Logger, work: () => void): void {
  try {
    work();
  } catch (error) {
    logger.error('a scan was answered and could not be recorded', { error });
  }
}
