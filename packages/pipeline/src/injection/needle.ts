const SLOTS = 4096;
const GRAM = 3;
/** Which slots the text read last has; one for all, since a filter is used up before the next is made. */
const SEEN = new Uint8Array(SLOTS);

/** A string to look for, with the slots of its three-letter pieces. */
export interface Needle {
  readonly text: string;
  readonly slots: readonly number[];
}

/** Tells quickly which strings a text has. */
export interface NeedleFilter {
  has(needle: Needle): boolean;
}

/** Prepares a string to be looked for in many texts. */
export function toNeedle(text: string): Needle {
  const slots: number[] = [];
  for (let at = 0; at + GRAM <= text.length; at++) slots.push(slotAt(text, at));
  return { text, slots };
}

/**
 * Reads a text once and notes which three-letter pieces it has, so that a string it lacks is told by
 * a few table look-ups in place of a search; what may be there is then searched for. A filter holds
 * until the next one is made.
 */
export function createNeedleFilter(text: string): NeedleFilter {
  const seen = SEEN;
  seen.fill(0);
  let first = text.charCodeAt(0);
  let second = text.charCodeAt(1);
  for (let at = GRAM - 1; at < text.length; at++) {
    const third = text.charCodeAt(at);
    seen[slotOf(first, second, third)] = 1;
    first = second;
    second = third;
  }
  return {
    has({ text: wanted, slots }) {
      for (let at = 0; at < slots.length; at++) {
        if (seen[slots[at] as number] === 0) return false;
      }
      return text.includes(wanted);
    },
  };
}

function slotAt(text: string, at: number): number {
  return slotOf(text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2));
}

function slotOf(first: number, second: number, third: number): number {
  const code = first * 961 + second * 31 + third;
  return (code ^ (code >>> 13)) & (SLOTS - 1);
}
