import { CURRENT_ZONE_NAMES, FOREIGN_ZONE_NAMES } from './time-zone-names.ts';

/**
 * Looks up the canonical name of an IANA time zone, ignoring case: aliases such as `US/Eastern`
 * resolve to their zone, and renamed zones to their current name. Null for anything that is not an
 * IANA zone, UTC offsets included.
 */
export function toTimeZone(text: string): string | null {
  if (FOREIGN_ZONE_NAMES.has(text.toUpperCase()) || !/^[a-z](?!ystemV\/)/i.test(text)) return null;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions();
    return CURRENT_ZONE_NAMES[timeZone] ?? timeZone;
  } catch {
    return null;
  }
}
