import type { Principal } from '../context.ts';

/**
 * Refuses a call of a service without its context, which JavaScript allows.
 * @throws TypeError that says how to make one
 */
export function requireContext(
  call: string,
  context: { readonly principal?: Partial<Principal> },
): void {
  if (typeof context?.principal?.organizationId === 'string') return;
  throw new TypeError(`${call}: the first argument is a context: contextOf({ organizationId }).`);
}

/**
 * Refuses options that do not exist: a mistyped one would be ignored, and its default used.
 * @throws TypeError that names the option and the known ones
 */
export function requireKnownOptions(
  owner: string,
  options: object,
  known: readonly string[],
): void {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError(`${owner}: expected an object of ${known.join(', ')}.`);
  }
  const other = Object.keys(options).find((name) => !known.includes(name));
  if (other === undefined) return;
  throw new TypeError(`${owner}: ${other} is not an option; known are ${known.join(', ')}.`);
}
