/**
 * Loads a module at the first use. The specifier of the `import()` must be a literal, so that
 * bundlers and tracers of files see it. From the second use on `use` runs at once, without a turn of
 * the event loop. Uses at once load it once; after an error the next use loads it again.
 */
export function lazily<Part>(
  load: () => Promise<Part>,
): <Result>(use: (part: Part) => Result | Promise<Result>) => Result | Promise<Result> {
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

/**
 * An expression that is compiled at its first use, for modules that every program loads: V8 reads a
 * class such as `\p{L}` when it parses the module, and the classes of this package take some milliseconds.
 */
export function lazyPattern(source: string, flags: string): () => RegExp {
  let compiled: RegExp | undefined;
  return () => {
    compiled ??= new RegExp(source, flags);
    return compiled;
  };
}
