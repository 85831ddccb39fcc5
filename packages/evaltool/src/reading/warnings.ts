/** Collects sentences; equal ones are kept once, with the number of results that they are about. */
export class Warnings {
  readonly #counts = new Map<string, number>();

  /** Adds one; `#` in it stands for `3 results` or the like. */
  add(warning: string): void {
    this.#counts.set(warning, (this.#counts.get(warning) ?? 0) + 1);
  }

  toArray(): string[] {
    return [...this.#counts].map(([warning, count]) =>
      warning.replace('#', count === 1 ? '1 result' : `${count} results`),
    );
  }
}
