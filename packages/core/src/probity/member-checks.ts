/**
 * Requires an object with certain functions, such as a logger or a storage.
 * @throws TypeError that names the option and the first function that is missing
 */
export function requireFunctions(option: string, value: unknown, names: readonly string[]): void {
  const found = Object(value) as Readonly<Record<string, unknown>>;
  const missing = names.find((name) => typeof found[name] !== 'function');
  if (missing === undefined) return;
  throw new TypeError(
    `${option} must be an object with ${names.join(', ')}; ${missing} is no function.`,
  );
}

/**
 * Requires a path that others follow, such as a mount.
 * @throws TypeError that names the option
 */
export function requirePath(option: string, path: unknown): void {
  if (typeof path === 'string' && /^(?:\/[^/?#]+)*$/.test(path)) return;
  throw new TypeError(
    `${option} must be a path such as /probity, or empty for the root, not ${shown(path)}.`,
  );
}

/** Shows a text as it is, and of every other value the type. */
export function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : typeof value;
}
