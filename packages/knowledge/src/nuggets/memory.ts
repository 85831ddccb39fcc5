import type { MemorySession } from '@probity/core';
import { byCreation, defineMemoryTable, owned, pageOf } from '@probity/core/internal';
import { contentKeyOf } from './content-key.ts';
import type { NuggetReads, NuggetWrites } from './storage.ts';
import type { KnowledgeExtent, Nugget, NuggetFilter, RemovedNugget } from './types.ts';

interface StoredExtent extends KnowledgeExtent {
  readonly organizationId: string;
}

interface StoredRemoval extends RemovedNugget {
  readonly organizationId: string;
  readonly at: Date;
}

/** By its content key, so that a nugget is found without hashing the others. */
interface StoredKey {
  readonly organizationId: string;
  readonly id: string;
}

const NUGGETS = defineMemoryTable<Nugget>('nuggets', 'organizationId');
const KEYS = defineMemoryTable<StoredKey>('nugget_keys', 'organizationId');
const EXTENTS = defineMemoryTable<StoredExtent>('knowledge_extents', 'organizationId');
const REMOVALS = defineMemoryTable<StoredRemoval>('removed_nuggets', 'organizationId');

const EMPTY: KnowledgeExtent = { sequence: 0, nuggets: 0 };

/** Reads and writes nuggets in memory. */
export function createNuggetOperations(session: MemorySession): NuggetReads & NuggetWrites {
  return { ...createReads(session), ...createWrites(session) };
}

function createReads(session: MemorySession): NuggetReads {
  const nuggets = () => session.table(NUGGETS);
  const ofOrganization = (organizationId: string) =>
    nuggets().filter((row) => row.organizationId === organizationId);
  return {
    async listNuggets(organizationId, filter, page) {
      const own = ofOrganization(organizationId);
      return pageOf(own.filter(toCondition(filter)), page, byCreation);
    },
    async findNugget(organizationId, id) {
      return owned(nuggets(), organizationId, id);
    },
    async findNuggets(organizationId, ids) {
      return ids.flatMap((id) => owned(nuggets(), organizationId, id) ?? []);
    },
    async findNuggetsByKeys(organizationId, keys) {
      return keys.flatMap((key) => {
        const found = session.table(KEYS).get(keyOf(organizationId, key));
        return (found && owned(nuggets(), organizationId, found.id)) ?? [];
      });
    },
    async findKnowledgeExtent(organizationId) {
      const { sequence, nuggets } = session.table(EXTENTS).get(organizationId) ?? EMPTY;
      return { sequence, nuggets };
    },
    async listKnowledgeOrganizations(after, limit) {
      const ids = session
        .table(EXTENTS)
        .filter(() => true)
        .map((row) => row.organizationId);
      return ids
        .filter((id) => after === null || id > after)
        .sort()
        .slice(0, limit);
    },
    async countNuggetChanges(organizationId, after) {
      const behind = isBehind(organizationId, after);
      return nuggets().filter(behind).length + session.table(REMOVALS).filter(behind).length;
    },
    async readNuggetChanges(organizationId, after, limit) {
      const behind = isBehind(organizationId, after);
      const removals = session.table(REMOVALS).filter(behind).sort(bySequence).slice(0, limit);
      return {
        nuggets: nuggets().filter(behind).sort(bySequence).slice(0, limit),
        removed: removals.map(({ id, sequence }) => ({ id, sequence })),
      };
    },
  };
}

function createWrites(session: MemorySession): NuggetWrites {
  const nuggets = () => session.table(NUGGETS);
  const removals = () => session.table(REMOVALS);
  const put = (row: Nugget) => {
    const { organizationId, id } = row;
    nuggets().put(id, row);
    session.table(KEYS).put(keyOf(organizationId, contentKeyOf(row)), { organizationId, id });
  };
  const takeKey = (row: Nugget) =>
    session.table(KEYS).delete(keyOf(row.organizationId, contentKeyOf(row)));
  return {
    async advanceKnowledge(organizationId, advance) {
      const before = session.table(EXTENTS).get(organizationId) ?? EMPTY;
      const extent = {
        sequence: before.sequence + advance.changes,
        nuggets: before.nuggets + advance.nuggets,
      };
      session.table(EXTENTS).put(organizationId, { organizationId, ...extent });
      return extent;
    },
    async insertNuggets(rows) {
      for (const row of rows) put(row);
    },
    async replaceNuggets(rows) {
      for (const row of rows) {
        const before = owned(nuggets(), row.organizationId, row.id);
        if (!before) continue;
        takeKey(before);
        put(row);
      }
    },
    async deleteNugget(organizationId, id, removal) {
      const row = owned(nuggets(), organizationId, id);
      if (row === null) return false;
      takeKey(row);
      removals().put(id, { organizationId, id, ...removal });
      return nuggets().delete(id);
    },
    async forgetRemovedNuggets(before, limit) {
      const old = removals().filter(({ at }) => at < before);
      const forgotten = old.slice(0, limit);
      for (const { id } of forgotten) removals().delete(id);
      return forgotten.length;
    },
  };
}

function keyOf(organizationId: string, contentKey: string): string {
  return `${organizationId}\n${contentKey}`;
}

function toCondition({ category, sourceUrl }: NuggetFilter): (row: Nugget) => boolean {
  return (row) =>
    (category === undefined || row.category === category) &&
    (sourceUrl === undefined || row.sourceUrl === sourceUrl);
}

function isBehind(organizationId: string, after: number) {
  return (row: { readonly organizationId: string; readonly sequence: number }) =>
    row.organizationId === organizationId && row.sequence > after;
}

function bySequence(left: RemovedNugget, right: RemovedNugget): number {
  return left.sequence - right.sequence;
}
