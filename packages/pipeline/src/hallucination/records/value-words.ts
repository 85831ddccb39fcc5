import { SHAPE } from '../../language/join-words.ts';
import type { Entry, Lexicon } from '../../language/lexicon.ts';
import { KIND } from '../../language/lexicon.ts';
import type { WordReader } from '../../language/sentences.ts';
import { takeWordReader } from '../../language/sentences.ts';
import type { Words } from '../../language/words.ts';
import { identityView } from '../../text/text-view.ts';
import { tokensOfText } from '../../tokens/tokens.ts';
import type { RecordNumbers } from './record-numbers.ts';
import { STEP } from './record-sink.ts';
import { addUnit } from './units.ts';

/** Values are read together up to so many characters. */
const CHUNK = 4096;
/** What stands between two values, so that no word goes from one to the other. */
const APART = '\n\n';
/** Fewer words are too few to know their language. */
const LEAST_WORDS = 4;
const KNOWN_SHARE = 0.5;
const HAS_DIGIT = /\d/;

/** What a value is; bits. */
export const VALUE = Object.freeze({
  /** It tells records apart. */
  identifies: 1,
  /** It is another way to write one. */
  derived: 2,
});

/** A word of values: the records that have it, and whether it tells them apart. */
interface ValueWord {
  readonly units: number[];
  identifies: boolean;
}

/** The words of values, by stem, meaning and side of opposites. */
export class ValueWords {
  readonly #stems = new Map<number, ValueWord>();
  readonly #senses = new Map<number, number[]>();
  readonly #sides = new Map<number, number[]>();
  readonly #reader: WordReader;
  readonly #starts: number[] = [];
  readonly #units: number[] = [];
  readonly #bits: number[] = [];
  #parts: string[] = [];
  #partLength = 0;
  #length = 0;
  #plainWords = 0;
  #knownWords = 0;

  constructor(lexicon: Lexicon) {
    this.#reader = takeWordReader(lexicon);
  }

  /** @param bits of {@link VALUE} */
  add(text: string, unit: number, bits: number): void {
    this.#starts.push(this.#length + this.#partLength);
    this.#units.push(unit);
    this.#bits.push(bits);
    this.#parts.push(text, APART);
    this.#partLength += text.length + APART.length;
    if (this.#partLength >= CHUNK) this.#read();
  }

  /** Indexes what was added; yields between some thousand words. */
  *finish(numbers: RecordNumbers): Generator<void> {
    this.#read();
    const words = this.#reader.finish();
    let index = 0;
    for (let at = 0; at < words.count; at++) {
      while ((this.#starts[index + 1] ?? Number.POSITIVE_INFINITY) <= (words.start[at] as number)) {
        index++;
      }
      this.#index(words, at, index, numbers);
      if (at % STEP === STEP - 1) yield;
    }
    this.#reader.giveBack();
  }

  /** The records that have a word. */
  find(stem: number): Readonly<ValueWord> | undefined {
    return this.#stems.get(stem);
  }

  hasSense(senses: readonly number[]): boolean {
    return senses.some((sense) => this.#senses.has(sense));
  }

  /** The records that have a word of one side of a pair of opposites. */
  findSide(side: number): readonly number[] | undefined {
    return this.#sides.get(side);
  }

  /** Counts a word by whether the tables know it. */
  countKnown({ kinds, row, word }: Entry): void {
    if (HAS_DIGIT.test(word)) return;
    this.#plainWords++;
    if ((kinds & KIND.function) !== 0 || row >= 0) this.#knownWords++;
  }

  /** Whether the words are of a language that the tables know, names aside. */
  get areKnown(): boolean {
    // Claims in other languages are compared with numbers and names of data, not with its words.
    if (!this.#reader.lexicon.grammar.isEnglish) return true;
    return this.#plainWords < LEAST_WORDS || this.#knownWords >= KNOWN_SHARE * this.#plainWords;
  }

  #index(words: Words, at: number, index: number, numbers: RecordNumbers): void {
    const entry = words.entries[at] as Entry;
    const unit = this.#units[index] as number;
    const bits = this.#bits[index] as number;
    if ((entry.kinds & KIND.number) !== 0) numbers.add(entry.value, unit);
    if ((entry.kinds & KIND.function) !== 0 && entry.word.length < 3) return;
    const held = this.#stems.get(entry.stem);
    const identifies = (bits & VALUE.identifies) !== 0;
    if (held === undefined) this.#stems.set(entry.stem, { units: [unit], identifies });
    else {
      addUnit(held.units, unit);
      held.identifies ||= identifies;
    }
    if ((bits & VALUE.derived) !== 0) return;
    const isPlain = ((words.shape[at] as number) & (SHAPE.capital | SHAPE.digit)) === 0;
    if (isPlain) this.countKnown(entry);
    for (const sense of entry.senses) addTo(this.#senses, sense, unit);
    for (const side of entry.opposites) addTo(this.#sides, side, unit);
  }

  #read(): void {
    const text = this.#parts.join('');
    const [start, end] = [this.#length, this.#length + text.length];
    if (text !== '') this.#reader.add(identityView(text, start), tokensOfText(text), start, end);
    this.#length = end;
    this.#parts = [];
    this.#partLength = 0;
  }
}

function addTo(lists: Map<number, number[]>, key: number, unit: number): void {
  const held = lists.get(key);
  if (held === undefined) lists.set(key, [unit]);
  else addUnit(held, unit);
}
