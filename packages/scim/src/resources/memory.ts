import { byCreation } from '@probity/core/internal';
import type { Filter } from '../filters/types.ts';
import type { JsonObject } from '../schemas/types.ts';
import { compareBy } from './sort.ts';
import type { ResourcePage, ResourceQuery, ScimGroup, ScimUser } from './types.ts';

/** How resources are compared. */
interface Comparison<Resource> {
  matches(filter: Filter, resource: Resource): boolean;
  /** The attributes that sort a resource. */
  bodyOf(resource: Resource): JsonObject;
}

/** Lists resources in memory. */
export function listInMemory<Resource extends ScimUser | ScimGroup>(
  resources: readonly Resource[],
  { filter, sort, start, limit }: ResourceQuery,
  { matches, bodyOf }: Comparison<Resource>,
): ResourcePage<Resource> {
  const matching = resources.filter((resource) => filter === null || matches(filter, resource));
  matching.sort(byCreation);
  const ordered = sort ? sortBodies(matching, compareBy(sort.path, sort.order), bodyOf) : matching;
  const after = 'after' in start ? start.after : null;
  const rest = after
    ? ordered.filter((resource) => byCreation(resource, after) > 0)
    : ordered.slice('offset' in start ? start.offset : 0);
  return { items: rest.slice(0, limit), total: matching.length };
}

function sortBodies<Resource>(
  resources: readonly Resource[],
  compare: (left: JsonObject, right: JsonObject) => number,
  bodyOf: (resource: Resource) => JsonObject,
): Resource[] {
  const entries = resources.map((resource) => ({ resource, body: bodyOf(resource) }));
  return entries
    .sort((left, right) => compare(left.body, right.body))
    .map(({ resource }) => resource);
}
