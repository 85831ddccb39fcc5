import type { CallContext, Page, PageOf, Runtime } from '@probity/core';
import { ProbityError } from '@probity/core';
import { changedFields, validate } from '@probity/core/internal';
import type { KnowledgeStorage, KnowledgeTransaction } from '../storage.ts';
import { auditFieldsOf, fieldsOf, hasFields, requireNugget, toConfidence } from './changes.ts';
import { contentKeyOf } from './content-key.ts';
import { newNuggetInput, nuggetChangesInput } from './input.ts';
import type { NewNugget, Nugget, NuggetChanges, NuggetFilter } from './types.ts';

/** Largest number of nuggets of an organization unless a host says otherwise. */
export const DEFAULT_MAX_NUGGETS = 1_000_000;

/** Nuggets of one read. */
const READ = 1_000;

/** The knowledge base of the caller's organization. */
export interface Nuggets {
  /**
   * @throws ProbityError `validation_failed` with every bad field, `already_exists` when the knowledge base
   *   has this claim of this source, `conflict` when it is full
   */
  create(context: CallContext, input: NewNugget): Promise<Nugget>;
  /** Those that match every member of the filter, oldest first. */
  list(context: CallContext, filter: NuggetFilter, page: Page): Promise<PageOf<Nugget>>;
  /** @throws ProbityError `not_found` when the organization has no nugget with this id */
  get(context: CallContext, id: string): Promise<Nugget>;
  /**
   * Versions of those of the nuggets that are there, by id: a nugget's `sequence`, which every change of it raises.
   * @param ids any number
   */
  versions(context: CallContext, ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /**
   * Changes the given fields and returns the updated nugget.
   * @throws ProbityError `not_found`, `validation_failed` with every bad field, or `already_exists` when
   *   another nugget has this claim of this source
   */
  update(context: CallContext, id: string, changes: NuggetChanges): Promise<Nugget>;
  /** @throws ProbityError `not_found` when the organization has no nugget with this id */
  remove(context: CallContext, id: string): Promise<void>;
}

/** Options of {@link createNuggets}. */
export interface NuggetOptions {
  readonly storage: KnowledgeStorage;
  /** Largest number of nuggets of an organization; default 1,000,000. */
  readonly maxNuggets?: number | undefined;
}

/** Creates the service for nuggets. */
export function createNuggets(runtime: Runtime, options: NuggetOptions): Nuggets {
  const { storage } = options;
  return {
    list: ({ principal }, filter, page) =>
      storage.listNuggets(principal.organizationId, filter, page),
    async get({ principal }, id) {
      return requireNugget(await storage.findNugget(principal.organizationId, id));
    },
    async versions({ principal }, ids) {
      const found = new Map<string, number>();
      for (let from = 0; from < ids.length; from += READ) {
        const part = ids.slice(from, from + READ);
        for (const { id, sequence } of await storage.findNuggets(principal.organizationId, part)) {
          found.set(id, sequence);
        }
      }
      return found;
    },
    ...createChanges(runtime, options),
  };
}

function createChanges(
  { audit, ids, clock, tenants }: Runtime,
  { storage, maxNuggets = DEFAULT_MAX_NUGGETS }: NuggetOptions,
): Pick<Nuggets, 'create' | 'update' | 'remove'> {
  return {
    async create(context, given) {
      const input = validate(newNuggetInput, given, 'input');
      const { organizationId } = context.principal;
      const fields = fieldsOf(input);
      await tenants?.ensure(organizationId, context);
      return storage.withTenantLock(context, organizationId, async (tx) => {
        await requireNew(tx, organizationId, fields);
        const { sequence, nuggets } = await tx.advanceKnowledge(organizationId, {
          changes: 1,
          nuggets: 1,
        });
        if (nuggets > maxNuggets) throw fullKnowledge(maxNuggets);
        const now = clock.now();
        const nugget: Nugget = {
          ...{ id: ids.next('nug'), organizationId, ...fields, sequence },
          ...{ createdAt: input.createdAt ?? now, updatedAt: now },
        };
        await tx.insertNuggets([nugget]);
        const after = auditFieldsOf(nugget);
        await audit.record(tx, context, 'nugget.created', targetOf(nugget.id), { after });
        return nugget;
      });
    },

    async update(context, id, given) {
      const { confidence, ...changes } = validate(nuggetChangesInput, given, 'changes');
      const { organizationId } = context.principal;
      return storage.withTenantLock(context, organizationId, async (tx) => {
        const before = requireNugget(await tx.findNugget(organizationId, id));
        const wanted = Object.entries(changes).filter(([, value]) => value !== undefined);
        const fields: Nugget = {
          ...{ ...before, ...Object.fromEntries(wanted) },
          ...(confidence === undefined ? {} : { confidence: toConfidence(confidence) }),
        };
        if (hasFields(before, fields)) return before;
        if (contentKeyOf(before) !== contentKeyOf(fields)) {
          await requireNew(tx, organizationId, fields);
        }
        const advance = { changes: 1, nuggets: 0 };
        const { sequence } = await tx.advanceKnowledge(organizationId, advance);
        const after: Nugget = { ...fields, updatedAt: clock.now(), sequence };
        await tx.replaceNuggets([after]);
        const change = changedFields(auditFieldsOf(before), auditFieldsOf(after));
        await audit.record(tx, context, 'nugget.updated', targetOf(id), change);
        return after;
      });
    },

    async remove(context, id) {
      const { organizationId } = context.principal;
      await storage.withTenantLock(context, organizationId, async (tx) => {
        const nugget = requireNugget(await tx.findNugget(organizationId, id));
        const advance = { changes: 1, nuggets: -1 };
        const { sequence } = await tx.advanceKnowledge(organizationId, advance);
        await tx.deleteNugget(organizationId, id, { sequence, at: clock.now() });
        const before = auditFieldsOf(nugget);
        await audit.record(tx, context, 'nugget.deleted', targetOf(id), { before });
      });
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
