import type { GroupMember, ScimGroup, ScimUser, UserGroup } from '../resources/types.ts';
import { GROUP, USER } from '../schemas/resource-types.ts';
import type { JsonObject, JsonValue, ResourceTypeDefinition } from '../schemas/types.ts';
import { satisfies } from './compare-values.ts';
import { comparedAttribute } from './path.ts';
import type { AttributePath, Filter } from './types.ts';

/**
 * Whether a resource matches a filter.
 *
 * A comparison matches when any value of the path satisfies it. `ne` also matches when there is no value, so that
 * it is the opposite of `eq` for single-valued attributes; all others do not match then. `eq null` and `ne null` ask
 * whether there is no value, or one (RFC 7643, section 2.5: unassigned and null are the same). A value path matches
 * when one element satisfies all of it.
 * @param body the full resource in canonical form
 */
export function matches(filter: Filter, body: JsonObject): boolean {
  return evaluate(filter, (path) => elementsOf(body, path));
}

/** The elements of an attribute below a resource or, within a value path, the one element. */
type Elements = (path: AttributePath) => readonly JsonValue[];

function evaluate(filter: Filter, elements: Elements): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.filters.every((part) => evaluate(part, elements));
    case 'or':
      return filter.filters.some((part) => evaluate(part, elements));
    case 'not':
      return !evaluate(filter.filter, elements);
    case 'present':
      return isPresent(filter.path, elements);
    case 'compare':
      return evaluateComparison(filter, elements);
    case 'valuePath':
      return elements(filter.path).some((element) => evaluate(filter.filter, () => [element]));
  }
}

function evaluateComparison(
  { path, operator, value }: Extract<Filter, { kind: 'compare' }>,
  elements: Elements,
): boolean {
  const definition = comparedAttribute(path);
  if (!definition) return false;
  const actual = valuesOf(path, elements);
  if (value === null) return (actual.length === 0) === (operator === 'eq');
  if (actual.length === 0) return operator === 'ne';
  return actual.some((one) => satisfies(definition, one, operator, value));
}

function isPresent(path: AttributePath, elements: Elements): boolean {
  if (path.subAttribute) return valuesOf(path, elements).length > 0;
  return elements(path).some(
    (element) => !isObject(element) || Object.values(element).some((value) => value !== null),
  );
}

/** The values other than null that a path compares. */
function valuesOf(path: AttributePath, elements: Elements): readonly JsonValue[] {
  const all = elements(path);
  if (path.attribute.type !== 'complex') return all;
  const name = path.subAttribute?.name ?? 'value';
  return all.map((element) => own(element, name)).filter((value) => value !== null);
}

/** The elements other than null of an attribute; a single-valued one has at most one. */
export function elementsOf(body: JsonObject, path: AttributePath): readonly JsonValue[] {
  const container = path.extension === null ? body : own(body, path.extension);
  const value = own(container, path.attribute.name);
  if (value === null) return [];
  return Array.isArray(value) ? value.filter((element) => element !== null) : [value];
}

function own(value: JsonValue, name: string): JsonValue {
  return isObject(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : null;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a stored user matches a filter. Without `groups`, as if it belonged to none. */
export function matchesUser(
  filter: Filter,
  user: ScimUser,
  groups: readonly UserGroup[] = [],
): boolean {
  return matches(filter, toComparedUser(user, groups));
}

/** Whether a stored group matches a filter. Without `members`, as if it had none. */
export function matchesGroup(
  filter: Filter,
  group: ScimGroup,
  members: readonly GroupMember[] = [],
): boolean {
  return matches(filter, toComparedGroup(group, members));
}

/** A stored user with the attributes that filters and `sortBy` compare. */
export function toComparedUser(user: ScimUser, groups: readonly UserGroup[]): JsonObject {
  const { userName, active, attributes } = user;
  return {
    ...attributes,
    ...commonOf(user, USER),
    userName,
    active,
    groups: groups.map(({ id, display, type }) => ({ value: id, display, type })),
  };
}

/** A stored group with the attributes that filters and `sortBy` compare. */
export function toComparedGroup(group: ScimGroup, members: readonly GroupMember[]): JsonObject {
  const { displayName, attributes } = group;
  return {
    ...attributes,
    ...commonOf(group, GROUP),
    displayName,
    members: members.map(({ id, display, type }) => ({ value: id, display, type })),
  };
}

function commonOf(
  resource: ScimUser | ScimGroup,
  { name, schema, extensions }: ResourceTypeDefinition,
): JsonObject {
  const { id, externalId, version, createdAt, lastModifiedAt, attributes } = resource;
  const extended = extensions.filter((extension) => Object.hasOwn(attributes, extension.schema.id));
  return {
    schemas: [schema.id, ...extended.map((extension) => extension.schema.id)],
    id,
    externalId,
    meta: {
      resourceType: name,
      created: createdAt.toISOString(),
      lastModified: lastModifiedAt.toISOString(),
      version: `W/"${version}"`,
    },
  };
}
