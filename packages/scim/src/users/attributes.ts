import type { ScimUser } from '../resources/types.ts';

/** The display name of a user; null when it has none. */
export function displayNameOf({ attributes }: ScimUser): string | null {
  const { displayName } = attributes;
  return typeof displayName === 'string' ? displayName : null;
}

/** The values of a user's `emails`. */
export function emailsOf({ attributes }: ScimUser): string[] {
  const { emails } = attributes;
  if (!Array.isArray(emails)) return [];
  return emails.map((email) => email?.value).filter((value) => typeof value === 'string');
}
