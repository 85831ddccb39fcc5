import { scimError } from '../errors.ts';
import type { AttributePath } from '../filters/types.ts';
import type { MutableObject } from '../resources/canonical.ts';
import type { Faults } from '../resources/faults.ts';
import { createFaults } from '../resources/faults.ts';
import type { GroupAttributes, UserAttributes } from '../resources/input.ts';
import { toGroupAttributes, toResource, toUserAttributes } from '../resources/input.ts';
import { isArray, isObject } from '../resources/json.ts';
import type { UserNames } from '../resources/user-name.ts';
import { GROUP, USER } from '../schemas/resource-types.ts';
import type { JsonObject, JsonValue, ResourceTypeDefinition } from '../schemas/types.ts';
import type { MemberChange, PatchOperation } from './types.ts';
import type { ValueList } from './value-list.ts';
import { createValueList } from './value-list.ts';
import { createWorkBudget } from './work-budget.ts';

/**
 * The attributes of a user after all operations, in their order; the user itself is not changed.
 * @throws ProbityError `noTarget` for a value path that matches nothing and does not describe one element;
 *   `mutability` when a required attribute is left unassigned; `invalidValue` as `toUserInput`
 */
export function applyUserPatch(
  user: UserAttributes,
  operations: readonly PatchOperation[],
  userNames: UserNames = 'email',
): UserAttributes {
  const { userName, externalId, active, attributes } = user;
  const before = { ...attributes, userName, ...(externalId === null ? {} : { externalId }) };
  const { active: activeAfter, ...after } = applyAll({ ...before, active }, operations);
  const faults = createFaults('User');
  const { resource, isAssigned } = settle(before, after, USER, faults);
  const result = toUserAttributes(resource, faults, { isAssigned, userNames });
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
  const runs: MemberChange[][] = [];
  for (const operation of operations) {
    if (operation.kind !== 'members') continue;
    const { change } = operation;
    const last = runs.at(-1);
    if (last && JOINED.has(change.kind) && last[0]?.kind === change.kind) last.push(change);
    else runs.push([change]);
  }
  return { attributes, members: runs.map(join) };
}

/** Changes that are one when they follow each other. */
const JOINED: ReadonlySet<MemberChange['kind']> = new Set(['add', 'remove', 'removeMatching']);

/** The ids of a run, each once; or any of its filters, so that the members are read once. */
function join(run: readonly MemberChange[]): MemberChange {
  const [first = { kind: 'clear' }] = run;
  if (first.kind === 'clear') return first;
  if (first.kind !== 'removeMatching') {
    const ids = run.flatMap((change) => ('ids' in change ? change.ids : []));
    return { kind: first.kind, ids: [...new Set(ids)] };
  }
  const filters = run.flatMap((change) => ('filter' in change ? [change.filter] : []));
  return filters.length === 1 ? first : { kind: 'removeMatching', filter: { kind: 'or', filters } };
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

function applyAll(before: MutableObject, operations: readonly PatchOperation[]): MutableObject {
  const resource = { ...before };
  const listOf = createLists();
  for (const operation of operations) apply(resource, operation, listOf);
  return resource;
}

/** The list of an attribute's values. */
type ListOf = (resource: MutableObject, path: AttributePath) => ValueList;

/** The lists of one PATCH: an attribute that several operations change has one, so that not each of them copies it. */
function createLists(): ListOf {
  const budget = createWorkBudget();
  const lists = new Map<string, ValueList>();
  return (resource, path) => {
    const key = `${path.extension}:${path.attribute.name}`;
    const values = valuesOf(resource, path);
    const known = lists.get(key);
    if (known?.current() === values) return known;
    const list = createValueList(values, budget);
    lists.set(key, list);
    return list;
  };
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

function apply(resource: MutableObject, operation: PatchOperation, listOf: ListOf): void {
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
      const list = listOf(resource, path);
      list.apply(operation);
      assignWhole(resource, path, list.current());
    }
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
