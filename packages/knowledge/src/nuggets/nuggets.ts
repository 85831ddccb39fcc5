import type { CallContext, Page, PageOf, Runtime } from '@probity/core';
import { validate } from '@probity/core/internal';
import type { KnowledgeStorage } from '../storage.ts';
import { fieldsOf, requireNugget, toConfidence } from './changes.ts';
import { newNuggetInput, nuggetChangesInput } from './input.ts';
import type { NewNugget, Nugget, NuggetChanges, NuggetFilter } from './types.ts';
import { createNuggetWriter } from './writer.ts';

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
  runtime: Runtime,
  { storage, maxNuggets = DEFAULT_MAX_NUGGETS }: NuggetOptions,
): Pick<Nuggets, 'create' | 'update' | 'remove'> {
  const writer = createNuggetWriter(runtime, maxNuggets);
  return {
    async create(context, given) {
      const input = validate(newNuggetInput, given, 'input');
      const { organizationId } = context.principal;
      await runtime.tenants?.ensure(organizationId, context);
      const fields = { ...fieldsOf(input), createdAt: input.createdAt };
      return storage.withTenantLock(context, organizationId, (tx) =>
        writer.insert(tx, context, fields),
      );
    },

    async update(context, id, given) {
      const { confidence, ...changes } = validate(nuggetChangesInput, given, 'changes');
      const { organizationId } = context.principal;
      return storage.withTenantLock(context, organizationId, async (tx) => {
        const before = requireNugget(await tx.findNugget(organizationId, id));
        const { claim, sourceUrl, category } = before;
        const wanted = Object.entries(changes).filter(([, value]) => value !== undefined);
        const fields = {
          ...{ claim, sourceUrl, category, ...Object.fromEntries(wanted) },
          confidence: confidence === undefined ? before.confidence : toConfidence(confidence),
        };
        return writer.change(tx, context, before, fields);
      });
    },

    async remove(context, id) {
      const { organizationId } = context.principal;
      await storage.withTenantLock(context, organizationId, async (tx) => {
        await writer.remove(tx, context, requireNugget(await tx.findNugget(organizationId, id)));
      });
    },
  };
}
