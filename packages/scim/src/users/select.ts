import { matchesUser, toComparedUser } from '../filters/matches.ts';
import { pageInMemory } from '../resources/memory.ts';
import type { ResourcePage, ResourceQuery, ScimUser } from '../resources/types.ts';

/**
 * The page of a list, of all users of an organization: for adapters that cannot express a filter in the query language
 * of their database, and have few users.
 */
export function selectUsers(
  users: readonly ScimUser[],
  query: ResourceQuery,
): ResourcePage<ScimUser> {
  const { filter } = query;
  const matching = users.filter((user) => filter === null || matchesUser(filter, user));
  return pageInMemory(matching, query, (user) => toComparedUser(user, []));
}
