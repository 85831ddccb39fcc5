import type { Kept } from '../json/shape.ts';

/** ISO 8601; a time without a zone is taken for UTC, so that every machine reads the same. */
const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?)?$/i;

/** The time as ISO 8601 in UTC with milliseconds; null when the value is none. */
export function toTime(value: Kept | undefined): string | null {
  if (typeof value === 'number') return toIso(value);
  if (typeof value !== 'string') return null;
  const [, date, time = '00:00', zone = 'Z'] = ISO.exec(value) ?? [];
  if (date === undefined) return null;
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  return toIso(Date.parse(`${date}T${time.replace(/(\.\d{3})\d+$/, '$1')}${offset}`));
}

function toIso(milliseconds: number): string | null {
  const date = new Date(milliseconds);
  const year = date.getUTCFullYear();
  return year >= 1970 && year <= 9999 ? date.toISOString() : null;
}
