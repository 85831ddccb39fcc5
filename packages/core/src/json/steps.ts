/** Work that can be interrupted at each `yield`. */
export type Steps<Result> = Generator<void, Result>;

/** Runs all steps at once. */
export function runAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Milliseconds of work between two turns of the event loop. */
const SLICE_MS = 5;

/** Runs the steps in slices, between which the event loop serves other requests. */
export async function runInSlices<Result>(steps: Steps<Result>): Promise<Result> {
  let sliceEndsAt = performance.now() + SLICE_MS;
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() < sliceEndsAt) continue;
    await new Promise(setImmediate);
    sliceEndsAt = performance.now() + SLICE_MS;
  }
}
