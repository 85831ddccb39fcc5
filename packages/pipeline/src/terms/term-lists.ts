import { checkRecord } from '../config.ts';
import { PipelineConfigError } from '../errors.ts';
import { checkType } from '../pii/custom-patterns.ts';
import { checkFraction, checkStrings } from '../stage-options.ts';
import type { PreparedText } from '../text/prepared-text.ts';
import { prepareText } from '../text/prepared-text.ts';
import type { TextView } from '../text/text-view.ts';
import { TermIndex } from './term-index.ts';

/** Terms that a text must not have. */
export interface TermList {
  /** Name of the type in findings and policies: small letters, digits and underscores. Default `denied_term`. */
  readonly type?: string | undefined;
  /** 1 to 200 characters each; over all lists at most 100,000. */
  readonly terms: readonly string[];
  /** Default false: case, diacritics and look-alike letters do not matter. */
  readonly caseSensitive?: boolean | undefined;
  /** Default true: no letter or digit right before or after a term. */
  readonly wholeWords?: boolean | undefined;
  /** Score of a finding, 0 to 1. Default 0.8. */
  readonly risk?: number | undefined;
}

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

interface Entry {
  readonly type: string;
  readonly risk: number;
  readonly wholeWords: boolean;
}

const MEMBERS: ReadonlySet<string> = new Set([
  'type',
  'terms',
  'caseSensitive',
  'wholeWords',
  'risk',
]);
const MAX_TERMS = 100_000;
const MAX_TERM = 200;
/** The type of a list without one. */
export const DENIED_TERM = 'denied_term';
const DEFAULT_RISK = 0.8;
const WORD_SIGN = /[\p{L}\p{N}]/u;
/** Scripts that are written without blanks between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const REASON = 'a term of a list of your own';

/**
 * Checks lists of terms and makes the function that finds them.
 *
 * @throws PipelineConfigError naming the list, member or term at fault
 */
export function compileTermLists(
  path: string,
  lists: unknown,
): { types: string[]; search: TermSearch } {
  if (!Array.isArray(lists))
    throw new PipelineConfigError(path, 'expected a list of lists of terms');
  const exact = createDictionary((text) => text.normalized);
  const folded = createDictionary((text) => text.folded);
  const types = new Set<string>();
  let count = 0;
  lists.forEach((list: unknown, index) => {
    const at = `${path}[${index}]`;
    const {
      type = DENIED_TERM,
      terms,
      caseSensitive = false,
      wholeWords = true,
      risk,
    } = checkRecord(at, list, MEMBERS);
    const entry = {
      type: checkType(`${at}.type`, type),
      risk: checkFraction(`${at}.risk`, risk ?? DEFAULT_RISK),
      wholeWords: checkSwitch(`${at}.wholeWords`, wholeWords),
    };
    const dictionary = checkSwitch(`${at}.caseSensitive`, caseSensitive) ? exact : folded;
    types.add(entry.type);
    checkStrings(`${at}.terms`, terms).forEach((term, place) => {
      if (++count > MAX_TERMS) throw new PipelineConfigError(at, `more than ${MAX_TERMS} terms`);
      dictionary.add(`${at}.terms[${place}]`, term, entry);
    });
  });
  const searches = [exact, folded].flatMap((dictionary) => dictionary.compile() ?? []);
  return { types: [...types], search: (text) => searches.flatMap((search) => search(text)) };
}

function createDictionary(viewOf: (text: PreparedText) => TextView) {
  const terms: string[] = [];
  /** For each term what the lists that have it say. */
  const entries: Entry[][] = [];
  const places = new Map<string, number>();
  return {
    add(path: string, term: string, entry: Entry): void {
      const read = viewOf(prepareText(term)).text.trim();
      if (read === '' || term.length > MAX_TERM) {
        throw new PipelineConfigError(path, `expected a term of 1 to ${MAX_TERM} characters`);
      }
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
          for (const { type, risk, wholeWords } of entries[term] as Entry[]) {
            if (risk <= most || (wholeWords && !isWhole(text, start, end))) continue;
            most = risk;
            matches.push({ type, ...view.range(start, end), score: risk, reason: REASON });
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

function checkSwitch(path: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new PipelineConfigError(path, 'expected true or false');
}
