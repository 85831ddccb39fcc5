import { OUTSIDE_REQUEST } from '@probity/core';
import { parseFilter } from './filters/parse.ts';
import { parsePath } from './filters/path.ts';
import type { ResourceQuery, ScimGroup, ScimUser } from './resources/types.ts';
import type { ResourceTypeDefinition } from './schemas/types.ts';
import type { ScimStorage } from './storage.ts';

/** Creation time of the fixtures. */
export const CREATED_AT = new Date('2026-01-01T00:00:00.000Z');
/** Fifteen seconds after {@link CREATED_AT}. */
export const LATER = new Date('2026-01-01T00:00:15.000Z');

let count = 0;

/** An id of the form of a UUID; later ones are greater. */
export function nextId(): string {
  count += 1;
  return `01890000-0000-7000-8000-${count.toString(16).padStart(12, '0')}`;
}

/** An active user without further attributes; `facts` override members. */
export function newUser(organizationId: string, facts: Partial<ScimUser> = {}): ScimUser {
  const id = facts.id ?? nextId();
  return {
    id,
    organizationId,
    version: 1,
    createdAt: CREATED_AT,
    lastModifiedAt: CREATED_AT,
    externalId: null,
    userName: `user-${id}@example.com`,
    active: true,
    attributes: {},
    accountId: null,
    ...facts,
  };
}

/** A group without members; `facts` override members. */
export function newGroup(organizationId: string, facts: Partial<ScimGroup> = {}): ScimGroup {
  const id = facts.id ?? nextId();
  return {
    id,
    organizationId,
    version: 1,
    createdAt: CREATED_AT,
    lastModifiedAt: CREATED_AT,
    externalId: null,
    displayName: `Group ${id}`,
    attributes: {},
    ...facts,
  };
}

/** Stores a user. */
export async function insertUser(
  storage: ScimStorage,
  organizationId: string,
  facts?: Partial<ScimUser>,
): Promise<ScimUser> {
  const user = newUser(organizationId, facts);
  await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.insertUser(user));
  return user;
}

/** Stores a group. */
export async function insertGroup(
  storage: ScimStorage,
  organizationId: string,
  facts?: Partial<ScimGroup>,
): Promise<ScimGroup> {
  const group = newGroup(organizationId, facts);
  await storage.transaction(OUTSIDE_REQUEST, (tx) => tx.insertGroup(group));
  return group;
}

/** A query of the first hundred resources, with the filter and the attribute to sort by as text. */
export function queryOf(
  type: ResourceTypeDefinition,
  {
    filter,
    sortBy,
    order = 'ascending',
    ...rest
  }: Partial<Omit<ResourceQuery, 'filter' | 'sort'>> & {
    readonly filter?: string;
    readonly sortBy?: string;
    readonly order?: 'ascending' | 'descending';
  } = {},
): ResourceQuery {
  const path = sortBy === undefined ? null : parsePath(sortBy, type);
  if (sortBy !== undefined && !path) throw new Error(`There is no attribute ${sortBy}`);
  return {
    filter: filter === undefined ? null : parseFilter(filter, type),
    sort: path && { path, order },
    start: { offset: 0 },
    limit: 100,
    ...rest,
  };
}
