/** Work that can be interrupted at each `yield`. */
export type Steps<Result> = Generator<void, Result>;

/** Milliseconds of work between two turns of the event loop. */
const SLICE_MS = 5;

/** Gives the event loop a turn after every {@link SLICE_MS} of work. */
export class Slices {
  #endsAt = performance.now() + SLICE_MS;

  /** Runs the steps, with pauses between them. */
  async run<Result>(steps: Steps<Result>): Promise<Result> {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      await this.pause();
    }
  }

  /** Waits for the next turn of the event loop when the slice is over. */
  async pause(): Promise<void> {
    if (performance.now() < this.#endsAt) return;
    await new Promise<void>((resolve) => setTurn(resolve));
    this.#endsAt = performance.now() + SLICE_MS;
  }
}

/** `setImmediate` where there is one; browsers have none. */
const setTurn: (resume: () => void) => void =
  typeof setImmediate === 'function' ? setImmediate : (resume) => setTimeout(resume, 0);
