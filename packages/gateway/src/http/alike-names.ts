/** Names that every parser tells apart from all others of this form. */
const PLAIN = /^[a-z0-9_.-]*$/;

/**
 * A name in the form in which lenient parsers compare names of members: those of Go and .NET take no account of letter
 * case.
 */
export function foldedName(name: string): string {
  return PLAIN.test(name) ? name : name.normalize('NFKC').toLowerCase();
}

/** A member whose name lenient parsers take for that of another one; undefined without one. */
export function findAlikeName(members: object): string | undefined {
  const names = Object.keys(members);
  if (names.every((name) => PLAIN.test(name))) return undefined;
  const seen = new Set<string>();
  return names.find((name) => {
    const folded = foldedName(name);
    if (seen.has(folded)) return true;
    seen.add(folded);
    return false;
  });
}
