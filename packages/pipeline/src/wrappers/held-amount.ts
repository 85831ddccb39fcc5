import { StreamTooLongError } from '../errors.ts';
import type { GuardedCall, TextGate } from './answer-guard.ts';

/** What is kept of one streamed answer at most, in UTF-16 units, where a call names no other limit. */
export const DEFAULT_MAX_HELD = 8 * 2 ** 20;
/** How many choices, tool calls of a choice, or open blocks a stream may have: more than any interface gives. */
const MAX_PARTS = 128;
/** How many texts a stream may have that are known up to its end. */
export const MAX_TEXTS = 1_024;
/** About what a number, or an object without texts, takes. */
const PLAIN_SIZE = 8;

/** Counts what is kept of one streamed answer, and so bounds its memory whatever the model sends. */
export interface HeldAmount {
  /**
   * Counts a value that is kept from now on in place of another one.
   *
   * @throws StreamTooLongError where all that is kept is too much
   */
  replace(before: unknown, after: unknown): void;
  /** The same gate, whose text counts: a scanner keeps it. */
  countGate(gate: TextGate): TextGate;
}

/** @param call names the limit by `maxHeld` */
export function createHeldAmount({
  maxHeld = DEFAULT_MAX_HELD,
}: Pick<GuardedCall, 'maxHeld'>): HeldAmount {
  let held = 0;
  const add = (units: number) => {
    held += units;
    if (held > maxHeld) throw new StreamTooLongError(maxHeld);
  };
  return {
    replace: (before, after) => add(sizeOf(after) - sizeOf(before)),
    countGate: (gate) => ({
      ...gate,
      feed(text) {
        add(text.length);
        return gate.feed(text);
      },
    }),
  };
}

/** @throws StreamTooLongError for more than `limit` parts */
export function limitParts(count: number, limit: number = MAX_PARTS): void {
  if (count > limit) throw new StreamTooLongError(limit, 'parts');
}

function sizeOf(value: unknown): number {
  if (value === undefined) return 0;
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return PLAIN_SIZE;
  let size = PLAIN_SIZE;
  for (const [name, each] of Object.entries(value)) size += name.length + sizeOf(each);
  return size;
}
