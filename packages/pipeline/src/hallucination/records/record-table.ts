import type { Lexicon } from '../../language/lexicon.ts';
import type { FieldName } from './field-names.ts';
import { readFieldName } from './field-names.ts';
import { RecordNumbers } from './record-numbers.ts';
import type { RecordSink } from './record-sink.ts';
import { RecordSums } from './record-sums.ts';
import { VALUE, ValueWords } from './value-words.ts';
import { toNumber, writtenValueOf } from './written-values.ts';

/** Values with more words than this, or longer without blanks, are no data. */
const MOST_WORDS = 40;
const LONGEST = 1_000;
/** From so many words on a value is prose, which is compared as such. */
const SENTENCE = 6;
/** Deeper records belong to the one around them. */
const MAX_DEPTH = 32;
const LONGEST_TRUTH = 9;
const FALSE = /^(?:false|no|n|off|none|null|nil|n\/a|undefined|-|–)?$/i;
const TRUE = /^(?:true|yes|y|on)$/i;
const NULL = /^(?:null|nil|undefined)?$/i;
const WITHOUT_WORDS = /^[\d.,:TZ+-]+$/;

/** The records of structured sources, indexed by what claims may repeat of them. */
export class RecordTable implements RecordSink {
  readonly names = new Map<string, FieldName>();
  readonly words: ValueWords;
  readonly numbers = new RecordNumbers();
  readonly sums = new RecordSums();
  /** The record around each record; 0 is around all of them. */
  readonly parents: number[] = [0];
  /** Values that are prose. */
  readonly sentences: string[] = [];
  readonly #lexicon: Lexicon;
  #unit = 0;
  #depth = 0;
  /** By record: whether it has a value that tells it from others, and how many records are in it. */
  readonly #isIdentified = [false];
  readonly #children = [0];

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
    this.words = new ValueWords(lexicon);
  }

  begin(): void {
    if (this.#depth++ >= MAX_DEPTH) return;
    this.#children[this.#unit] = (this.#children[this.#unit] as number) + 1;
    this.parents.push(this.#unit);
    this.#unit = this.parents.length - 1;
    this.#isIdentified.push(false);
    this.#children.push(0);
  }

  end(): void {
    if (--this.#depth >= MAX_DEPTH) return;
    const count = this.#children[this.#unit] as number;
    if (count > 0) this.numbers.addCount(count);
    this.#unit = this.parents[this.#unit] as number;
  }

  name(name: string): void {
    this.#nameOf(name);
  }

  value(name: string, value: string): void {
    const field = this.#nameOf(name);
    const text = value.trim();
    if (this.#takeTruth(name, field, text)) return;
    const unit = this.#unit;
    field.filled.add(unit);
    const number = toNumber(text);
    const isIdentity = this.#identifies(field, Number.isNaN(number) && !WITHOUT_WORDS.test(text));
    const blanks = countBlanks(text);
    if (blanks >= SENTENCE - 1) this.sentences.push(text);
    if (text.length > LONGEST || blanks > MOST_WORDS) return;
    const list = this.parents[unit] as number;
    this.numbers.countValue(list, name, text);
    this.numbers.countValue(list, name, '');
    const { words, numbers, minutes } = writtenValueOf(field.words, text, number);
    if (Number.isNaN(number)) this.words.add(text, unit, isIdentity ? VALUE.identifies : 0);
    else this.#takeNumber(name, field, number, isIdentity);
    if (minutes !== undefined) this.sums.addTime(unit, minutes);
    if (words !== '') this.words.add(words, unit, VALUE.derived);
    for (const each of numbers) this.numbers.add(each, unit);
  }

  prose(text: string): void {
    if (text.trim() !== '') this.sentences.push(text);
  }

  /** Indexes what was read; yields between some thousand words. */
  *finish(): Generator<void> {
    yield* this.words.finish(this.numbers);
    this.numbers.finish();
  }

  /** Whether a record is another one or within it. */
  isWithin(inner: number, outer: number): boolean {
    for (let unit = inner; unit > 0; unit = this.parents[unit] as number) {
      if (unit === outer) return true;
    }
    return outer === 0;
  }

  /** Takes a truth value, or one that is empty. */
  #takeTruth(name: string, { truths }: FieldName, text: string): boolean {
    if (text.length > LONGEST_TRUTH) return false;
    const isTrue = TRUE.test(text);
    if (!isTrue && !FALSE.test(text)) return false;
    const isEmpty = NULL.test(text);
    truths.set(this.#unit, isTrue ? 1 : isEmpty ? null : 0);
    if (!isEmpty) this.numbers.countValue(this.parents[this.#unit] as number, name, text);
    return true;
  }

  #takeNumber(name: string, { words }: FieldName, number: number, isIdentity: boolean): void {
    this.numbers.add(Math.abs(number), this.#unit);
    if (isIdentity) this.numbers.addIdentity(number);
    this.numbers.addSigned(number, words);
    this.sums.add(name, this.#unit, number);
  }

  /** Whether a value tells a record from others: by its name, or as the first text of the record. */
  #identifies({ identifies }: FieldName, isText: boolean): boolean {
    const isFirst = isText && identifies !== false && this.#isIdentified[this.#unit] === false;
    if (isFirst) this.#isIdentified[this.#unit] = true;
    return isFirst || identifies === true;
  }

  #nameOf(name: string): FieldName {
    const held = this.names.get(name);
    if (held !== undefined) return held;
    const made = readFieldName(this.#lexicon, name);
    this.names.set(name, made);
    for (const entry of made.entries) this.words.countKnown(entry);
    return made;
  }
}

function countBlanks(text: string): number {
  let count = 0;
  for (let at = text.indexOf(' '); at >= 0 && count <= MOST_WORDS; count++) {
    at = text.indexOf(' ', at + 1);
  }
  return count;
}
