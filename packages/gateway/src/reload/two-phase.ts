import type { PreparedPart } from '../cluster/part.ts';

/** How long everything may take to be prepared. */
export const PREPARE_MS = 10_000;

/**
 * First phase of a reload: prepares everything at once. Where one of them fails, or is not ready in time, all
 * are discarded, those that get ready later too.
 *
 * @throws Error of the first that failed
 */
export async function prepareAll(
  phases: readonly (() => Promise<PreparedPart> | PreparedPart)[],
  timeoutMs: number = PREPARE_MS,
): Promise<PreparedPart> {
  const preparing = phases.map(async (prepare) => prepare());
  const discardAll = () => {
    for (const each of preparing) {
      each.then(
        (prepared) => prepared.discard(),
        () => undefined,
      );
    }
  };
  try {
    const prepared = await within(Promise.all(preparing), timeoutMs);
    return {
      async commit() {
        await Promise.all(prepared.map((each) => each.commit()));
      },
      discard: discardAll,
    };
  } catch (error) {
    discardAll();
    throw error;
  }
}

function within<Result>(work: Promise<Result>, timeoutMs: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    const late = new Error(`it was not ready within ${timeoutMs / 1_000} seconds`);
    const timer = setTimeout(() => reject(late), timeoutMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
