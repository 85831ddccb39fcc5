/** Fields of a change: start and length in the text that was made, start and length in the one it was made of. */
export const CHANGE = 4;

/** A text that was made of another one by replacing parts of it, and all the parts that were replaced. */
export interface ChangedText {
  readonly text: string;
  /** Ascending, without overlaps, {@link CHANGE} numbers each. */
  readonly changes: Uint32Array;
}

/** Collects changes. */
export interface ChangeList {
  push(start: number, length: number, before: number, lengthBefore: number): void;
  finish(): Uint32Array;
}

/** An empty list. */
export function createChangeList(): ChangeList {
  let changes = new Uint32Array(CHANGE * 16);
  let used = 0;
  return {
    push(start, length, before, lengthBefore) {
      if (used === changes.length) {
        const grown = new Uint32Array(changes.length * 2);
        grown.set(changes);
        changes = grown;
      }
      changes[used] = start;
      changes[used + 1] = length;
      changes[used + 2] = before;
      changes[used + 3] = lengthBefore;
      used += CHANGE;
    },
    finish: () => changes.slice(0, used),
  };
}

/** A text of the same length with one sign in place of all that stands in some ranges, which are in order. */
export function overwritten(
  text: string,
  ranges: readonly { readonly start: number; readonly end: number }[],
  sign: string,
): ChangedText {
  const changes = createChangeList();
  let made = '';
  let copied = 0;
  for (const { start, end } of ranges) {
    made += text.slice(copied, start) + sign.repeat(end - start);
    copied = end;
    changes.push(start, end - start, start, end - start);
  }
  return { text: made + text.slice(copied), changes: changes.finish() };
}
