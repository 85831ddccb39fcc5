import { identityView, type TextView } from '../text/text-view.ts';
import { ABBREVIATIONS } from './data/word-kinds.ts';
import { type Entry, KIND, type Lexicon } from './lexicon.ts';
import { GAP, SHAPE } from './scan-words.ts';
import { scannedWords } from './scanned-words.ts';

/** The words of a text with what is known of each, and where its sentences begin. */
export interface Words {
  readonly count: number;
  readonly entries: readonly Entry[];
  readonly start: readonly number[];
  readonly end: readonly number[];
  /** Bits of SHAPE. */
  readonly shape: readonly number[];
  /** Bits of GAP, of what stands before the word. */
  readonly gap: readonly number[];
  /** Word numbers at which sentences begin, ascending; the last one is `count`. */
  readonly sentences: readonly number[];
  /** Whether the text ends with a question mark. */
  readonly endsAsking: boolean;
}

const SHORT_FORMS: ReadonlySet<string> = new Set(ABBREVIATIONS.split(/\s+/));
/** Rows of words without any mark are cut here, so that no sentence takes long to compare. */
const MAX_SENTENCE = 80;

/** Collects words, block by block, and cuts them into sentences. */
export interface WordReader {
  /** Adds the words of a view that begin in [ownedStart, ownedEnd) of the original. */
  add(view: TextView, ownedStart: number, ownedEnd: number): void;
  finish(): Words;
}

/** Makes a reader over a lexicon. */
export function createWordReader(lexicon: Lexicon): WordReader {
  const entries: Entry[] = [];
  const start: number[] = [];
  const end: number[] = [];
  const shape: number[] = [];
  const gap: number[] = [];
  const sentences: number[] = [];
  let lastGap = 0;
  return {
    add(view, ownedStart, ownedEnd) {
      const { text, shift } = view;
      const scanned = scannedWords(text);
      for (let word = 0; word < scanned.count; word++) {
        const from = scanned.start[word] as number;
        const to = scanned.end[word] as number;
        const place = shift === undefined ? view.range(from, to) : undefined;
        const first = place === undefined ? from + (shift as number) : place.start;
        if (first < ownedStart || first >= ownedEnd) continue;
        const marks = scanned.marks[word] as number;
        const bits = marks & 0xff;
        const gapBits = marks >>> 8;
        const entry = lexicon.entry(scanned.hash[word] as number, text, from, to);
        const last = place === undefined ? to + (shift as number) : place.end;
        const at = entries.length;
        if ((entry.kinds & KIND.number) !== 0 && at > 0) {
          const head = entries[at - 1]?.word === 'and' && at > 1 ? at - 2 : at - 1;
          const sum = joinNumbers(entries[head] as Entry, entry, gapBits, text, from);
          if (sum !== undefined && (head === at - 1 || sum % 100 !== 0)) {
            entries[head] = lexicon.number(sum);
            end[head] = last;
            for (const column of [entries, start, end, shape, gap]) column.length = head + 1;
            continue;
          }
        }
        if (at === 0 || at - (sentences.at(-1) as number) >= MAX_SENTENCE) sentences.push(at);
        else if (beginsSentence(gapBits, bits, entries[at - 1] as Entry, shape[at - 1] as number)) {
          sentences.push(at);
        }
        entries.push(entry);
        start.push(first);
        end.push(last);
        shape.push(bits);
        gap.push(gapBits);
      }
      lastGap = scanned.lastGap;
    },
    finish() {
      const count = entries.length;
      sentences.push(count);
      const endsAsking = (lastGap & GAP.question) !== 0;
      return { count, entries, start, end, shape, gap, sentences, endsAsking };
    },
  };
}

/** The words of a text as it is, without preparation. */
export function readWords(lexicon: Lexicon, text: string): Words {
  const reader = createWordReader(lexicon);
  reader.add(identityView(text), 0, text.length);
  return reader.finish();
}

/** The value of a number in several words, such as "two hundred" or "3.5 million", so far. */
function joinNumbers(
  before: Entry,
  entry: Entry,
  gap: number,
  text: string,
  from: number,
): number | undefined {
  if ((before.kinds & KIND.number) === 0) return undefined;
  const hyphen = text[from - 1] === '-';
  if ((gap !== 0 && !hyphen) || /^\d/.test(entry.word)) return undefined;
  const { value } = entry;
  if (value >= 100 && value % 10 === 0)
    return before.value < value || before.value % 1000 !== 0
      ? scaled(before.value, value)
      : undefined;
  const room = before.value % 100 === 0 ? 100 : before.value % 10 === 0 ? 10 : 1;
  return before.value >= 20 && value < room ? before.value + value : undefined;
}

function scaled(before: number, scale: number): number {
  const small = scale === 100 ? before % 1000 : before;
  return before - small + small * scale;
}

function beginsSentence(gap: number, shape: number, before: Entry, shapeBefore: number): boolean {
  if ((gap & GAP.paragraph) !== 0) return true;
  const high = (shape & (SHAPE.capital | SHAPE.digit)) !== 0;
  if ((gap & GAP.line) !== 0 && ((gap & (GAP.bullet | GAP.stop)) !== 0 || high)) return true;
  if ((gap & GAP.stop) === 0 || !high) return (gap & GAP.question) !== 0;
  const initial = before.word.length === 1 && (shapeBefore & SHAPE.capital) !== 0;
  return !(initial || SHORT_FORMS.has(before.word));
}

/** Whether the sentence that begins at word `from` and ends before `to` is a question. */
export function isQuestion(words: Words, to: number): boolean {
  return to < words.count ? ((words.gap[to] as number) & GAP.question) !== 0 : words.endsAsking;
}

/** Whether a word carries subject matter. */
export function isContent(entry: Entry): boolean {
  return (entry.kinds & KIND.function) === 0;
}
