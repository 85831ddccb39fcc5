import { EXPLANATIONS } from '../explanations.ts';
import type { PreparedText } from '../text/prepared-text.ts';
import { prepareText } from '../text/prepared-text.ts';
import type { TextView } from '../text/text-view.ts';
import { TermIndex } from './term-index.ts';
import type { CheckedTermList } from './term-lists.ts';

/** A term that was found, offsets in the original field. */
export interface TermMatch {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly score: number;
  readonly reason: string;
}

/** Finds the terms of all lists in one pass for each way of reading. */
export type TermSearch = (text: PreparedText) => TermMatch[];

const WORD_SIGN = /[\p{L}\p{N}]/u;
/** Scripts that are written without blanks between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Makes the function that finds the terms of all lists. */
export function createTermSearch(lists: readonly CheckedTermList[]): TermSearch {
  const exact = createDictionary((text) => text.normalized);
  const folded = createDictionary((text) => text.folded);
  for (const list of lists) {
    const dictionary = list.caseSensitive ? exact : folded;
    for (const term of list.terms) dictionary.add(term, list);
  }
  const searches = [exact, folded].flatMap((dictionary) => dictionary.compile() ?? []);
  return (text) => searches.flatMap((search) => search(text));
}

function createDictionary(viewOf: (text: PreparedText) => TextView) {
  const terms: string[] = [];
  /** The lists that have each term. */
  const entries: CheckedTermList[][] = [];
  const places = new Map<string, number>();
  return {
    add(term: string, entry: CheckedTermList): void {
      const read = viewOf(prepareText(term)).text.trim();
      if (read === '') return;
      const held = places.get(read);
      if (held !== undefined) return void entries[held]?.push(entry);
      places.set(read, terms.length);
      terms.push(read);
      entries.push([entry]);
    },
    compile(): TermSearch | undefined {
      if (terms.length === 0) return undefined;
      const index = new TermIndex(terms);
      return (prepared) => {
        const view = viewOf(prepared);
        const { text } = view;
        const matches: TermMatch[] = [];
        let last = -1;
        let most = -1;
        // Of terms with the same end the longest comes first: a shorter one counts with a larger risk only.
        for (const { start, end, term } of index.find(text)) {
          if (end !== last) most = -1;
          last = end;
          for (const { type, risk, wholeWords } of entries[term] as CheckedTermList[]) {
            if (risk <= most || (wholeWords && !isWhole(text, start, end))) continue;
            most = risk;
            matches.push({
              type,
              ...view.range(start, end),
              score: risk,
              reason: EXPLANATIONS.denied_term,
            });
          }
        }
        return matches;
      };
    },
  };
}

function isWhole(text: string, start: number, end: number): boolean {
  return (
    !goesOn(before(text, start), first(text, start)) && !goesOn(first(text, end), before(text, end))
  );
}

function goesOn(outside: string, inside: string): boolean {
  return WORD_SIGN.test(outside) && WORD_SIGN.test(inside) && !UNSPACED.test(inside);
}

function before(text: string, at: number): string {
  const low = text.charCodeAt(at - 1);
  return text.slice(Math.max(0, low >= 0xdc00 && low <= 0xdfff ? at - 2 : at - 1), at);
}

function first(text: string, at: number): string {
  return at < text.length ? String.fromCodePoint(text.codePointAt(at) as number) : '';
}
