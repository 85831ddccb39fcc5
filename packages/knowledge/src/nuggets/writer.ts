import type { CallContext, Runtime } from '@probity/core';
import { ProbityError } from '@probity/core';
import { changedFields } from '@probity/core/internal';
import type { KnowledgeTransaction } from '../storage.ts';
import { planIndexing } from '../vectors/index-worker.ts';
import type { NuggetFields } from './changes.ts';
import { auditFieldsOf, hasFields } from './changes.ts';
import { contentKeyOf } from './content-key.ts';
import type { Nugget } from './types.ts';

/** Changes single nuggets in a transaction under the tenant's lock; each change is audited in it. */
export interface NuggetWriter {
  /**
   * @throws ProbityError `already_exists` when the knowledge base has this claim of this source, `conflict` when
   *   it is full
   */
  insert(
    tx: KnowledgeTransaction,
    context: CallContext,
    fields: NuggetFields & { readonly createdAt?: Date | undefined },
  ): Promise<Nugget>;
  /**
   * Gives a nugget other fields. Returns the stored nugget, as it was when it has these fields already.
   * @throws ProbityError `already_exists` when another nugget has this claim of this source
   */
  change(
    tx: KnowledgeTransaction,
    context: CallContext,
    before: Nugget,
    fields: NuggetFields,
  ): Promise<Nugget>;
  remove(tx: KnowledgeTransaction, context: CallContext, nugget: Nugget): Promise<void>;
}

/** Creates the writer. */
export function createNuggetWriter(
  runtime: Pick<Runtime, 'audit' | 'ids' | 'clock'>,
  maxNuggets: number,
): NuggetWriter {
  const { audit, ids, clock } = runtime;
  return {
    async insert(tx, context, { createdAt, ...fields }) {
      const { organizationId } = context.principal;
      await requireNew(tx, organizationId, fields);
      const advance = { changes: 1, nuggets: 1 };
      const { sequence, nuggets } = await tx.advanceKnowledge(organizationId, advance);
      if (nuggets > maxNuggets) throw fullKnowledge(maxNuggets);
      const now = clock.now();
      const nugget: Nugget = {
        ...{ id: ids.next('nug'), organizationId, ...fields, sequence },
        ...{ createdAt: createdAt ?? now, updatedAt: now },
      };
      await tx.insertNuggets([nugget]);
      await planIndexing(runtime, tx, organizationId, sequence);
      const after = auditFieldsOf(nugget);
      await audit.record(tx, context, 'nugget.created', targetOf(nugget.id), { after });
      return nugget;
    },

    async change(tx, context, before, fields) {
      const { organizationId, id } = before;
      if (hasFields(before, fields)) return before;
      if (contentKeyOf(before) !== contentKeyOf(fields)) {
        await requireNew(tx, organizationId, fields);
      }
      const { sequence } = await tx.advanceKnowledge(organizationId, { changes: 1, nuggets: 0 });
      const after: Nugget = { ...before, ...fields, updatedAt: clock.now(), sequence };
      await tx.replaceNuggets([after]);
      await planIndexing(runtime, tx, organizationId, sequence);
      const change = changedFields(auditFieldsOf(before), auditFieldsOf(after));
      await audit.record(tx, context, 'nugget.updated', targetOf(id), change);
      return after;
    },

    async remove(tx, context, nugget) {
      const { organizationId, id } = nugget;
      const { sequence } = await tx.advanceKnowledge(organizationId, { changes: 1, nuggets: -1 });
      await tx.deleteNugget(organizationId, id, { sequence, at: clock.now() });
      await planIndexing(runtime, tx, organizationId, sequence);
      const before = auditFieldsOf(nugget);
      await audit.record(tx, context, 'nugget.deleted', targetOf(id), { before });
    },
  };
}

async function requireNew(
  tx: KnowledgeTransaction,
  organizationId: string,
  fields: Pick<Nugget, 'claim' | 'sourceUrl'>,
): Promise<void> {
  const [known] = await tx.findNuggetsByKeys(organizationId, [contentKeyOf(fields)]);
  if (!known) return;
  throw new ProbityError(
    'already_exists',
    `The knowledge base has this claim of this source already: ${known.id}.`,
  );
}

/** The error of a knowledge base that can take no further nugget. */
function fullKnowledge(maxNuggets: number): ProbityError {
  return new ProbityError(
    'conflict',
    `The knowledge base is full: it holds at most ${maxNuggets.toLocaleString('en-US')} nuggets.`,
  );
}

function targetOf(id: string) {
  return { type: 'nugget', id };
}
