import { afterEveryScan } from '../scan-memory.ts';

/** As many as there are sums of three letters; a power of two. */
const SLOTS = 1 << 16;
const GRAM = 3;
/** A bit for each slot of three letters, and of single signs, that the text read last has; one for all, since nothing is kept of it. */
const SEEN = new Uint32Array(SLOTS / 32 + 4);

/** The text that they are of: several lists of rules look at the same one. */
let noted: string | undefined;
afterEveryScan(() => {
  noted = undefined;
});

/** Strings of several rules, in a form in which those that a text lacks are ruled out quickly. */
export interface Needles {
  /** The strings, those of one rule side by side. */
  readonly texts: readonly string[];
  /** Which rule each string belongs to. */
  readonly owners: Uint16Array;
  /** The slots of the first, the middle and the last three letters of each string. */
  readonly firsts: Uint32Array;
  readonly middles: Uint32Array;
  readonly lasts: Uint32Array;
}

/** Prepares strings to be looked for in many texts; `needs[i]` are those of rule i. */
export function compileNeedles(needs: readonly (readonly string[])[]): Needles {
  const texts = needs.flat();
  const lastOf = (text: string) => (text.length < GRAM ? text.length - 1 : text.length - GRAM);
  return {
    texts,
    owners: Uint16Array.from(needs.flatMap((own, rule) => own.map(() => rule))),
    firsts: Uint32Array.from(texts, (text) => slotAt(text, 0)),
    middles: Uint32Array.from(texts, (text) => slotAt(text, lastOf(text) >>> 1)),
    lasts: Uint32Array.from(texts, (text) => slotAt(text, lastOf(text))),
  };
}

/**
 * Sets `found[i]` to 1 for every rule i of which the text has a string, and to 0 for the others.
 * Reads the text once and notes which three-letter pieces it has; a string whose pieces may all be
 * there is then searched for.
 */
export function findNeedles(text: string, needles: Needles, found: Uint8Array): void {
  const { texts, owners, firsts, middles, lasts } = needles;
  notePieces(text);
  found.fill(0);
  for (let at = 0; at < texts.length; at++) {
    if (!isSeen(firsts[at] as number) || !isSeen(lasts[at] as number)) continue;
    if (!isSeen(middles[at] as number)) continue;
    const owner = owners[at] as number;
    if (found[owner] === 0 && text.includes(texts[at] as string)) found[owner] = 1;
  }
}

function see(slot: number): void {
  const at = slot >>> 5;
  SEEN[at] = (SEEN[at] as number) | (1 << (slot & 31));
}

function isSeen(slot: number): boolean {
  return (((SEEN[slot >>> 5] as number) >>> (slot & 31)) & 1) !== 0;
}

function notePieces(text: string): void {
  if (text === noted) return;
  noted = text;
  SEEN.fill(0);
  let first = text.charCodeAt(0);
  let second = text.charCodeAt(1);
  see(slotOfSign(first));
  see(slotOfSign(second));
  for (let at = GRAM - 1; at < text.length; at++) {
    const third = text.charCodeAt(at);
    see(slotOf(first, second, third));
    see(slotOfSign(third));
    first = second;
    second = third;
  }
}

/** The slot of three letters; in shorter strings that of the one letter. */
function slotAt(text: string, at: number): number {
  if (text.length < GRAM) return slotOfSign(text.charCodeAt(at));
  return slotOf(text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2));
}

function slotOfSign(code: number): number {
  return SLOTS + (code & 127);
}

function slotOf(first: number, second: number, third: number): number {
  const code = first * 961 + second * 31 + third;
  return (code ^ (code >>> 16)) & (SLOTS - 1);
}
