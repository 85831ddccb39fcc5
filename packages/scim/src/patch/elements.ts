import { scimError } from '../errors.ts';
import { foldCase } from '../filters/compare-values.ts';
import { compileFilter } from '../filters/matches.ts';
import { printPath } from '../filters/path.ts';
import type { AttributePath, Filter } from '../filters/types.ts';
import { identityOf, withoutRepetitions } from '../resources/canonical.ts';
import { isObject } from '../resources/json.ts';
import type { JsonObject, JsonValue } from '../schemas/types.ts';
import { QUIRKS } from './quirks.ts';
import type { PatchOperation } from './types.ts';

type ElementsOperation = Extract<PatchOperation, { kind: 'elements' }>;

/** Number of values that are read, times the terms of the filters that are applied to them. */
const MAX_WORK = 25_000;

/** Bounds the time of a PATCH, whose operations each read all values of an attribute. */
export interface WorkBudget {
  /** @throws ProbityError `tooMany` when the PATCH takes too long */
  spend(values: number, filter: Filter | null): void;
}

/** Creates the budget of one PATCH. */
export function createWorkBudget(limit = MAX_WORK): WorkBudget {
  let left = limit;
  return {
    spend(values, filter) {
      left -= values * (filter ? termsOf(filter) : 1);
      if (left >= 0) return;
      throw scimError('tooMany', 'The operations read too many values; send fewer in one request');
    },
  };
}

function termsOf(filter: Filter): number {
  if ('filters' in filter) return filter.filters.reduce((sum, part) => sum + termsOf(part), 0);
  return 'filter' in filter ? termsOf(filter.filter) : 1;
}

/** Adds values; one that is there already gets the sub-attributes of the new one. */
export function addValues(
  values: readonly JsonValue[],
  added: readonly JsonValue[],
): readonly JsonValue[] {
  const identities = new Set(added.map(identityOf));
  const all = withoutRepetitions([...values, ...added]);
  if (!added.some(isPrimary)) return all;
  return withOnePrimary(all, new Set(all.filter((value) => identities.has(identityOf(value)))));
}

/** Removes the values that are like the given ones. */
export function removeValues(
  values: readonly JsonValue[],
  { path, values: removed }: { path: AttributePath; values: readonly JsonValue[] },
): readonly JsonValue[] {
  const definition = path.attribute.subAttributes?.find(({ name }) => name === 'value');
  const isCaseExact = (definition ?? path.attribute).caseExact;
  const keysOf = (value: JsonValue) => likenessOf(value, isCaseExact);
  const wholes = new Set(removed.map((value) => keysOf(value).whole));
  const ids = new Set(removed.filter((value) => !hasType(value)).map((value) => keysOf(value).id));
  return values.filter((value) => {
    const { whole, id } = keysOf(value);
    return !wholes.has(whole) && !(id !== null && ids.has(id));
  });
}

/** Texts by which values are compared: `value` with `type`, or all sub-attributes; and `value` alone. */
function likenessOf(value: JsonValue, isCaseExact: boolean): { whole: string; id: string | null } {
  const fold = (text: string) => (isCaseExact ? text : foldCase(text));
  if (!isObject(value) || !Object.hasOwn(value, 'value')) {
    return { whole: fold(identityOf(value)), id: null };
  }
  return { whole: fold(identityOf(value)), id: fold(JSON.stringify(value.value)) };
}

function hasType(value: JsonValue): boolean {
  return isObject(value) && Object.hasOwn(value, 'type');
}

/**
 * Changes the elements that the operation's filter selects. When it selects none and the operation assigns something,
 * the element that the filter describes is added.
 * @throws ProbityError `noTarget` when the filter selects none and describes none
 */
export function changeElements(
  values: readonly JsonValue[],
  operation: ElementsOperation,
): readonly JsonValue[] {
  const selected = new Set(values.filter(selectorOf(operation)));
  if (operation.value === undefined) return unassign(values, selected, operation);
  if (selected.size === 0) return create(values, operation, operation.value);
  const { value } = operation;
  const changed = new Map([...selected].map((each) => [each, change(each, operation, value)]));
  const all = values.map((each) => changed.get(each) ?? each);
  return withOnePrimary(all, new Set(changed.values()));
}

/** The test whether an operation's filter selects a value. */
function selectorOf({ path, filter }: ElementsOperation): (value: JsonValue) => boolean {
  if (!filter) return () => true;
  const { extension, attribute } = path;
  const outer = { extension, attribute, subAttribute: null };
  const test = compileFilter({ kind: 'valuePath', path: outer, filter });
  return (value) => {
    const body: JsonObject = { [attribute.name]: [value] };
    return test(extension === null ? body : { [extension]: body });
  };
}

/** Without a value, `add` changes nothing; `replace` does what `remove` does. */
function unassign(
  values: readonly JsonValue[],
  selected: ReadonlySet<JsonValue>,
  { op, sub }: ElementsOperation,
): readonly JsonValue[] {
  if (sub) {
    return values.map((value) => (selected.has(value) ? without(value, sub.name) : value));
  }
  return op === 'add' ? values : values.filter((value) => !selected.has(value));
}

function without(value: JsonValue, name: string): JsonValue {
  if (!isObject(value)) return value;
  const { [name]: _, ...others } = value;
  return others;
}

function create(
  values: readonly JsonValue[],
  operation: ElementsOperation,
  value: JsonValue,
): readonly JsonValue[] {
  const described = operation.filter ? QUIRKS.valuePathCreates.read(operation.filter) : {};
  if (!described) {
    throw scimError('noTarget', `No value of ${printPath(operation.path)} matches the filter`);
  }
  const element = isSimple(operation) ? value : assigned(described, operation, value);
  return withOnePrimary([...values, element], new Set([element]));
}

function change(element: JsonValue, operation: ElementsOperation, value: JsonValue): JsonValue {
  if (isSimple(operation)) return value;
  const { op, sub, filter } = operation;
  const before = isObject(element) ? element : {};
  if (sub || op === 'add') return assigned(before, operation, value);
  const described = filter ? QUIRKS.valuePathCreates.read(filter) : null;
  return assigned(described ?? {}, operation, value);
}

function assigned(before: JsonObject, { sub }: ElementsOperation, value: JsonValue): JsonObject {
  return sub ? { ...before, [sub.name]: value } : { ...before, ...(value as JsonObject) };
}

function isSimple({ path }: ElementsOperation): boolean {
  return path.attribute.type !== 'complex';
}

/** When one of the changed values is the primary one, no other is (RFC 7644, section 3.5.2). */
function withOnePrimary(
  values: readonly JsonValue[],
  changed: ReadonlySet<JsonValue>,
): readonly JsonValue[] {
  if (![...changed].some(isPrimary)) return values;
  return values.map((value) =>
    isObject(value) && isPrimary(value) && !changed.has(value)
      ? { ...value, primary: false }
      : value,
  );
}

function isPrimary(value: JsonValue): boolean {
  return isObject(value) && value.primary === true;
}
