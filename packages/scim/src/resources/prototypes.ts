import { excerpt, scimError } from '../errors.ts';
import type { JsonValue } from '../schemas/types.ts';
import { isObject } from './json.ts';

/**
 * Refuses a member of an object that would change prototypes where objects are merged: `__proto__`, and `constructor`
 * with a `prototype`, also as the beginning of a path. No schema has such names, and no provider sends them.
 * @param field path of the member, for the error
 * @throws ProbityError `invalidSyntax`
 */
export function refusePrototype(name: string, value: JsonValue | undefined, field: string): void {
  if (!isPrototype(name, value)) return;
  throw scimError('invalidSyntax', `${excerpt(field)} is not an allowed member name`);
}

function isPrototype(name: string, value: JsonValue | undefined): boolean {
  if (name === 'constructor') return isObject(value) && Object.hasOwn(value, 'prototype');
  return /^(__proto__|constructor\.prototype)(\.|$)/.test(name);
}
