/** One group of a row of digits. */
export interface DigitGroup {
  readonly digits: string;
  readonly start: number;
  readonly end: number;
  /** The sign before it; empty for the first. */
  readonly separator: string;
}

/** The groups of a row of digits with one sign between each two; `offset` is added to their places. */
export function splitDigits(row: string, offset: number): DigitGroup[] {
  const groups: DigitGroup[] = [];
  let from = 0;
  for (let at = 1; at <= row.length; at++) {
    const code = row.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) continue;
    const separator = from === 0 ? '' : row.charAt(from - 1);
    groups.push({ digits: row.slice(from, at), start: offset + from, end: offset + at, separator });
    from = at + 1;
  }
  return groups;
}
