import type { CallContext, Page, PageOf, Runtime } from '@probity/core';
import { notFound, validationError } from '@probity/core';
import { DEFAULT_MAX_NUGGETS } from '../nuggets/nuggets.ts';
import type { KnowledgeStorage } from '../storage.ts';
import type { BatchResult, StoreBatch } from './batch-import.ts';
import { createBatchImport } from './batch-import.ts';
import { readCsv } from './csv.ts';
import { readJson } from './json.ts';
import type { ImportProgress } from './progress.ts';
import { beginImport } from './progress.ts';
import { openSpool } from './spool.ts';
import { textOf } from './text.ts';
import type {
  ImportFormat,
  ImportOptions,
  ImportRecord,
  KnowledgeImport,
  ReadRow,
  RefusedRow,
} from './types.ts';

/** A running import that has read nothing for so long counts as interrupted. */
const SILENT_MS = 5 * 60_000;
/** Rows of one transaction. */
const BATCH = 500;
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
  /** The imports of the organization with their progress, newest first; without their refused rows. */
  list(context: CallContext, page: Page): Promise<PageOf<ImportRecord>>;
  /** @throws ProbityError `not_found` when the organization has no import with this id */
  get(context: CallContext, id: string): Promise<ImportRecord>;
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
      const progress = await beginImport(runtime, storage, context, { format, isStrict: strict });
      const { importId } = progress;
      const storeBatch = createBatchImport(runtime, context, { importId, maxNuggets });
      const run = { storage, context, organizationId, storeBatch, progress };
      return progress.endWith(async () => {
        const batches = batchesOf(rowsOf(chunks, format));
        await (strict ? importAll(run, batches) : importParts(run, batches));
      });
    },

    async list({ principal }, page) {
      const { items, total } = await storage.listImports(principal.organizationId, page);
      return { items: items.map((record) => asOf(record, runtime.clock.now())), total };
    },

    async get({ principal }, id) {
      const record = await storage.findImport(principal.organizationId, id);
      if (!record) throw notFound('import');
      return asOf(record, runtime.clock.now());
    },
  };
}

/** A record with its state at a time: nobody ends that of a process which was killed. */
function asOf(record: ImportRecord, now: Date): ImportRecord {
  const isSilent = now.getTime() - record.updatedAt.getTime() >= SILENT_MS;
  return record.status === 'running' && isSilent ? { ...record, status: 'interrupted' } : record;
}

interface ImportRun {
  readonly storage: KnowledgeStorage;
  readonly context: CallContext;
  readonly organizationId: string;
  readonly storeBatch: StoreBatch;
  readonly progress: ImportProgress;
}

async function importParts(
  { storage, context, organizationId, storeBatch, progress }: ImportRun,
  batches: AsyncIterable<readonly ReadRow[]>,
): Promise<void> {
  const { sum } = progress;
  for await (const batch of batches) {
    const good = sum.take(batch);
    if (good.length === 0) await progress.store();
    else {
      // The sum is of what has committed: a transaction may be run again.
      const { result } = await storage.withTenantLock(context, organizationId, async (tx) => {
        const stored = await storeBatch(tx, good);
        await tx.updateImport(progress.recordWith(stored));
        return { result: stored };
      });
      sum.add(result);
    }
  }
}

async function importAll(
  { storage, context, organizationId, storeBatch, progress }: ImportRun,
  batches: AsyncIterable<readonly ReadRow[]>,
): Promise<void> {
  const { sum } = progress;
  const spool = await openSpool();
  try {
    for await (const batch of batches) {
      await spool.write(sum.take(batch));
      if (sum.errors.length >= MAX_STRICT_ERRORS) break;
      await progress.store();
    }
    requireNone(sum.errors);
    const results = await storage.withTenantLock(context, organizationId, async (tx) => {
      const stored: BatchResult[] = [];
      for await (const batch of spool.read(BATCH)) {
        const result = await storeBatch(tx, batch);
        requireNone(result.refused);
        stored.push(result);
      }
      return stored;
    });
    for (const result of results) sum.add(result);
  } finally {
    await spool.close();
  }
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
