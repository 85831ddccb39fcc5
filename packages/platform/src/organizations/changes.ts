import type { FieldError } from '@probity/core';
import { validationError } from '@probity/core';
import { toCanonicalNetwork } from '@probity/core/internal';
import { toTimeZone } from './time-zones.ts';
import type { OrganizationChanges } from './types.ts';

/** Maximum number of entries in an IP allowlist. */
const MAX_ALLOWLIST_LENGTH = 200;

/**
 * Converts changes to canonical form: the current zone name, networks in canonical text without
 * duplicates.
 * @throws ProbityError `validation_failed` that names every bad field
 */
export function toCanonicalChanges(changes: OrganizationChanges): OrganizationChanges {
  const errors: FieldError[] = [];
  const timezone = changes.timezone === undefined ? undefined : toTimeZone(changes.timezone);
  if (timezone === null) {
    const message = 'must be the name of an IANA time zone, such as Europe/Copenhagen';
    errors.push({ field: 'timezone', message });
  }
  const ipAllowlist = changes.ipAllowlist && toNetworks(changes.ipAllowlist, errors);
  if (errors.length > 0) throw validationError(...errors);
  return { name: changes.name, timezone: timezone ?? undefined, ipAllowlist };
}

function toNetworks(entries: readonly string[], errors: FieldError[]): readonly string[] {
  const field = 'settings.ip_allowlist';
  if (entries.length > MAX_ALLOWLIST_LENGTH) {
    errors.push({ field, message: `must have at most ${MAX_ALLOWLIST_LENGTH} entries` });
    return [];
  }
  const networks = entries.map((entry, index) => {
    try {
      return toCanonicalNetwork(entry.trim());
    } catch (error) {
      const message = /bits beyond the prefix/.test(String(error))
        ? 'must be an address, or a network without bits beyond its prefix: 192.0.2.0/24, not 192.0.2.7/24'
        : 'must be an address, or a network such as 192.0.2.0/24 or 2001:db8::/32';
      errors.push({ field: `${field}.${index}`, message });
      return '';
    }
  });
  return [...new Set(networks)];
}
