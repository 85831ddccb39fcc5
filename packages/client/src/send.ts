import type { OpenAnswer } from './attempt.ts';
import { attemptOnce } from './attempt.ts';
import { ProbityError } from './errors.ts';
import type { ClientSettings } from './options.ts';
import { wholeNumber } from './options.ts';
import type { Call } from './request.ts';
import { retryDelayMs } from './retry.ts';

/**
 * Sends a request and reads its answer, again after failures that pass, where repeating has no
 * further effect: the call changes nothing, or it has an Idempotency-Key (specification, "Retry
 * rules"). The time limit holds for each attempt with its reading.
 * @param read reads the answer; what it throws counts as a failure of the attempt
 * @throws ProbityError of the last attempt; the reason of the caller's signal
 */
export async function send<Result>(
  call: Call,
  settings: ClientSettings,
  read: (answer: OpenAnswer) => Promise<Result>,
): Promise<Result> {
  const { operation, idempotencyKey, options } = call;
  const isSafe = operation.method === 'GET' || idempotencyKey !== null;
  const allowed = wholeNumber('retries', options.retries ?? settings.retries, 0);
  const retries = isSafe ? allowed : 0;
  const { timing, maxRetryDelayMs } = settings;
  for (let attempt = 0; ; attempt += 1) {
    options.signal?.throwIfAborted();
    try {
      return await readAnswer(await attemptOnce(call, settings, attempt + 1), read);
    } catch (error) {
      if (attempt >= retries || !(error instanceof ProbityError)) throw error;
      const facts = { error, attempt, random: timing.random(), maxRetryDelayMs };
      const delayMs = retryDelayMs(facts);
      if (delayMs === null) throw error;
      await timing.wait(delayMs, options.signal);
    }
  }
}

async function readAnswer<Result>(
  answer: OpenAnswer,
  read: (answer: OpenAnswer) => Promise<Result>,
): Promise<Result> {
  try {
    return await read(answer);
  } catch (thrown) {
    const error = answer.toError(thrown);
    answer.close(error);
    throw error;
  }
}
