import { CURRENT_ZONE_NAMES, FOREIGN_ZONE_NAMES } from './time-zone-names.ts';

/**
 * The canonical name of an IANA time zone, found without regard to case: aliases such as
 * `US/Eastern` become the zone they stand for, and zones that were renamed get their present name.
 * Null for everything that is no IANA zone, UTC offsets included.
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
