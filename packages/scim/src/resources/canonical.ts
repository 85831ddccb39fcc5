import { QUIRKS } from '../patch/quirks.ts';
import type { AttributeDefinition, JsonObject, JsonValue } from '../schemas/types.ts';
import type { Faults } from './faults.ts';
import { isObject } from './json.ts';
import { refusePrototype } from './prototypes.ts';

/** Number of values that a multi-valued attribute may have. */
const MAX_VALUES = 1_000;

/** A resource or a part of it that is being built. */
export type MutableObject = { [name: string]: JsonValue };

/** Whether clients can assign an attribute and it is stored: it is neither read-only nor `password`. */
export function isStored({ mutability, returned }: AttributeDefinition): boolean {
  return mutability !== 'readOnly' && returned !== 'never';
}

/** Whether a complex attribute has `value`, which alone stands for the whole. */
export function hasValue({ subAttributes }: AttributeDefinition): boolean {
  return subAttributes?.some(({ name }) => name === 'value') ?? false;
}

/**
 * The members of an object by their names in small letters; a name that is given twice is a fault.
 * @param prefix path of the object with the separator that follows it, for faults; '' for a resource
 * @throws ProbityError `invalidSyntax` for a name that is that of a prototype
 */
export function membersOf(
  object: JsonObject,
  prefix: string,
  faults: Faults,
): ReadonlyMap<string, JsonValue> {
  const members = new Map<string, JsonValue>();
  for (const [name, value] of Object.entries(object)) {
    refusePrototype(name, value, prefix + name);
    const key = name.toLowerCase();
    if (members.has(key)) faults.add(prefix + name, 'is given twice');
    members.set(key, value);
  }
  return members;
}

/**
 * Brings a value into the form in which it is stored: names as defined, in the order of the definitions, booleans as
 * booleans, several values as an array without repetitions. What is unknown, read-only or unassigned is left out.
 * @param field path of the value, for faults
 * @returns undefined for no value
 */
export function toCanonical(
  value: JsonValue | undefined,
  definition: AttributeDefinition,
  field: string,
  faults: Faults,
): JsonValue | undefined {
  if (QUIRKS.emptyText.read(value)) return undefined;
  if (definition.multiValued) return toCanonicalValues(value, definition, field, faults);
  const single = hasValue(definition) ? QUIRKS.arrayOfOne.read(value) : value;
  return QUIRKS.emptyText.read(single) ? undefined : toSingle(single, definition, field, faults);
}

/**
 * Brings the members of an object into the form in which they are stored.
 * @param prefix path of the object with the separator that follows it, for faults; '' for a resource
 */
export function toCanonicalObject(
  members: ReadonlyMap<string, JsonValue>,
  definitions: readonly AttributeDefinition[],
  prefix: string,
  faults: Faults,
): MutableObject {
  const result: MutableObject = {};
  for (const definition of definitions) {
    if (!isStored(definition)) continue;
    const { name } = definition;
    const value = toCanonical(members.get(name.toLowerCase()), definition, prefix + name, faults);
    if (value !== undefined) result[name] = value;
  }
  return result;
}

/** One value of an attribute, for a multi-valued one an element; undefined for no value. */
export function toSingle(
  value: JsonValue,
  definition: AttributeDefinition,
  field: string,
  faults: Faults,
): JsonValue | undefined {
  if (definition.name === 'roles') return toRole(value, definition, field, faults);
  return toTyped(value, definition, field, faults);
}

/** A role that is sent as JSON in a text is read, in the core schema and in the service's extension. */
function toRole(
  value: JsonValue,
  definition: AttributeDefinition,
  field: string,
  faults: Faults,
): JsonValue | undefined {
  const typed = toTyped(value, definition, field, faults);
  const name = isObject(typed) ? typed.value : typed;
  const role = typeof name === 'string' ? QUIRKS.roleAsJson.read(name) : undefined;
  if (role === undefined) return typed;
  if (role !== null) return isObject(typed) ? { ...role, ...typed, value: role.value } : role.value;
  const path = isObject(typed) ? `${field}.value` : field;
  faults.add(path, 'must be the name of a role, or a JSON object whose member "value" is one');
  return undefined;
}

function toTyped(
  value: JsonValue,
  definition: AttributeDefinition,
  field: string,
  faults: Faults,
): JsonValue | undefined {
  if (definition.type === 'complex') return toComplex(value, definition, field, faults);
  const read = definition.type === 'boolean' ? QUIRKS.booleansAsText.read(value) : value;
  const expected = EXPECTED[definition.type];
  if (typeof read === expected.type) return read;
  faults.add(field, `must be ${expected.text}`);
  return undefined;
}

const TEXT = { type: 'string', text: 'a text' } as const;
const NUMBER = { type: 'number', text: 'a number' } as const;

/** JSON types; the form of times, references and binaries is not checked (contract, section 4). */
const EXPECTED = {
  string: TEXT,
  reference: TEXT,
  binary: TEXT,
  dateTime: TEXT,
  boolean: { type: 'boolean', text: 'true or false' },
  decimal: NUMBER,
  integer: NUMBER,
} as const;

function toComplex(
  value: JsonValue,
  definition: AttributeDefinition,
  field: string,
  faults: Faults,
): JsonObject | undefined {
  const object = hasValue(definition) ? QUIRKS.bareValue.read(value) : value;
  if (!isObject(object)) {
    faults.add(field, 'must be an object');
    return undefined;
  }
  const prefix = `${field}.`;
  const members = membersOf(object, prefix, faults);
  const result = toCanonicalObject(members, definition.subAttributes ?? [], prefix, faults);
  return Object.keys(result).length === 0 ? undefined : result;
}

function toCanonicalValues(
  value: JsonValue,
  definition: AttributeDefinition,
  field: string,
  faults: Faults,
): readonly JsonValue[] | undefined {
  const elements = QUIRKS.oneOfMany.read(value);
  if (!isFewValues(elements, field, faults)) return undefined;
  const values = elements
    .map((element, index) => toElement(element, definition, `${field}[${index}]`, faults))
    .filter((element) => element !== undefined);
  checkPrimary(values, field, faults);
  return QUIRKS.emptyList.read(withoutRepetitions(values));
}

/** Whether there are no more values than an attribute may have; more are a fault. */
export function isFewValues(values: readonly JsonValue[], field: string, faults: Faults): boolean {
  if (values.length <= MAX_VALUES) return true;
  faults.add(field, `must have at most ${MAX_VALUES} values`);
  return false;
}

function toElement(
  element: JsonValue,
  definition: AttributeDefinition,
  field: string,
  faults: Faults,
): JsonValue | undefined {
  if (QUIRKS.emptyText.read(element)) return undefined;
  const value = toSingle(element, definition, field, faults);
  if (!isObject(value)) return value;
  if (isShell(value)) return undefined;
  for (const { name, required } of definition.subAttributes ?? []) {
    if (required && !Object.hasOwn(value, name)) faults.add(`${field}.${name}`, 'is missing');
  }
  return value;
}

/** Whether an element says only of what type it is and whether it is the primary one, but has no value. */
function isShell(element: JsonObject): boolean {
  return Object.keys(element).every((name) => name === 'type' || name === 'primary');
}

/** At most one value is the primary one (RFC 7643, section 2.4). */
function checkPrimary(values: readonly JsonValue[], field: string, faults: Faults): void {
  const primary = values.filter((value) => isObject(value) && value.primary === true);
  if (primary.length > 1) faults.add(field, 'must have at most one primary value');
}

/**
 * Leaves out values that repeat an earlier one; of two with the same `value` and `type` the later one's other
 * sub-attributes count (RFC 7643, section 2.4: no combination of value and type is returned twice).
 */
function withoutRepetitions(values: readonly JsonValue[]): readonly JsonValue[] {
  const distinct = new Map<string, JsonValue>();
  for (const value of values) {
    const key = identityOf(value);
    const earlier = distinct.get(key);
    distinct.set(key, isObject(value) && isObject(earlier) ? { ...earlier, ...value } : value);
  }
  return [...distinct.values()];
}

/** A text by which values are told apart: `value` and `type`, or all sub-attributes when there is no `value`. */
export function identityOf(value: JsonValue): string {
  if (!isObject(value)) return JSON.stringify(value);
  if (Object.hasOwn(value, 'value')) return JSON.stringify([value.value, value.type ?? null]);
  return JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
