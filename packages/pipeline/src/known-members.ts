import { didYouMean } from './did-you-mean.ts';
import type { ScanSignal } from './types.ts';

/**
 * Refuses what is no object, and members that do not exist: a mistyped text would not be scanned.
 * @throws TypeError that names the member and the known ones
 */
export function requireKnownMembers(
  owner: string,
  value: unknown,
  known: readonly string[],
): asserts value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const got = typeOf(value);
    throw new TypeError(`${owner}: expected an object with ${known.join(', ')}; got ${got}.`);
  }
  const other = Object.keys(value).find((name) => !known.includes(name));
  if (other === undefined) return;
  const guess = didYouMean(other, known);
  const message = `${owner}: ${other} is not an option; known are ${known.join(', ')}.${guess}`;
  throw new TypeError(message);
}

/** The members of a `ScanInput`. */
export const INPUT_MEMBERS: readonly string[] = ['prompt', 'response', 'context', 'system'];

/** The members of a `GuardInput`. */
export const GUARD_MEMBERS: readonly string[] = [...INPUT_MEMBERS, 'messages'];

/**
 * Refuses what is no signal, which would never cancel anything.
 * @throws TypeError that names the option
 */
export function requireSignal(owner: string, signal: unknown): void {
  if (signal === undefined || signal instanceof AbortSignal || isSignal(signal)) return;
  throw new TypeError(`${owner}: options.signal must be an AbortSignal; got ${typeOf(signal)}.`);
}

function isSignal(value: unknown): value is ScanSignal {
  const { aborted, addEventListener, removeEventListener } = Object(value) as Partial<ScanSignal>;
  const areMethods = [addEventListener, removeEventListener].every(
    (method) => typeof method === 'function',
  );
  return areMethods && typeof aborted === 'boolean';
}

/**
 * Requires a list of source texts.
 * @throws TypeError that names the field, and how to give a single text
 */
export function requireContext(name: string, context: unknown): asserts context is unknown[] {
  if (Array.isArray(context)) return;
  const hint = typeof context === 'string' ? '; put one text in brackets: [text]' : '';
  throw new TypeError(`${name} must be a list of strings; got ${typeOf(context)}${hint}.`);
}

/** The type of a value as errors name it, never the value. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value;
}
