/** Signs that stand apart in prepared corpora; not those within a number. */
const SIGNS = /["!?;£$€]|[.,:](?!\d)/g;

/** A text as prepared corpora and many systems give it: in lower case, with signs and clitics apart. */
export function toCorpusForm(text: string): string {
  return text
    .toLowerCase()
    .replace(SIGNS, ' $& ')
    .replace(/'s\b/g, " 's")
    .replace(/n't\b/g, " n't")
    .replace(/\s+/g, ' ')
    .trim();
}
