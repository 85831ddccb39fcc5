/** Control characters but the line feed and the tab, which no store of text needs and some refuse. */
const CONTROL = /(?![\n\t])[\p{Cc}\u2028\u2029]/gu;

/** The text without control characters and lone surrogates. */
export function toPrintable(text: string): string {
  return text.toWellFormed().replace(CONTROL, ' ');
}
