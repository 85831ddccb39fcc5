import type { PipelineRuntime } from '../checkpoint.ts';
import { BackendError } from './backend-error.ts';

/** How questions are asked. */
export interface AskLimits {
  /** So many at a time. */
  readonly parallel: number;
  /** When this time is over, what has not been answered stays so. */
  readonly waitMs: number;
  /** Ends the waiting as well. */
  readonly signal: AbortSignal;
  readonly startTimer: PipelineRuntime['startTimer'];
  /** Called for each question that failed, and once when the time is over. */
  readonly onError: (error: unknown) => void;
}

/**
 * Asks all questions, some at a time, and gives the answers in order: undefined for each that failed
 * or did not come in time. Never waits for an answer that ignores its signal, and rejects only with
 * what `onError` throws.
 */
export async function askAll<Question, Answer>(
  questions: readonly Question[],
  ask: (question: Question, signal: AbortSignal) => Promise<Answer>,
  { parallel, waitMs, signal, startTimer, onError }: AskLimits,
): Promise<(Answer | undefined)[]> {
  const answers: (Answer | undefined)[] = questions.map(() => undefined);
  const controller = new AbortController();
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < questions.length && !controller.signal.aborted) {
      const at = next++;
      try {
        const answer = await ask(questions[at] as Question, controller.signal);
        if (!controller.signal.aborted) answers[at] = answer;
      } catch (error) {
        if (!controller.signal.aborted) onError(error);
      }
    }
  };
  const over = new Promise<void>((resolve) => {
    controller.signal.addEventListener('abort', () => resolve());
  });
  const stop = () => controller.abort();
  let isLate = false;
  const expire = () => {
    isLate = true;
    stop();
  };
  const stopTimer = startTimer(expire, Math.max(0, waitMs));
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const workers = Array.from({ length: Math.min(parallel, questions.length) }, work);
  await Promise.race([Promise.all(workers), over]);
  stopTimer();
  if (isLate) onError(new BackendError('timeout', 'the time limit of the stage was reached'));
  signal.removeEventListener('abort', stop);
  return [...answers];
}
