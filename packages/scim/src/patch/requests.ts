import { scimError } from '../errors.ts';
import type { PatchPath } from '../filters/patch-path.ts';
import { findAttribute, parsePath, printPath } from '../filters/path.ts';
import type { AttributePath, Filter } from '../filters/types.ts';
import {
  hasValue,
  isFewValues,
  isStored,
  membersOf,
  toCanonical,
  toSingle,
} from '../resources/canonical.ts';
import type { Faults } from '../resources/faults.ts';
import { isArray, isObject } from '../resources/json.ts';
import type { JsonObject, JsonValue, ResourceTypeDefinition } from '../schemas/types.ts';
import { toMemberOperations } from './members.ts';
import { QUIRKS } from './quirks.ts';
import type { PatchOperation, PatchOperationName } from './types.ts';

/** An operation whose target is known, with its value as it was sent. */
export interface Request {
  readonly op: PatchOperationName;
  /** Path of the operation in the body, for faults. */
  readonly field: string;
  readonly target: PatchPath;
  /** Undefined when the operation has none. */
  readonly value: JsonValue | undefined;
  /** False when the attribute was among the members of a value without path. */
  readonly isNamedByPath: boolean;
}

/** A request on an attribute. */
export interface AttributeRequest extends Request {
  readonly target: PatchPath & { readonly path: AttributePath };
}

/** Checks the value of a request and divides it into operations, each on one attribute or sub-attribute. */
export function toOperations(
  request: Request,
  resourceType: ResourceTypeDefinition,
  faults: Faults,
): readonly PatchOperation[] {
  if ('attribute' in request.target.path) {
    return onAttribute(request as AttributeRequest, resourceType, faults);
  }
  return onExtension(request, request.target.path.extension, resourceType, faults);
}

/** The path of a request's attribute in faults. */
function nameOf({ field, target }: AttributeRequest): string {
  return `${printPath(target.path)} (${field})`;
}

function onExtension(
  request: Request,
  extension: string,
  resourceType: ResourceTypeDefinition,
  faults: Faults,
): readonly PatchOperation[] {
  const { op, value, field } = request;
  if (op === 'remove') return [{ kind: 'removeExtension', extension }];
  if (QUIRKS.emptyText.read(value))
    return op === 'add' ? [] : [{ kind: 'removeExtension', extension }];
  if (!isObject(value)) {
    faults.add(`${extension} (${field})`, 'must be an object');
    return [];
  }
  return [...membersOf(value, `${extension}:`, faults)].flatMap(([name, part]) => {
    const path = parsePath(`${extension}:${name}`, resourceType);
    if (!path) return [];
    const target = { path, valueFilter: null, sub: path.subAttribute };
    const inner = { ...request, target, value: part, isNamedByPath: false };
    return onAttribute(inner, resourceType, faults);
  });
}

function onAttribute(
  request: AttributeRequest,
  resourceType: ResourceTypeDefinition,
  faults: Faults,
): readonly PatchOperation[] {
  const { path, valueFilter, sub } = request.target;
  const { attribute } = path;
  if (!isAssignable(request)) return [];
  if (!isStored(sub ?? attribute) || attribute.name === 'schemas') return [];
  if (resourceType.name === 'Group' && attribute.name === 'members') {
    return toMemberOperations(request, faults);
  }
  if (resourceType.name === 'User' && path.extension === null && attribute.name === 'active') {
    return toActivation(request, faults);
  }
  if (!attribute.multiValued) return toSettings(request, resourceType, faults);
  return valueFilter || sub ? toElementChange(request, faults) : toValues(request, faults);
}

/**
 * False when the request is to be ignored.
 * @throws ProbityError `mutability` when its path names a read-only attribute
 */
function isAssignable({ op, target, isNamedByPath }: AttributeRequest): boolean {
  const { attribute } = target.path;
  const isRemovalOfSchemas = attribute.name === 'schemas' && op === 'remove';
  const isReadOnly =
    attribute.mutability === 'readOnly' ||
    target.sub?.mutability === 'readOnly' ||
    isRemovalOfSchemas;
  const decision = QUIRKS.readOnlyAmongValues.read(isReadOnly, isNamedByPath);
  if (decision !== 'refuse') return decision === 'apply';
  throw scimError('mutability', `${printPath(target.path)} is read-only`);
}

/** `active` is true or false, and has no unassigned state: a mistaken value must not give access back. */
function toActivation(request: AttributeRequest, faults: Faults): readonly PatchOperation[] {
  const { op, value, target } = request;
  if (op === 'remove' || value === undefined) {
    throw scimError('mutability', 'active cannot be removed; it is replaced by false');
  }
  const read = QUIRKS.booleansAsText.read(QUIRKS.activeInArray.read(value));
  if (typeof read === 'boolean') return [{ kind: 'set', path: target.path, value: read }];
  faults.add(nameOf(request), 'must be true or false');
  return [];
}

/** Operations on a single-valued attribute; those on a complex one are divided by its sub-attributes. */
function toSettings(
  request: AttributeRequest,
  resourceType: ResourceTypeDefinition,
  faults: Faults,
): readonly PatchOperation[] {
  const { op, target, value } = request;
  const { path, sub } = target;
  if (op === 'remove') return [{ kind: 'set', path, value: undefined }];
  if (sub || path.attribute.type !== 'complex') {
    const read = toCanonical(value, sub ?? path.attribute, nameOf(request), faults);
    return [{ kind: 'set', path, value: read }];
  }
  const isWhole = hasValue(path.attribute);
  const whole =
    isWhole && value !== undefined ? QUIRKS.bareValue.read(QUIRKS.arrayOfOne.read(value)) : value;
  if (QUIRKS.emptyText.read(whole)) return [{ kind: 'set', path, value: undefined }];
  if (!isObject(whole)) {
    faults.add(nameOf(request), 'must be an object');
    return [];
  }
  const members = membersOf(whole, `${printPath(path)}.`, faults);
  return isWhole && members.has('value')
    ? [toReplacement(request, whole, QUIRKS.emptyText.read(members.get('value')), faults)]
    : toParts(request, members, resourceType, faults);
}

/** A complex attribute whose `value` changes is another one: sub-attributes of the former are not kept. */
function toReplacement(
  request: AttributeRequest,
  whole: JsonObject,
  isUnassignment: boolean,
  faults: Faults,
): PatchOperation {
  const { path } = request.target;
  const value = isUnassignment
    ? undefined
    : toCanonical(whole, path.attribute, nameOf(request), faults);
  return { kind: 'set', path, value };
}

/** Sub-attributes that are not named keep their values (RFC 7644, section 3.5.2.3). */
function toParts(
  request: AttributeRequest,
  members: ReadonlyMap<string, JsonValue>,
  resourceType: ResourceTypeDefinition,
  faults: Faults,
): readonly PatchOperation[] {
  const { path } = request.target;
  return [...members].flatMap(([name, value]) => {
    const sub = findAttribute(path.attribute.subAttributes ?? [], name);
    if (!sub) return [];
    const target = { path: { ...path, subAttribute: sub }, valueFilter: null, sub };
    return onAttribute({ ...request, target, value, isNamedByPath: false }, resourceType, faults);
  });
}

/** Operations on a multi-valued attribute as a whole. */
function toValues(request: AttributeRequest, faults: Faults): readonly PatchOperation[] {
  const { op, target, value } = request;
  const { path } = target;
  if (op === 'remove') {
    const isAll = QUIRKS.removalByValue.read(value) === 'all' || QUIRKS.emptyText.read(value);
    if (isAll) return [{ kind: 'replaceValues', path, values: [] }];
    const listed = QUIRKS.oneOfMany.read(value ?? null);
    if (!isFewValues(listed, nameOf(request), faults)) return [];
    const values = listed
      .map((element) => toSingle(element, path.attribute, nameOf(request), faults))
      .filter((element) => element !== undefined);
    return [{ kind: 'removeValues', path, values }];
  }
  const read = toCanonical(value, path.attribute, nameOf(request), faults);
  const values = isArray(read) ? read : [];
  return [{ kind: op === 'add' ? 'addValues' : 'replaceValues', path, values }];
}

/** Operations on elements of a multi-valued attribute, or on a sub-attribute of them. */
function toElementChange(request: AttributeRequest, faults: Faults): readonly PatchOperation[] {
  const { op, target, value } = request;
  const { path, sub } = target;
  const filter =
    path.attribute.name === 'roles' ? withRoles(target.valueFilter) : target.valueFilter;
  const change = { kind: 'elements', op, path, filter, sub } as const;
  if (op === 'remove' || QUIRKS.emptyText.read(value)) return [{ ...change, value: undefined }];
  const single = sub ? value : QUIRKS.arrayOfOne.read(value);
  const read = toSingle(single, sub ?? path.attribute, nameOf(request), faults);
  return [{ ...change, value: read }];
}

/** A filter that compares with roles, each by its name where it is sent as JSON in a text. */
function withRoles<Given extends Filter | null>(filter: Given): Given | Filter {
  if (filter === null) return filter;
  if (filter.kind === 'and' || filter.kind === 'or') {
    return { ...filter, filters: filter.filters.map(withRoles) };
  }
  if (filter.kind === 'not') return { ...filter, filter: withRoles(filter.filter) };
  if (filter.kind !== 'compare' || typeof filter.value !== 'string') return filter;
  return { ...filter, value: QUIRKS.roleAsJson.read(filter.value)?.value ?? filter.value };
}
