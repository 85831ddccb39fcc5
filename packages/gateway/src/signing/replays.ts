import type { Clock, Logger } from '@probity/core';
import { ProbityError } from '@probity/core';
import type { Primary, PrimaryPart } from '../cluster/part.ts';
import type { SignatureStore } from './signature-store.ts';

/** How far the timestamp of a signature may be from now, in seconds, in both directions. */
export const SIGNATURE_WINDOW_SECONDS = 300;

/** Remembers the signatures that were taken. */
export interface Replays {
  /**
   * Takes the mark of a signature; false where it was taken before.
   *
   * @throws ProbityError `unavailable` where the database does not answer
   */
  takeOnce(mark: string): Promise<boolean>;
}

/** Dependencies of the part that remembers signatures. */
export interface ReplaysPartOptions {
  readonly store: SignatureStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Waiting {
  readonly mark: string;
  resolve(isFirst: boolean): void;
  reject(error: unknown): void;
}

const PART = 'replays';
/** A mark of the future may be presented until its own window ends. */
const KEPT_MS = 2 * SIGNATURE_WINDOW_SECONDS * 1_000;
const FORGET_EVERY_MS = 60_000;
const MOST_IN_A_BATCH = 500;

/**
 * The part of the primary that takes a signature once, whichever process it comes to. The database remembers it over
 * restarts, and for every gateway that shares the database.
 */
export function createReplaysPart({ store, clock, logger }: ReplaysPartOptions): PrimaryPart {
  let waiting: Waiting[] = [];
  let isTaking = false;
  let forgottenAtMs = Number.NEGATIVE_INFINITY;
  let isDown = false;

  async function takeBatch(batch: readonly Waiting[]): Promise<void> {
    const nowMs = clock.now().getTime();
    try {
      if (nowMs - forgottenAtMs >= FORGET_EVERY_MS) {
        await store.forgetBefore(nowMs);
        forgottenAtMs = nowMs;
      }
      const marks = [...new Set(batch.map(({ mark }) => mark))];
      const fresh = new Set(await store.take(marks, nowMs + KEPT_MS));
      isDown = false;
      // Of equal marks in a batch only the first one is fresh.
      for (const { mark, resolve } of batch) resolve(fresh.delete(mark));
    } catch (cause) {
      // Once, until it answers again: each refused request would be a line.
      if (!isDown) logger.error('signatures cannot be remembered', { error: cause });
      isDown = true;
      const message = 'The database of the signatures does not answer.';
      for (const { reject } of batch) reject(new ProbityError('unavailable', message, { cause }));
    }
  }

  /** Requests that come during a transaction share the next one. */
  async function takeAll(): Promise<void> {
    if (isTaking) return;
    isTaking = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MOST_IN_A_BATCH);
      waiting = waiting.slice(MOST_IN_A_BATCH);
      await takeBatch(batch);
    }
    isTaking = false;
  }

  return {
    name: PART,
    answer: (request) =>
      new Promise<boolean>((resolve, reject) => {
        waiting.push({ mark: request as string, resolve, reject });
        void takeAll();
      }),
  };
}

/** The memory, as a serving process uses it. */
export function createReplays(primary: Primary): Replays {
  return { takeOnce: (mark) => primary.call<boolean>(PART, mark) };
}
