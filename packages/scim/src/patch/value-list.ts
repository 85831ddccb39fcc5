import { scimError } from '../errors.ts';
import { foldCase, foldValue } from '../filters/compare-values.ts';
import { compileValueFilter } from '../filters/matches.ts';
import { printPath } from '../filters/path.ts';
import type { AttributePath } from '../filters/types.ts';
import { identityOf } from '../resources/canonical.ts';
import { isObject } from '../resources/json.ts';
import type { AttributeDefinition, JsonObject, JsonValue } from '../schemas/types.ts';
import { QUIRKS } from './quirks.ts';
import type { PatchOperation } from './types.ts';
import type { WorkBudget } from './work-budget.ts';

type ElementsOperation = Extract<PatchOperation, { kind: 'elements' }>;
type ValuesOperation = Extract<PatchOperation, { kind: `${string}Values` }>;

/**
 * The values of a multi-valued attribute while the operations of a PATCH change them, in one array: an operation costs
 * what it changes and what its filter reads, not a copy of all values.
 */
export interface ValueList {
  /** The values as they are now: the array that was given as long as none has changed. */
  current(): readonly JsonValue[];
  /**
   * Applies an operation.
   * @throws ProbityError `noTarget` for a filter that selects no value and describes none; `tooMany` of the budget
   */
  apply(operation: ValuesOperation | ElementsOperation): void;
}

/** Creates the list; the array that is given is not changed. */
export function createValueList(initial: readonly JsonValue[], budget: WorkBudget): ValueList {
  let values = initial;
  /** Where the values are, by what tells them apart; null when it is to be computed again. */
  let places: Map<string, number> | null = null;

  function toOwn(): JsonValue[] {
    if (values === initial) values = [...initial];
    return values as JsonValue[];
  }

  function become(next: readonly JsonValue[]): void {
    values = next;
    places = null;
  }

  /** Places of the values; those that repeat an earlier one are joined with it. */
  function placesOf(): Map<string, number> {
    if (places) return places;
    budget.spend(values.length, null);
    const found = new Map<string, number>();
    const distinct: JsonValue[] = [];
    for (const value of values) {
      const key = keyOf(value);
      const place = found.get(key);
      if (place === undefined) found.set(key, distinct.push(value) - 1);
      else distinct[place] = joined(distinct[place], value);
    }
    if (distinct.length < values.length) values = distinct;
    places = found;
    return found;
  }

  function put(place: number, value: JsonValue): void {
    const own = toOwn();
    const before = own[place];
    own[place] = value;
    if (!places) return;
    const key = keyOf(value);
    if (before !== undefined && keyOf(before) === key) return;
    // A value that has become like another one is joined with it by the next addition.
    if (before !== undefined || places.has(key)) places = null;
    else places.set(key, place);
  }

  /** When one of the changed values is the primary one, no other is (RFC 7644, section 3.5.2). */
  function keepOnePrimary(changed: readonly number[]): void {
    if (!changed.some((place) => isPrimary(values[place]))) return;
    const kept = new Set(changed);
    for (let place = 0; place < values.length; place += 1) {
      const value = values[place];
      if (isPrimary(value) && !kept.has(place)) put(place, { ...value, primary: false });
    }
  }

  /** One that is there already gets the sub-attributes of the new one. */
  function add(added: readonly JsonValue[]): void {
    const changed = added.map((value) => {
      const place = placesOf().get(keyOf(value));
      const at = place ?? values.length;
      put(at, place === undefined ? value : joined(values[place], value));
      return at;
    });
    keepOnePrimary(changed);
  }

  function remove(operation: ValuesOperation): void {
    budget.spend(values.length, null);
    const isLike = likenessTo(operation);
    const left = values.filter((value) => !isLike(value));
    if (left.length < values.length) become(left);
  }

  function change(operation: ElementsOperation): void {
    budget.spend(values.length, operation.filter);
    const selects = selectorOf(operation);
    const selected: number[] = [];
    for (let place = 0; place < values.length; place += 1) {
      if (selects(values[place] as JsonValue)) selected.push(place);
    }
    const { value } = operation;
    if (value === undefined) {
      unassign(selected, operation);
      return;
    }
    if (selected.length === 0) {
      selected.push(values.length);
      put(values.length, createdBy(operation, value));
    } else {
      for (const place of selected) put(place, changedBy(operation, values[place], value));
    }
    keepOnePrimary(selected);
  }

  /** Without a value, `add` changes nothing; `replace` does what `remove` does. */
  function unassign(selected: readonly number[], { op, sub }: ElementsOperation): void {
    if (sub) for (const place of selected) put(place, without(values[place], sub.name));
    if (sub || op === 'add' || selected.length === 0) return;
    const removed = new Set(selected);
    become(values.filter((_, place) => !removed.has(place)));
  }

  return {
    current: () => values,
    apply(operation) {
      switch (operation.kind) {
        case 'addValues':
          return add(operation.values);
        case 'replaceValues':
          return become(operation.values);
        case 'removeValues':
          return remove(operation);
        case 'elements':
          return change(operation);
      }
    },
  };
}

/** `identityOf` of values, which are not changed once they are in a list. */
const keys = new WeakMap<object, string>();

function keyOf(value: JsonValue): string {
  if (!isObject(value)) return identityOf(value);
  let key = keys.get(value);
  if (key === undefined) {
    key = identityOf(value);
    keys.set(value, key);
  }
  return key;
}

function joined(earlier: JsonValue | undefined, later: JsonValue): JsonValue {
  return isObject(later) && isObject(earlier) ? { ...earlier, ...later } : later;
}

/** The test whether a value is like one of those that an operation removes. */
function likenessTo({ path, values }: ValuesOperation): (value: JsonValue) => boolean {
  const definition = valueDefinition(path);
  const fold = definition.caseExact ? (text: string) => text : foldCase;
  const foldId = (text: string) => foldValue(definition, text);
  const wholes = new Set(values.map((value) => fold(keyOf(value))));
  const untyped = values.filter((value) => !hasType(value));
  const ids = new Set(untyped.map((value) => idOf(value, foldId)));
  return (value) => {
    if (wholes.has(fold(keyOf(value)))) return true;
    const id = ids.size === 0 ? null : idOf(value, foldId);
    return id !== null && ids.has(id);
  };
}

/** The definition that values are compared by: the one of their `value`, or their own. */
function valueDefinition({ attribute }: AttributePath): AttributeDefinition {
  return attribute.subAttributes?.find(({ name }) => name === 'value') ?? attribute;
}

/** The text of a value's `value`; null when it has none. */
function idOf(value: JsonValue, fold: (text: string) => string): string | null {
  if (!isObject(value) || !Object.hasOwn(value, 'value')) return null;
  const { value: id } = value;
  return JSON.stringify(typeof id === 'string' ? fold(id) : id);
}

function hasType(value: JsonValue): boolean {
  return isObject(value) && Object.hasOwn(value, 'type');
}

/** The test whether an operation's filter selects a value. */
function selectorOf({ filter }: ElementsOperation): (value: JsonValue) => boolean {
  return filter ? compileValueFilter(filter) : () => true;
}

function without(value: JsonValue | undefined, name: string): JsonValue {
  if (!isObject(value)) return value ?? null;
  const { [name]: _, ...others } = value;
  return others;
}

/** The value that an operation adds when its filter selects none. */
function createdBy(operation: ElementsOperation, value: JsonValue): JsonValue {
  const described = operation.filter ? QUIRKS.valuePathCreates.read(operation.filter) : {};
  if (!described) {
    throw scimError('noTarget', `No value of ${printPath(operation.path)} matches the filter`);
  }
  return isSimple(operation) ? value : assigned(described, operation, value);
}

/** What an operation makes of a value that its filter selects. */
function changedBy(
  operation: ElementsOperation,
  element: JsonValue | undefined,
  value: JsonValue,
): JsonValue {
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

function isPrimary(value: JsonValue | undefined): value is JsonObject {
  return isObject(value) && value.primary === true;
}
