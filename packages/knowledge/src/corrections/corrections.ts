import type { CallContext, Page, PageOf, Runtime } from '@probity/core';
import { notFound } from '@probity/core';
import { validate } from '@probity/core/internal';
import { requireNugget } from '../nuggets/changes.ts';
import { contentKeyOf } from '../nuggets/content-key.ts';
import { DEFAULT_MAX_NUGGETS } from '../nuggets/nuggets.ts';
import type { Nugget } from '../nuggets/types.ts';
import type { NuggetWriter } from '../nuggets/writer.ts';
import { createNuggetWriter } from '../nuggets/writer.ts';
import type { KnowledgeStorage, KnowledgeTransaction } from '../storage.ts';
import { newCorrectionInput } from './input.ts';
import type { Correction, CorrectionFilter, NewCorrection } from './types.ts';

/** The corrections of the caller's organization. */
export interface Corrections {
  /**
   * Publishes a correction: the knowledge base states it, the event `correction.deployed` is appended and the audit
   * log has it, all in one transaction.
   *
   * The nugget with the wrong claim states the correction instead; without one a nugget is added. Where the knowledge
   * base has the correction of this source already, the nugget with the wrong claim is deleted.
   *
   * @throws ProbityError `validation_failed` with every bad field, `not_found` when the organization has no nugget
   *   `nuggetId`, `conflict` when the knowledge base is full
   */
  publish(context: CallContext, input: NewCorrection): Promise<Correction>;
  /** Those that match every member of the filter, newest first. */
  list(context: CallContext, filter: CorrectionFilter, page: Page): Promise<PageOf<Correction>>;
  /** @throws ProbityError `not_found` when the organization has no correction with this id */
  get(context: CallContext, id: string): Promise<Correction>;
}

/** Options of {@link createCorrections}. */
export interface CorrectionOptions {
  readonly storage: KnowledgeStorage;
  /** Largest number of nuggets of an organization; default 1,000,000. */
  readonly maxNuggets?: number | undefined;
}

/** Creates the service for corrections. */
export function createCorrections(
  runtime: Runtime,
  { storage, maxNuggets = DEFAULT_MAX_NUGGETS }: CorrectionOptions,
): Corrections {
  const { audit, clock, emit, ids, tenants } = runtime;
  const writer = createNuggetWriter(runtime, maxNuggets);
  return {
    list: ({ principal }, filter, page) =>
      storage.listCorrections(principal.organizationId, filter, page),

    async get({ principal }, id) {
      const correction = await storage.findCorrection(principal.organizationId, id);
      if (!correction) throw notFound('correction');
      return correction;
    },

    async publish(context, given) {
      const input = validate(newCorrectionInput, given, 'input');
      const { organizationId } = context.principal;
      await tenants?.ensure(organizationId, context);
      return storage.withTenantLock(context, organizationId, async (tx) => {
        const { id: nuggetId } = await updateKnowledge(tx, context, writer, input);
        const { claim, correction, sourceUrl } = input;
        const published: Correction = {
          ...{ id: ids.next('cor'), organizationId, nuggetId },
          ...{ claim, correction, sourceUrl, createdAt: clock.now() },
        };
        await tx.insertCorrection(published);
        const { id } = published;
        const after = { nuggetId, claim, correction, source_url: sourceUrl };
        await audit.record(
          tx,
          context,
          'correction.published',
          { type: 'correction', id },
          { after },
        );
        await emit(tx, context, 'correction.deployed', { id, claim, correction, sourceUrl });
        return published;
      });
    },
  };
}

/** Returns the nugget that states the correction. */
async function updateKnowledge(
  tx: KnowledgeTransaction,
  context: CallContext,
  writer: NuggetWriter,
  { nuggetId, claim, correction, sourceUrl }: NewCorrection,
): Promise<Nugget> {
  const { organizationId } = context.principal;
  const find = async (statement: string): Promise<Nugget | undefined> => {
    const key = contentKeyOf({ claim: statement, sourceUrl });
    const [found] = await tx.findNuggetsByKeys(organizationId, [key]);
    return found;
  };
  const wrong =
    nuggetId === undefined
      ? await find(claim)
      : requireNugget(await tx.findNugget(organizationId, nuggetId));
  const right = await find(correction);
  if (right) {
    if (wrong && wrong.id !== right.id) await writer.remove(tx, context, wrong);
    return right;
  }
  if (!wrong) {
    const unstated = { category: null, confidence: null };
    return writer.insert(tx, context, { claim: correction, sourceUrl, ...unstated });
  }
  const { category, confidence } = wrong;
  return writer.change(tx, context, wrong, { claim: correction, sourceUrl, category, confidence });
}
