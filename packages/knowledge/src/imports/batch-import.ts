import type { CallContext, Runtime } from '@probity/core';
import { fieldsOf, hasFields } from '../nuggets/changes.ts';
import { contentKeyOf } from '../nuggets/content-key.ts';
import type { NewNugget, Nugget } from '../nuggets/types.ts';
import type { KnowledgeTransaction } from '../storage.ts';
import { planIndexing } from '../vectors/index-worker.ts';
import type { RefusedRow } from './types.ts';

/** A row that can be stored. */
export interface GoodRow {
  readonly line: number;
  readonly nugget: NewNugget;
}

/** What came of a batch. */
export interface BatchResult {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly refused: readonly RefusedRow[];
}

/** Stores batches of one import; each is audited in its transaction. */
export type StoreBatch = (
  tx: KnowledgeTransaction,
  rows: readonly GoodRow[],
) => Promise<BatchResult>;

/** A nugget of a batch, and whether it is to be stored. */
interface Planned {
  nugget: Nugget;
  change: 'created' | 'updated' | 'unchanged';
}

/** Creates what stores the batches of one import, under the tenant's lock. */
export function createBatchImport(
  runtime: Runtime,
  context: CallContext,
  { importId, maxNuggets }: { readonly importId: string; readonly maxNuggets: number },
): StoreBatch {
  const { organizationId } = context.principal;
  const { audit, clock, ids } = runtime;
  const newNugget = (input: NewNugget): Nugget => {
    const now = clock.now();
    const times = { createdAt: input.createdAt ?? now, updatedAt: now, sequence: 0 };
    return { id: ids.next('nug'), organizationId, ...fieldsOf(input), ...times };
  };
  return async (tx, rows) => {
    const keys = rows.map(({ nugget }) => contentKeyOf(nugget));
    const known = await tx.findNuggetsByKeys(organizationId, [...new Set(keys)]);
    const planned = new Map<string, Planned>(
      known.map((nugget) => [contentKeyOf(nugget), { nugget, change: 'unchanged' }]),
    );
    const { nuggets } = await tx.findKnowledgeExtent(organizationId);
    let room = maxNuggets - nuggets;
    const counts = { created: 0, updated: 0, unchanged: 0 };
    const refused: RefusedRow[] = [];
    rows.forEach(({ line, nugget }, at) => {
      const key = keys[at] as string;
      const before = planned.get(key);
      if (before) counts[plan(before, nugget, clock.now())]++;
      else if (room-- > 0) {
        planned.set(key, { nugget: newNugget(nugget), change: 'created' });
        counts.created++;
      } else refused.push({ line, field: null, message: fullMessage(maxNuggets) });
    });
    const sequence = await store(tx, organizationId, [...planned.values()]);
    if (sequence !== null) {
      await planIndexing(runtime, tx, organizationId, sequence);
      const target = { type: 'knowledge_import', id: importId };
      const after = { created: counts.created, updated: counts.updated };
      await audit.record(tx, context, 'knowledge.imported', target, { after });
    }
    return { ...counts, refused };
  };
}

/** Holds a row against the nugget of its claim and source. */
function plan(before: Planned, input: NewNugget, now: Date): 'updated' | 'unchanged' {
  const { category, confidence } = fieldsOf(input);
  // The claim may differ in spaces alone: the stored one stays.
  const fields = { ...before.nugget, category, confidence };
  if (hasFields(before.nugget, fields)) return 'unchanged';
  before.nugget = { ...fields, updatedAt: now };
  if (before.change === 'unchanged') before.change = 'updated';
  return 'updated';
}

/** Returns the place of the last change; null for none. */
async function store(
  tx: KnowledgeTransaction,
  organizationId: string,
  planned: readonly Planned[],
): Promise<number | null> {
  const of = (change: Planned['change']) => planned.filter((each) => each.change === change);
  const [created, updated] = [of('created'), of('updated')];
  const changes = created.length + updated.length;
  if (changes === 0) return null;
  const advance = { changes, nuggets: created.length };
  const extent = await tx.advanceKnowledge(organizationId, advance);
  let sequence = extent.sequence - changes;
  const numbered = ({ nugget }: Planned): Nugget => ({ ...nugget, sequence: ++sequence });
  await tx.insertNuggets(created.map(numbered));
  await tx.replaceNuggets(updated.map(numbered));
  return extent.sequence;
}

function fullMessage(maxNuggets: number): string {
  return `the knowledge base is full: it holds at most ${maxNuggets.toLocaleString('en-US')} nuggets`;
}
