import { QUIRKS } from '../patch/quirks.ts';
import type { JsonValue } from '../schemas/types.ts';
import { membersOf } from './canonical.ts';
import type { Faults } from './faults.ts';
import { isArray, isObject } from './json.ts';

/**
 * The ids in a value of `members`, each once. Null and [] are none; a text, or an object without a `value`, is a fault:
 * a malformed list must never empty a group.
 */
export function readMemberIds(value: JsonValue, field: string, faults: Faults): readonly string[] {
  if (value === null) return [];
  const ids = new Set<string>();
  for (const [index, element] of QUIRKS.oneOfMany.read(value).entries()) {
    const name = isArray(value) ? `${field}[${index}]` : field;
    const id = isObject(element) ? membersOf(element, `${name}.`, faults).get('value') : undefined;
    if (typeof id === 'string' && id !== '') ids.add(id);
    else faults.add(name, 'must be an object with the id of a member as value');
  }
  return [...ids];
}
