import type { BatchResult, GoodRow } from './batch-import.ts';
import type { KnowledgeImport, ReadRow, RefusedRow } from './types.ts';

/** Refused rows that are told one by one. */
const MAX_ERRORS = 1_000;

/** Adds up what an import does. */
export class ImportSum {
  readonly errors: RefusedRow[] = [];
  #rows = 0;
  #failed = 0;
  readonly #counts = { created: 0, updated: 0, unchanged: 0 };

  /** Counts rows, and returns those that can be stored. */
  take(batch: readonly ReadRow[]): GoodRow[] {
    this.#rows += batch.length;
    const good: GoodRow[] = [];
    for (const row of batch) {
      if ('nugget' in row) good.push(row);
      else this.#refuse(row.faults);
    }
    return good;
  }

  add({ created, updated, unchanged, refused }: BatchResult): void {
    this.#counts.created += created;
    this.#counts.updated += updated;
    this.#counts.unchanged += unchanged;
    for (const row of refused) this.#refuse([row]);
  }

  toCounts(): Omit<KnowledgeImport, 'id'> {
    return { rows: this.#rows, ...this.#counts, failed: this.#failed, errors: [...this.errors] };
  }

  /** The counts behind another batch, which may still be undone. */
  countsWith(result: BatchResult): Omit<KnowledgeImport, 'id'> {
    const sum = new ImportSum();
    sum.#rows = this.#rows;
    sum.#failed = this.#failed;
    Object.assign(sum.#counts, this.#counts);
    sum.add(result);
    return { ...sum.toCounts(), errors: [] };
  }

  #refuse(faults: readonly RefusedRow[]): void {
    this.#failed++;
    if (this.#failed <= MAX_ERRORS) this.errors.push(...faults);
  }
}
