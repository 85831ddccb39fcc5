/** Collects sentences; equal ones are kept once, with the number of results that they are about. */
export class Warnings {
  readonly #counts = new Map<string, number>();

  /** Adds one about `count` results; `#` in it is replaced by `3 results` or the like. */
  add(warning: string, count = 1): void {
    this.#counts.set(warning, (this.#counts.get(warning) ?? 0) + count);
  }

  toArray(): string[] {
    return [...this.#counts].map(([warning, count]) =>
      warning.replace('#', count === 1 ? '1 result' : `${count} results`),
    );
  }
}
