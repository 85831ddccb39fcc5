import type { ProbityError } from '../errors.ts';
import type { BodyShare } from './body-budget.ts';

/** The chunks of a body that the budget may end while they are arriving. */
export interface EndableChunks extends AsyncIterable<Uint8Array> {
  /** Whether the budget has ended the body: the next chunk may never come. */
  isEnded(): boolean;
}

/** The same chunks. When the budget ends the body in favor of others, the iteration throws the error of the budget. */
export function endableChunks(
  chunks: AsyncIterable<Uint8Array>,
  share: Pick<BodyShare, 'endableBy'>,
): EndableChunks {
  let ended: ProbityError | undefined;
  return {
    isEnded: () => ended !== undefined,
    [Symbol.asyncIterator]() {
      const source = chunks[Symbol.asyncIterator]();
      let refuse: (error: ProbityError) => void = () => {};
      share.endableBy((error) => {
        ended = error;
        refuse(error);
      });
      const stop = () => share.endableBy(null);
      return {
        next() {
          if (ended) return Promise.reject(ended);
          return new Promise((resolve, reject) => {
            refuse = reject;
            source.next().then(
              (result) => {
                if (result.done) stop();
                resolve(result);
              },
              (error: unknown) => {
                stop();
                reject(error);
              },
            );
          });
        },
        async return() {
          stop();
          // Of an ended body the next chunk may never come, for which the source would wait.
          if (!ended) await source.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
