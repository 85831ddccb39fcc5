import { isDeepStrictEqual } from 'node:util';
import type { ScimGroup, ScimUser } from './types.ts';

/** Whether clients would see two resources as the same. */
export function isSame<Resource extends ScimUser | ScimGroup>(
  left: Resource,
  right: Resource,
): boolean {
  return isDeepStrictEqual(left, right);
}
