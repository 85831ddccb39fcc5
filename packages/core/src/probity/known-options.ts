/**
 * Refuses options that do not exist: a mistyped one would be ignored, and its default used.
 * @throws TypeError that names the option and the known ones
 */
export function requireKnownOptions(
  owner: string,
  options: object,
  known: readonly string[],
): void {
  const other = Object.keys(options).find((name) => !known.includes(name));
  if (other === undefined) return;
  throw new TypeError(`${owner}: ${other} is not an option; known are ${known.join(', ')}.`);
}
