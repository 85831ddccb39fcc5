const SLOTS = 4096;
/** Slots per number of the table; a plain list of small numbers costs no memory outside the heap. */
const BITS = 16;
const GRAM = 3;

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
 * a few table look-ups in place of a search; what may be there is then searched for.
 */
export function createNeedleFilter(text: string): NeedleFilter {
  const seen: number[] = new Array(SLOTS / BITS).fill(0);
  for (let at = 0; at + GRAM <= text.length; at++) {
    const slot = slotAt(text, at);
    seen[slot >>> 4] = (seen[slot >>> 4] as number) | (1 << (slot & 15));
  }
  return {
    has(needle) {
      for (const slot of needle.slots) {
        if (((seen[slot >>> 4] as number) & (1 << (slot & 15))) === 0) return false;
      }
      return text.includes(needle.text);
    },
  };
}

function slotAt(text: string, at: number): number {
  const code = text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2);
  return (code ^ (code >>> 13)) & (SLOTS - 1);
}
