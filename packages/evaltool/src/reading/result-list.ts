import type { ElementSink, Kept, KeptObject, TokenTap } from '../json/shape.ts';
import type { Steps } from '../steps.ts';
import type { ReducedResult, ReductionOptions } from './reduce-result.ts';
import { reduceResult } from './reduce-result.ts';
import { isObject } from './values.ts';
import { Warnings } from './warnings.ts';

/** Receives the results of one array and keeps of each what may be kept. */
export class ResultList implements ElementSink {
  readonly tap: TokenTap | undefined;
  readonly results: ReducedResult[] = [];
  /** Elements of the array, also those beyond the limit. */
  count = 0;
  /** Index of the first element that is no object, or -1. */
  badIndex = -1;
  warnings = new Warnings();
  readonly #limit: number;
  readonly #isRedacted: () => boolean;
  readonly #received: KeptObject[] = [];

  constructor(options: {
    readonly limit: number;
    readonly isRedacted: () => boolean;
    readonly tap?: TokenTap;
  }) {
    this.#limit = options.limit;
    this.#isRedacted = options.isRedacted;
    this.tap = options.tap;
  }

  begin(): void {
    this.results.length = 0;
    this.#received.length = 0;
    this.count = 0;
    this.badIndex = -1;
    this.warnings = new Warnings();
  }

  element(value: Kept): void {
    this.count += 1;
    if (!isObject(value)) {
      if (this.badIndex < 0) this.badIndex = this.count - 1;
    } else if (this.count <= this.#limit) {
      this.#received.push(value);
    }
  }

  /** Reduces the results that have been received since the last call. */
  *reduce(): Steps<void> {
    for (let result = this.#received.shift(); result; result = this.#received.shift()) {
      const options: ReductionOptions = { isRedacted: this.#isRedacted, warnings: this.warnings };
      this.results.push(yield* reduceResult(result, options));
      yield;
    }
  }
}
