import type { MemorySession, ProbityError } from '@probity/core';
import { defineMemoryTable } from '@probity/core/internal';
import type { ResourceTypeName } from '../schemas/types.ts';

interface StoredName {
  readonly organizationId: string;
  /** The resource that has the name. */
  readonly id: string;
}

const NAMES = defineMemoryTable<StoredName>('scim_names', 'organizationId');

/** What names a resource. */
interface Named {
  readonly organizationId: string;
  readonly id: string;
  readonly name: string;
}

/**
 * The unique names of the resources of a type: the unique index of SQL.
 * @param fold the form in which names are compared
 */
export function createMemoryNames(
  session: MemorySession,
  type: ResourceTypeName,
  { fold, inUse }: { readonly fold: (name: string) => string; readonly inUse: () => ProbityError },
) {
  const names = () => session.table(NAMES);
  const keyOf = (organizationId: string, name: string) => `${type} ${organizationId} ${fold(name)}`;
  return {
    /** The id of the resource with the name; null when there is none. */
    find(organizationId: string, name: string): string | null {
      return names().get(keyOf(organizationId, name))?.id ?? null;
    },
    /** @throws ProbityError when another resource has the name */
    claim({ organizationId, id, name }: Named): void {
      const key = keyOf(organizationId, name);
      if ((names().get(key)?.id ?? id) !== id) throw inUse();
      names().put(key, { organizationId, id });
    },
    release({ organizationId, name }: Omit<Named, 'id'>): void {
      names().delete(keyOf(organizationId, name));
    },
  };
}
