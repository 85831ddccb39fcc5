/** Control characters, line separators, and the marks that turn the direction of text around. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** Whether a name can be shown on one line, and shows what it says. */
export function isPrintableName(text: string): boolean {
  return text.isWellFormed() && !UNPRINTABLE.test(text);
}
