/**
 * Refuses members that do not exist: a mistyped text would not be scanned.
 * @throws TypeError that names the member and the known ones
 */
export function requireKnownMembers(owner: string, value: object, known: readonly string[]): void {
  const other = Object.keys(value).find((name) => !known.includes(name));
  if (other === undefined) return;
  throw new TypeError(`${owner}: ${other} is not an option; known are ${known.join(', ')}.`);
}

/** The members of a `ScanInput`. */
export const INPUT_MEMBERS: readonly string[] = ['prompt', 'response', 'context', 'system'];
