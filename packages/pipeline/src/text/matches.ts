const NONE: readonly RegExpExecArray[] = Object.freeze([]);

/**
 * Every match of a global expression, as `matchAll` gives them; `matchAll` makes a copy of the expression each
 * time, which costs more than the search of a short text.
 */
export function allMatches(text: string, pattern: RegExp): readonly RegExpExecArray[] {
  pattern.lastIndex = 0;
  let match = pattern.exec(text);
  if (match === null) return NONE;
  const found: RegExpExecArray[] = [];
  for (; match !== null; match = pattern.exec(text)) {
    found.push(match);
    if (match[0] === '') pattern.lastIndex = behind(text, match.index, pattern.unicode);
  }
  return found;
}

/** Behind the character at `at`. */
function behind(text: string, at: number, isUnicode: boolean): number {
  const code = isUnicode ? (text.codePointAt(at) ?? 0) : 0;
  return at + (code > 0xffff ? 2 : 1);
}
