/** Control characters, line separators, and the marks that change the direction of text. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** Whether a name is displayed on one line and exactly as it is stored. */
export function isPrintableName(text: string): boolean {
  return text.isWellFormed() && !UNPRINTABLE.test(text);
}
