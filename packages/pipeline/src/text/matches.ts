const NONE: readonly RegExpExecArray[] = Object.freeze([]);

/**
 * Every match of a global expression, as `matchAll` gives them. Most texts have none, and to find
 * that out a search is cheaper: `matchAll` makes a copy of the expression each time.
 */
export function allMatches(text: string, pattern: RegExp): Iterable<RegExpExecArray> {
  pattern.lastIndex = 0;
  if (!pattern.test(text)) return NONE;
  pattern.lastIndex = 0;
  return text.matchAll(pattern);
}
