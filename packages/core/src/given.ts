/** The members of options that have a value, typed as if they could not be undefined. */
export type Given<Options> = {
  readonly [Name in keyof Options]: Exclude<Options[Name], undefined>;
};

/** Leaves out members that are undefined, which would replace a default in a spread. */
export function given<Options extends object>(options: Options): Given<Options> {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Given<Options>;
}
