import { byCreation } from '@probity/core/internal';
import type { JsonObject } from '../schemas/types.ts';
import { compareBy } from './sort.ts';
import type { ResourcePage, ResourceQuery, ScimGroup, ScimUser } from './types.ts';

/**
 * Pages of resources that match a query's filter.
 * @param bodyOf the attributes that sort a resource
 */
export function pageInMemory<Resource extends ScimUser | ScimGroup>(
  matching: readonly Resource[],
  { sort, start, limit }: ResourceQuery,
  bodyOf: (resource: Resource) => JsonObject,
): ResourcePage<Resource> {
  const created = [...matching].sort(byCreation);
  const ordered = sort ? sortBodies(created, compareBy(sort.path, sort.order), bodyOf) : created;
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
