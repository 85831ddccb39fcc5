import { createTurnQueue } from '../checkpoint.ts';

/** Work that lets the event loop turn at a `yield`, where much has been done. */
export type Steps<Result> = Generator<void, Result>;

/** Milliseconds of work between two turns of the event loop. */
const TURN_MS = 5;
/** Values between two looks at the clock; so many take a quarter of a millisecond. */
const VALUES = 256;

/** UTF-16 units. */
const LONG_TEXT = 65_536;

let values = 0;

/** Counts a value; whether it is time to yield. */
export function isStepDue(): boolean {
  values = (values + 1) % VALUES;
  return values === 0;
}

/** Whether work on a text by itself takes some milliseconds, so that a step ends with it. */
export function isLongText({ length }: string): boolean {
  return length >= LONG_TEXT;
}

/** Runs all steps at once. */
export function runAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Conversations that are read concurrently take turns. */
const takeTurn = createTurnQueue();

/** Runs the steps, with a turn of the event loop after each few milliseconds. */
export async function runInTurns<Result>(steps: Steps<Result>): Promise<Result> {
  let startedAt = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - startedAt < TURN_MS) continue;
    await takeTurn();
    startedAt = performance.now();
  }
}
