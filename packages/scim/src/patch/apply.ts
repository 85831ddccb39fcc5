import { scimError } from '../errors.ts';
import type { AttributePath } from '../filters/types.ts';
import type { MutableObject } from '../resources/canonical.ts';
import type { Faults } from '../resources/faults.ts';
import { createFaults } from '../resources/faults.ts';
import type { GroupAttributes, UserAttributes } from '../resources/input.ts';
import { toGroupAttributes, toResource, toUserAttributes } from '../resources/input.ts';
import { isArray, isObject } from '../resources/json.ts';
import { GROUP, USER } from '../schemas/resource-types.ts';
import type { JsonObject, JsonValue, ResourceTypeDefinition } from '../schemas/types.ts';
import type { WorkBudget } from './elements.ts';
import { addValues, changeElements, createWorkBudget, removeValues } from './elements.ts';
import type { MemberChange, PatchOperation } from './types.ts';

/**
 * The attributes of a user after all operations, in their order; the user itself is not changed.
 * @throws ProbityError `noTarget` for a value path that matches nothing and does not describe one element;
 *   `mutability` when a required attribute is left unassigned; `invalidValue` as `toUserInput`
 */
export function applyUserPatch(
  user: UserAttributes,
  operations: readonly PatchOperation[],
): UserAttributes {
  const { userName, externalId, active, attributes } = user;
  const before = { ...attributes, userName, ...(externalId === null ? {} : { externalId }) };
  const { active: activeAfter, ...after } = applyAll({ ...before, active }, operations);
  const faults = createFaults('User');
  const { resource, isAssigned } = settle(before, after, USER, faults);
  const result = toUserAttributes(resource, faults, isAssigned);
  faults.check();
  return { ...result, active: activeAfter === true };
}

/** What a PATCH of a group changes. */
export interface GroupPatchPlan {
  /** Operations on attributes other than `members`, for {@link applyGroupPatch}. */
  readonly attributes: readonly PatchOperation[];
  /** Changes of the members, in their order; consecutive ones of a kind are joined. */
  readonly members: readonly MemberChange[];
}

/** Divides the operations on a group: members are changed in the storage, without reading the others. */
export function planGroupPatch(operations: readonly PatchOperation[]): GroupPatchPlan {
  const attributes = operations.filter(({ kind }) => kind !== 'members');
  const members: MemberChange[] = [];
  for (const operation of operations) {
    if (operation.kind !== 'members') continue;
    const { change } = operation;
    const last = members.at(-1);
    if (last && 'ids' in last && last.kind !== 'replace' && last.kind === change.kind) {
      members[members.length - 1] = { ...last, ids: [...last.ids, ...change.ids] };
    } else members.push(change);
  }
  return { attributes, members: members.map(withoutRepeatedIds) };
}

/**
 * The attributes of a group after the operations of a plan; the group itself is not changed.
 * @throws ProbityError as {@link applyUserPatch}
 */
export function applyGroupPatch(
  group: GroupAttributes,
  operations: readonly PatchOperation[],
): GroupAttributes {
  const { displayName, externalId, attributes } = group;
  const before = { ...attributes, displayName, ...(externalId === null ? {} : { externalId }) };
  const after = applyAll(before, operations);
  const faults = createFaults('Group');
  const { resource, isAssigned } = settle(before, after, GROUP, faults);
  const result = toGroupAttributes(resource, faults, isAssigned);
  faults.check();
  return result;
}

function withoutRepeatedIds(change: MemberChange): MemberChange {
  return 'ids' in change ? { ...change, ids: [...new Set(change.ids)] } : change;
}

function applyAll(before: MutableObject, operations: readonly PatchOperation[]): MutableObject {
  const resource = { ...before };
  const budget = createWorkBudget();
  for (const operation of operations) apply(resource, operation, budget);
  return resource;
}

/**
 * Brings the attributes that were changed into canonical form, without elements that have lost their value. The others
 * stay as they are: a user whom a host stored without what SCIM requires can still be suspended.
 * @throws ProbityError `mutability` when a required attribute has lost its value
 */
function settle(
  before: JsonObject,
  after: JsonObject,
  resourceType: ResourceTypeDefinition,
  faults: Faults,
) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const assigned = new Set(names.filter((name) => before[name] !== after[name]));
  const isAssigned = (name: string) => assigned.has(name);
  const entries = Object.entries(after);
  const members = entries
    .filter(([name]) => isAssigned(name))
    .map(([name, value]) => [name.toLowerCase(), value] as const);
  const resource: MutableObject = {
    ...Object.fromEntries(entries.filter(([name]) => !isAssigned(name))),
    ...toResource(new Map(members), resourceType, faults),
  };
  for (const { name, required } of resourceType.schema.attributes) {
    if (required && isAssigned(name) && !Object.hasOwn(resource, name)) {
      throw scimError('mutability', `${name} is required: it cannot be left without a value`);
    }
  }
  return { resource, isAssigned };
}

function apply(resource: MutableObject, operation: PatchOperation, budget: WorkBudget): void {
  switch (operation.kind) {
    case 'set':
      assign(resource, operation.path, operation.value);
      return;
    case 'removeExtension':
      delete resource[operation.extension];
      return;
    case 'members':
      return;
    default: {
      const { path } = operation;
      const values = valuesOf(resource, path);
      budget.spend(values.length, operation.kind === 'elements' ? operation.filter : null);
      assignWhole(resource, path, changeValues(values, operation));
    }
  }
}

function changeValues(
  values: readonly JsonValue[],
  operation: Extract<PatchOperation, { kind: `${string}Values` | 'elements' }>,
): readonly JsonValue[] {
  switch (operation.kind) {
    case 'addValues':
      return addValues(values, operation.values);
    case 'replaceValues':
      return operation.values;
    case 'removeValues':
      return removeValues(values, operation);
    case 'elements':
      return changeElements(values, operation);
  }
}

function valuesOf(resource: MutableObject, { extension, attribute }: AttributePath) {
  const container = extension === null ? resource : resource[extension];
  const value = isObject(container) ? container[attribute.name] : undefined;
  return isArray(value) ? value : [];
}

/** Assigns a single-valued attribute, or a sub-attribute of one. */
function assign(resource: MutableObject, path: AttributePath, value: JsonValue | undefined): void {
  const { extension, attribute, subAttribute } = path;
  if (!subAttribute) {
    assignWhole(resource, path, value);
    return;
  }
  const container = extension === null ? resource : resource[extension];
  const whole = isObject(container) ? container[attribute.name] : undefined;
  if (value === undefined && !isObject(whole)) return;
  const { [subAttribute.name]: _, ...others } = isObject(whole) ? whole : {};
  assignWhole(resource, path, {
    ...others,
    ...(value === undefined ? {} : { [subAttribute.name]: value }),
  });
}

/** Assigns an attribute; nothing, an empty array and an empty object unassign it. */
function assignWhole(
  resource: MutableObject,
  { extension, attribute }: AttributePath,
  value: JsonValue | undefined,
): void {
  const container = extension === null ? resource : { ...(resource[extension] as object) };
  const target = container as MutableObject;
  const isEmpty =
    value === undefined || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
  if (isEmpty) delete target[attribute.name];
  else target[attribute.name] = value;
  if (extension !== null) resource[extension] = target;
}
