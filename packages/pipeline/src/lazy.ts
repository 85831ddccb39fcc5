/**
 * Loads a module at the first use. The specifier of the `import()` must be a literal, so that
 * bundlers and tracers of files see it. From the second use on `use` runs at once, without a turn of
 * the event loop. Uses at once load it once; after an error the next use loads it again.
 */
export function lazily<Part>(
  load: () => Promise<Part>,
): (use: (part: Part) => Promise<void> | undefined) => Promise<void> | undefined {
  let loaded: Part | undefined;
  let loading: Promise<Part> | undefined;
  const start = async (): Promise<Part> => {
    try {
      loaded = await load();
      return loaded;
    } finally {
      loading = undefined;
    }
  };
  return (use) => {
    if (loaded) return use(loaded);
    loading ??= start();
    return loading.then(use);
  };
}
