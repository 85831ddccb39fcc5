import type { CallContext, Runtime } from '@probity/core';
import { validationError } from '@probity/core';
import { createUuid } from '@probity/core/internal';
import { DEFAULT_MAX_NUGGETS } from '../nuggets/nuggets.ts';
import type { KnowledgeStorage } from '../storage.ts';
import type { BatchResult, GoodRow, StoreBatch } from './batch-import.ts';
import { createBatchImport } from './batch-import.ts';
import { readCsv } from './csv.ts';
import { readJson } from './json.ts';
import { openSpool } from './spool.ts';
import { textOf } from './text.ts';
import type { ImportFormat, ImportOptions, KnowledgeImport, ReadRow, RefusedRow } from './types.ts';

/** Rows of one transaction. */
const BATCH = 500;
/** Refused rows that are told one by one. */
const MAX_ERRORS = 1_000;
/** Refused rows after which a strict import does not read on. */
const MAX_STRICT_ERRORS = 100;

/** Imports of files into the knowledge base of the caller's organization. */
export interface KnowledgeImports {
  /**
   * Reads a CSV or JSON file as it arrives and stores its rows, 500 in a transaction. A row whose claim and
   * source the knowledge base has updates that nugget, or changes nothing, so that the same file can be sent
   * again. A row that is refused does not stop the others.
   *
   * With `strict`, every row is checked before the first is stored, and all are stored in one transaction.
   *
   * @throws ProbityError `invalid_request` for what is not UTF-8 or no JSON array, `validation_failed` for a
   *   header without the columns, or, with `strict`, naming the first refused rows
   */
  importFile(
    context: CallContext,
    chunks: AsyncIterable<Uint8Array>,
    options: ImportOptions,
  ): Promise<KnowledgeImport>;
}

/** Options of {@link createKnowledgeImports}. */
export interface KnowledgeImportOptions {
  readonly storage: KnowledgeStorage;
  /** Largest number of nuggets of an organization; default 1,000,000. */
  readonly maxNuggets?: number | undefined;
}

/** Creates the service for imports. */
export function createKnowledgeImports(
  runtime: Runtime,
  { storage, maxNuggets = DEFAULT_MAX_NUGGETS }: KnowledgeImportOptions,
): KnowledgeImports {
  return {
    async importFile(context, chunks, { format, strict = false }) {
      const { organizationId } = context.principal;
      await runtime.tenants?.ensure(organizationId, context);
      const importId = createUuid(runtime);
      const storeBatch = createBatchImport(runtime, context, { importId, maxNuggets });
      const batches = batchesOf(rowsOf(chunks, format));
      const run = { storage, context, organizationId, storeBatch };
      return strict ? importAll(run, batches) : importParts(run, batches);
    },
  };
}

interface ImportRun {
  readonly storage: KnowledgeStorage;
  readonly context: CallContext;
  readonly organizationId: string;
  readonly storeBatch: StoreBatch;
}

async function importParts(
  { storage, context, organizationId, storeBatch }: ImportRun,
  batches: AsyncIterable<readonly ReadRow[]>,
): Promise<KnowledgeImport> {
  const sum = new ImportSum();
  for await (const batch of batches) {
    const good = sum.take(batch);
    if (good.length === 0) continue;
    sum.add(await storage.withTenantLock(context, organizationId, (tx) => storeBatch(tx, good)));
  }
  return sum.toResult();
}

async function importAll(
  { storage, context, organizationId, storeBatch }: ImportRun,
  batches: AsyncIterable<readonly ReadRow[]>,
): Promise<KnowledgeImport> {
  const sum = new ImportSum();
  const spool = await openSpool();
  try {
    for await (const batch of batches) {
      await spool.write(sum.take(batch));
      if (sum.errors.length >= MAX_STRICT_ERRORS) break;
    }
    requireNone(sum.errors);
    await storage.withTenantLock(context, organizationId, async (tx) => {
      for await (const batch of spool.read(BATCH)) {
        const result = await storeBatch(tx, batch);
        requireNone(result.refused);
        sum.add(result);
      }
    });
  } finally {
    await spool.close();
  }
  return sum.toResult();
}

/** @throws ProbityError `validation_failed` that names the rows */
function requireNone(refused: readonly RefusedRow[]): void {
  if (refused.length === 0) return;
  const details = refused.slice(0, MAX_STRICT_ERRORS).map(({ line, field, message }) => ({
    field: field === null ? `line ${line}` : `line ${line}: ${field}`,
    message,
  }));
  throw validationError(...details);
}

/** Adds up what an import does. */
class ImportSum {
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

  toResult(): KnowledgeImport {
    return { rows: this.#rows, ...this.#counts, failed: this.#failed, errors: this.errors };
  }

  #refuse(faults: readonly RefusedRow[]): void {
    this.#failed++;
    if (this.#failed <= MAX_ERRORS) this.errors.push(...faults);
  }
}

function rowsOf(chunks: AsyncIterable<Uint8Array>, format: ImportFormat): AsyncIterable<ReadRow> {
  const text = textOf(chunks);
  return format === 'csv' ? readCsv(text) : readJson(text);
}

async function* batchesOf(rows: AsyncIterable<ReadRow>): AsyncGenerator<ReadRow[]> {
  let batch: ReadRow[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
