/** An identifier with its prefix, such as `scn_06h09mtrydwms814f6gm6vjze4`. */
const ID = /^([a-z]{2,}_)[0-9a-z]{20,}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const ANY = '…';

/**
 * Compares an answer with the one that a document shows: members, types and values must be equal.
 * Identifiers need the same prefix only, and times the same form. `"…"` stands for any value, at
 * the end of a text for the rest, as the last element for further elements, and as the name of a
 * member for further members.
 *
 * @returns the paths at which they differ, with both values
 */
export function differences(expected: unknown, actual: unknown, path = '$'): string[] {
  if (expected === ANY) return [];
  if (typeof expected === 'string' && typeof actual === 'string')
    return isText(expected, actual) ? [] : [unequal(path, expected, actual)];
  if (Array.isArray(expected) && Array.isArray(actual))
    return differentElements(expected, actual, path);
  if (isObject(expected) && isObject(actual)) return differentMembers(expected, actual, path);
  return Object.is(expected, actual) ? [] : [unequal(path, expected, actual)];
}

function isText(expected: string, actual: string): boolean {
  const prefix = ID.exec(expected)?.[1];
  if (prefix !== undefined) return ID.exec(actual)?.[1] === prefix;
  if (TIME.test(expected)) return TIME.test(actual);
  if (expected.endsWith(ANY)) return actual.startsWith(expected.slice(0, -1));
  return expected === actual;
}

function differentElements(expected: unknown[], actual: unknown[], path: string): string[] {
  const shown = expected.at(-1) === ANY ? expected.slice(0, -1) : expected;
  const isComplete = shown.length === expected.length;
  if (isComplete ? actual.length !== shown.length : actual.length < shown.length)
    return [unequal(`${path}.length`, shown.length, actual.length)];
  return shown.flatMap((value, index) => differences(value, actual[index], `${path}[${index}]`));
}

function differentMembers(
  expected: Readonly<Record<string, unknown>>,
  actual: Readonly<Record<string, unknown>>,
  path: string,
): string[] {
  const { [ANY]: further, ...shown } = expected;
  const names = new Set([...Object.keys(shown), ...(further ? [] : Object.keys(actual))]);
  return [...names].flatMap((name) => differences(shown[name], actual[name], `${path}.${name}`));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unequal(path: string, expected: unknown, actual: unknown): string {
  return `${path}: documented ${JSON.stringify(expected)}, answered ${JSON.stringify(actual)}`;
}
