/** One group of a row of digits. */
export interface DigitGroup {
  readonly digits: string;
  readonly start: number;
  readonly end: number;
  /** The signs before it; empty for the first. */
  readonly separator: string;
}

/** The groups of a row of digits with one sign or more between each two; `offset` is added to their places. */
export function splitDigits(row: string, offset: number): DigitGroup[] {
  const groups: DigitGroup[] = [];
  let from = 0;
  let behind = 0;
  for (let at = 1; at <= row.length; at++) {
    if (isDigit(row, at)) continue;
    const separator = row.slice(behind, from);
    groups.push({ digits: row.slice(from, at), start: offset + from, end: offset + at, separator });
    behind = at;
    while (at < row.length && !isDigit(row, at)) at++;
    from = at;
  }
  return groups;
}

function isDigit(row: string, at: number): boolean {
  const code = row.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}
