import type { KernelOperations } from '../storage/database.ts';

/** Stores values of several results of a transaction at once. */
export type BatchWrite<Value> = (tx: KernelOperations, values: readonly Value[]) => Promise<void>;

/**
 * What the results of a transaction store together at its end. It is for rows that several results share,
 * such as counters: one statement writes them, and in one order in every transaction, so that two that
 * write the same rows do not wait for each other.
 */
export interface ResultBatch {
  /** Adds a value to those that `write` gets; the same function must be passed for all of them. */
  add<Value>(write: BatchWrite<Value>, value: Value): void;
}

/** The batch of one transaction. */
export class TransactionBatch implements ResultBatch {
  readonly #values = new Map<BatchWrite<never>, unknown[]>();

  add<Value>(write: BatchWrite<Value>, value: Value): void {
    const values = this.#values.get(write);
    if (values) values.push(value);
    else this.#values.set(write, [value]);
  }

  async store(tx: KernelOperations): Promise<void> {
    for (const [write, values] of this.#values) await write(tx, values as never[]);
  }
}
