import type {
  AttributeDefinition,
  JsonObject,
  JsonValue,
  ResourceTypeDefinition,
} from '../schemas/types.ts';
import { foldValue } from './compare-values.ts';

/**
 * The values of a resource in the form in which SQL compares them, as JSON of the same structure: texts without case
 * are folded, booleans are the texts `true` and `false`. Elements and objects without a value are left out, and so
 * are numbers, which no attribute has.
 * @param attributes in canonical form
 */
export function toSearchable(attributes: JsonObject, type: ResourceTypeDefinition): string {
  const searchable = searchableMembers(attributes, type.schema.attributes);
  for (const { schema } of type.extensions) {
    const extension = attributes[schema.id];
    if (!isObject(extension)) continue;
    const members = searchableMembers(extension, schema.attributes);
    if (Object.keys(members).length > 0) searchable[schema.id] = members;
  }
  return JSON.stringify(searchable);
}

type Members = Record<string, JsonValue>;

function searchableMembers(
  object: JsonObject,
  definitions: readonly AttributeDefinition[],
): Members {
  const members: Members = {};
  for (const definition of definitions) {
    if (!Object.hasOwn(object, definition.name)) continue;
    const value = searchableValue(object[definition.name] ?? null, definition);
    if (value !== null) members[definition.name] = value;
  }
  return members;
}

/** Null for no value. */
function searchableValue(value: JsonValue, definition: AttributeDefinition): JsonValue {
  if (!definition.multiValued) return searchableElement(value, definition);
  if (!Array.isArray(value)) return null;
  const elements = value
    .map((element) => searchableElement(element, definition))
    .filter((element) => element !== null);
  return elements.length > 0 ? elements : null;
}

function searchableElement(value: JsonValue, definition: AttributeDefinition): JsonValue {
  if (typeof value === 'string') return foldValue(definition, value);
  if (typeof value === 'boolean') return String(value);
  if (!isObject(value)) return null;
  const members = searchableMembers(value, definition.subAttributes ?? []);
  return Object.keys(members).length > 0 ? members : null;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
