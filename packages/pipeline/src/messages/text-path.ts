/** Where a value stands in what was given, from the inside out; a list would be copied at each level. */
export interface TextPath {
  readonly parent: TextPath | undefined;
  readonly key: string | number;
}

/** The path one level further in. */
export function below(parent: TextPath | undefined, key: string | number): TextPath {
  return { parent, key };
}

/** A path as a list from the outside in. */
export function keysOf(path: TextPath): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let at: TextPath | undefined = path; at !== undefined; at = at.parent) keys.push(at.key);
  return keys.reverse();
}

/** A path as it is shown: `messages.3.content.0.text`. */
export function showPath(path: TextPath): string {
  return keysOf(path).join('.');
}

/** The error for a value of another form than messages have. */
export function wrongForm(path: TextPath, expected: string, value: unknown): TypeError {
  return new TypeError(`${showPath(path)}: expected ${expected}; got ${shown(value)}`);
}

/** Throws {@link wrongForm}. */
export function refuseForm(path: TextPath, expected: string, value: unknown): never {
  throw wrongForm(path, expected, value);
}

const NAME = /^[a-z_-]{0,40}$/i;

/** The type, or a name that is misspelt. What may be a message stands in no error: errors are logged. */
function shown(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  return typeof value === 'string' && NAME.test(value) ? JSON.stringify(value) : typeof value;
}
