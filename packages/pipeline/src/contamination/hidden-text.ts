import { allMatches } from '../text/matches.ts';
import { isFlag, MAY_BE_UNSEEN, SELECTOR_RUN, TAG_RUN, WIDTHLESS_RUN } from '../text/unseen.ts';
import type { TextRange } from '../types.ts';

/** Rows of characters that show nothing and can carry a text: tag letters, variation selectors, zero-width signs. */
export function findHiddenText(text: string): TextRange[] {
  if (!MAY_BE_UNSEEN.test(text)) return [];
  const found: TextRange[] = [];
  for (const pattern of [WIDTHLESS_RUN, TAG_RUN, SELECTOR_RUN]) {
    for (const match of allMatches(text, pattern)) {
      if (pattern === TAG_RUN && isFlag(match[0], text, match.index)) continue;
      found.push({ start: match.index, end: match.index + match[0].length });
    }
  }
  return found;
}
