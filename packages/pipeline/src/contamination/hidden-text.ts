import { allMatches } from '../text/matches.ts';
import type { TextRange } from '../types.ts';

// Joiners stand alone between letters or signs; a row of them can only be a code.
const INVISIBLE_RUN = /[\u200b-\u200f\u2060-\u2064\ufeff\u180e]{8,}/g;
const TAG_RUN = /[\u{e0020}-\u{e007e}]{4,}/gu;
const FLAG = '\u{1f3f4}';
const ANY_INVISIBLE = /[\u200b-\u200f\u2060-\u2064\ufeff\u180e\udb40]/;

/** Rows of characters that show nothing and can carry a text: tag letters, zero-width signs. */
export function findHiddenText(text: string): TextRange[] {
  if (!ANY_INVISIBLE.test(text)) return [];
  const found: TextRange[] = [];
  for (const pattern of [INVISIBLE_RUN, TAG_RUN]) {
    for (const match of allMatches(text, pattern)) {
      // The flags of England, Scotland and Wales are a black flag with tag letters.
      if (pattern === TAG_RUN && text.endsWith(FLAG, match.index)) continue;
      if (pattern === TAG_RUN && text.slice(match.index - 2, match.index) === FLAG) continue;
      found.push({ start: match.index, end: match.index + match[0].length });
    }
  }
  return found;
}
