/** Names that stand behind a dot. */
const PLAIN_NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/**
 * Where a text stands in a list, as in JavaScript: `[2].content[0].text`, and in brackets and quotes what is no plain
 * name: `[3].tool_calls[0].function.arguments["home address"]`.
 */
export function toTextPath(keys: readonly (string | number)[]): string {
  return keys
    .map((key) => {
      if (typeof key === 'number') return `[${key}]`;
      return PLAIN_NAME.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
    })
    .join('');
}

type Keys = readonly (string | number)[];

/** A finding in a text, or in the name of the member at `keys`. */
interface FoundPlace {
  readonly keys: Keys;
  readonly isName: boolean;
  readonly start: number;
  readonly end: number;
}

/**
 * Makes a function that replaces the characters that were found in names of members by `*`, so that the path of a
 * finding does not show its value. The length of a name stays.
 */
export function hideNames(found: readonly FoundPlace[]): (keys: Keys) => Keys {
  const names = new Map<string, string>();
  for (const { keys, isName, start, end } of found) {
    if (!isName) continue;
    const place = JSON.stringify(keys);
    const name = names.get(place) ?? String(keys.at(-1));
    names.set(place, name.slice(0, start) + '*'.repeat(end - start) + name.slice(end));
  }
  if (names.size === 0) return (keys) => keys;
  return (keys) =>
    keys.map((key, index) => names.get(JSON.stringify(keys.slice(0, index + 1))) ?? key);
}
