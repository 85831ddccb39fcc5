import type { GroupMember, ScimGroup, ScimUser, UserGroup } from '../resources/types.ts';
import { GROUP, USER } from '../schemas/resource-types.ts';
import type { JsonObject, JsonValue, ResourceTypeDefinition } from '../schemas/types.ts';
import { comparisonWith } from './compare-values.ts';
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
  return compileFilter(filter)(body);
}

/** `matches` as a test of many resources: what depends on the filter alone is computed once. */
export function compileFilter(filter: Filter): (body: JsonObject) => boolean {
  const test = compile(filter);
  return (body) => test((path) => elementsOf(body, path));
}

/** The test whether a value of a multi-valued attribute satisfies the filter of a value path. */
export function compileValueFilter(filter: Filter): (value: JsonValue) => boolean {
  const test = compile(filter);
  const one: JsonValue[] = [null];
  const elements = () => one;
  return (value) => {
    one[0] = value;
    return test(elements);
  };
}

/** The elements of an attribute of a resource or, within a value path, the one element. */
type Elements = (path: AttributePath) => readonly JsonValue[];

function compile(filter: Filter): (elements: Elements) => boolean {
  switch (filter.kind) {
    case 'and': {
      const parts = filter.filters.map(compile);
      return (elements) => parts.every((part) => part(elements));
    }
    case 'or': {
      const parts = filter.filters.map(compile);
      return (elements) => parts.some((part) => part(elements));
    }
    case 'not': {
      const part = compile(filter.filter);
      return (elements) => !part(elements);
    }
    case 'present':
      return (elements) => isPresent(filter.path, elements);
    case 'compare':
      return compileComparison(filter);
    case 'valuePath': {
      const part = compile(filter.filter);
      return (elements) => elements(filter.path).some((element) => part(() => [element]));
    }
  }
}

function compileComparison({
  path,
  operator,
  value,
}: Extract<Filter, { kind: 'compare' }>): (elements: Elements) => boolean {
  const definition = comparedAttribute(path);
  if (!definition) return () => false;
  if (value === null) {
    return (elements) => hasValue(path, elements(path)) === (operator === 'ne');
  }
  const test = comparisonWith(definition, operator, value);
  return (elements) => {
    const all = elements(path);
    return someValue(path, all, test) || (operator === 'ne' && !hasValue(path, all));
  };
}

function isPresent(path: AttributePath, elements: Elements): boolean {
  if (path.subAttribute || path.attribute.type !== 'complex') {
    return hasValue(path, elements(path));
  }
  return elements(path).some(
    (element) => isObject(element) && Object.values(element).some((value) => value !== null),
  );
}

function hasValue(path: AttributePath, elements: readonly JsonValue[]): boolean {
  return someValue(path, elements, () => true);
}

/** Whether one of the values other than null that a path compares passes a test. */
function someValue(
  { attribute, subAttribute }: AttributePath,
  elements: readonly JsonValue[],
  test: (value: JsonValue) => boolean,
): boolean {
  const name = subAttribute?.name ?? 'value';
  const isComplex = attribute.type === 'complex';
  for (const element of elements) {
    const value = isComplex ? own(element, name) : element;
    if (value !== null && test(value)) return true;
  }
  return false;
}

/** The elements of an attribute; a single-valued one has at most one. */
export function elementsOf(body: JsonObject, path: AttributePath): readonly JsonValue[] {
  const container = path.extension === null ? body : own(body, path.extension);
  const value = own(container, path.attribute.name);
  if (value === null) return [];
  return Array.isArray(value) ? value : [value];
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
