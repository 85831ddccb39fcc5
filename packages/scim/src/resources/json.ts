import type { JsonObject, JsonValue } from '../schemas/types.ts';

/** Whether a value means "no value" (RFC 7643, section 2.5; "" is in the table of quirks). */
export function isUnassigned(value: JsonValue | undefined): value is '' | null | undefined {
  return value === undefined || value === null || value === '';
}

/** Whether a value is a JSON object. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a JSON array. */
export function isArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
