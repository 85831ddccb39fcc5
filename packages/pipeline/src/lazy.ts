/**
 * Loads a module at the first use. The specifier of the `import()` must be a literal, so that
 * bundlers and tracers of files see it. From the second use on `use` runs at once, without a turn of
 * the event loop.
 */
export function lazily<Part>(
  load: () => Promise<Part>,
): (use: (part: Part) => Promise<void> | undefined) => Promise<void> | undefined {
  let loaded: Part | undefined;
  return (use) => {
    if (loaded) return use(loaded);
    return load().then((part) => {
      loaded = part;
      return use(part);
    });
  };
}
