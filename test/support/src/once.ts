/** Wraps `make` so that all callers in this process share the value of its first call. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The same for each argument, by identity. */
export function oncePer<Argument, T>(make: (argument: Argument) => T): (argument: Argument) => T {
  const made = new Map<Argument, T>();
  return (argument) => {
    if (!made.has(argument)) made.set(argument, make(argument));
    return made.get(argument) as T;
  };
}
