import { GAP } from '../../language/join-words.ts';
import type { Entry, Lexicon } from '../../language/lexicon.ts';
import { KIND } from '../../language/lexicon.ts';
import { isName } from '../../language/pair.ts';
import { readWords } from '../../language/sentences.ts';
import { ALIKE, RELATION } from '../../language/word-relation.ts';
import type { WordSpan } from '../../language/words.ts';
import { MINUTES } from '../source-numbers.ts';
import type { FieldName } from './field-names.ts';
import { isGrammar } from './field-names.ts';
import { halfUnitOf } from './record-numbers.ts';
import type { RecordTable } from './record-table.ts';
import { SPOKEN } from './record-vocabulary.ts';
import type { Course } from './unit-walk.ts';
import { UnitWalk } from './unit-walk.ts';

/** What of a claim the records have, and what speaks against it. */
export interface RecordFindings {
  /** Numbers that no record has, ... */
  numbers: number;
  /** ... and those that may be computed from what records have. */
  open: number;
  /** Months and weekdays that no record has. */
  dates: number;
  /** Names that no record has. */
  names: number;
  /** Words of substance that no record has, and what they weigh. */
  words: number;
  newWeight: number;
  /** Values that a record has, and what all words that were found weigh. */
  anchors: number;
  foundWeight: number;
  /** Truth values and opposites that the claim turns round. */
  denials: number;
  /** Whether it speaks to the reader, or of what may be. */
  isAdvice: boolean;
  /** Values that stand with another record than their own. */
  strays: number;
}

/** How far before and behind a word a negation belongs to it. */
const SCOPE = 4;
/** Names that are compared with a word at most. */
const MOST_NAMES = 256;
const ORDINAL = /(?:st|nd|rd|th)$/;
/** The name of what may have happened: `cancelled_at`. */
const PARTICIPLE = /ed\b/;
/** Kinds of words that claim nothing of a record. */
const SAID = KIND.modal | KIND.affirmation | KIND.refusal | KIND.frame;
const ABOUT = /^(?:about|around|roughly|approximately|nearly|almost|over|under|some|circa)$/;
/** Words of a claim or of its question that say that a number is computed, ... */
const SUM =
  /\b(?:totals?|sum|combined|altogether|all|together|overall|average|mean|differen(?:ce|t)|change[ds]?|(?:in|de)creased?|less|more|fewer|cheaper|higher|lower|larger|smaller|longer|shorter|above|below|ahead|behind)\b/i;
/** ... and that it is computed by division. */
const RATIO = /%|\b(?:percent(?:age)?|ratio|proportion|share|rate|times|growth|grew)\b/i;
/** Before a number that only bounds a value. */
const BOUND =
  /\b(?:over|under|above|below|than|least|most|exceed\w*|within|after|before|since|until) $/;
const SPOKEN_SCALE = /\b(?:thousand|million|billion)s?\b/i;
/** Of a number of years, decades or centuries nothing says when they began. */
/** The 1990s, the 90's. */
const DECADE = /\d0'?s$/;
const AGE = /^(?:years?|year|decades?|century|centuries|old)$/;
/** Before what is not so yet: "you need to renew it". */
const MAY_BE = /^(?:can|could|should|need|needs|must|may|might|would)$/;
const UP = /^(?:up|rose|risen|gained|gains?|increased?|higher|grew|climbed)$/;
const DOWN = /^(?:down|fell|fallen|lost|loses?|decreased?|lower|dropped|declined)$/;

/** Compares claims with records. */
export class RecordComparer {
  readonly #table: RecordTable;
  readonly #lexicon: Lexicon;
  /** Stems that the question has: to repeat them claims nothing. */
  readonly #asked: ReadonlySet<number>;
  readonly #question: string;
  readonly #fields: readonly FieldWord[];
  /** By stem the name that a word stands for. */
  readonly #alike = new Map<number, NamedWord | undefined>();

  /** @param question the question of the user */
  constructor(table: RecordTable, lexicon: Lexicon, question: string) {
    this.#table = table;
    this.#lexicon = lexicon;
    this.#asked = new Set(readWords(lexicon, question).stems);
    this.#question = question;
    this.#fields = fieldWords(table);
  }

  /** @param text that the claim is a part of */
  compare(span: WordSpan, text: string, course: Course): RecordFindings {
    const { words, from, to } = span;
    const found = noFindings();
    const walk = new UnitWalk(this.#table, course);
    const claim: WalkedClaim = {
      span,
      text,
      found,
      walk,
      isNegated: negationTest(span),
      sides: new Set(),
    };
    for (let at = from; at < to; at++) {
      const entry = words.entries[at] as Entry;
      if ((entry.kinds & KIND.modal) !== 0 || entry.word === 'you') found.isAdvice = true;
      if ((entry.kinds & KIND.number) !== 0) this.#number(claim, at);
      else if (!isGrammar(entry) && !isBehindSelf(span, at)) this.#word(claim, at);
      this.#direction(entry, found);
    }
    found.strays = walk.finish();
    for (const denies of walk.denials()) if (denies) found.denials++;
    // Names of data and most of its values are English, whatever the language of an answer.
    if (!this.#lexicon.grammar.isEnglish) found.words = found.newWeight = 0;
    return found;
  }

  #number(claim: WalkedClaim, at: number): void {
    const { span, text, found, walk } = claim;
    const { words, from } = span;
    const { value, word, stem } = words.entries[at] as Entry;
    const start = words.start[at] as number;
    const own = text.slice(start, words.end[at] as number);
    const written = this.#lexicon.grammar.isEnglish ? own : inEnglish(own, value);
    const isSpelled = !/\d/.test(written);
    const isAbout = text.charAt(start - 1) === '~' || isBehind(span, at, ABOUT);
    const units = this.#table.numbers.find(value, written, isAbout);
    // A table may have "in millions" in its title.
    const shown = SPOKEN_SCALE.test(written)
      ? Number.parseFloat(written.replaceAll(',', ''))
      : value;
    const scaled = units.length > 0 ? units : this.#table.numbers.find(shown, '', false);
    if (scaled.length > 0) {
      found.anchors++;
      found.foundWeight += words.weights[at] as number;
      if (!isSpelled) walk.take(scaled, this.#isIdentity(value, stem));
      return;
    }
    if (isSpelled && value <= 1) return;
    if (this.#table.numbers.hasCount(value)) return;
    if (this.#asked.has(stem) || this.#table.words.find(stem) !== undefined) return;
    if (ORDINAL.test(word) && value <= 3 && at > from) return;
    const isComputed = this.#isComputed(claim, at, shown, halfUnitOf(shown, written));
    if (isComputed) {
      found.anchors++;
      found.foundWeight += words.weights[at] as number;
    } else if (isComputed === undefined) found.open++;
    else found.numbers++;
  }

  /** Whether a number is computed from values; undefined where it may be, in a way that is not tried here. */
  #isComputed(claim: WalkedClaim, at: number, value: number, half: number): boolean | undefined {
    const { words, from, to } = claim.span;
    const { sums, numbers } = this.#table;
    const next = at + 1 < to ? (words.entries[at + 1] as Entry).word : '';
    const minutes = MINUTES.get(next);
    if (minutes !== undefined && sums.isSpan(value, minutes)) return true;
    const written = claim.text.slice(words.start[at] as number, words.end[at] as number);
    if (next.startsWith('centur'))
      return numbers.hasBetween(100 * value - 100, 100 * value) || undefined;
    if (DECADE.test(written)) return numbers.hasBetween(value, value + 9) || undefined;
    const before = claim.text.slice(words.start[from] as number, words.start[at] as number);
    const said = claim.text.slice(words.start[from] as number, words.end[to - 1] as number);
    const sum = this.#lexicon.grammar.sums ?? SUM;
    const isSum = sum.test(said) || sum.test(this.#question);
    if (isSum && sums.isSum(value, half)) return true;
    const isRatio = RATIO.test(said) || RATIO.test(this.#question);
    if (isRatio && sums.isRatio(value, half)) return true;
    return isSum || isRatio || BOUND.test(before) || AGE.test(next) ? undefined : false;
  }

  #word(claim: WalkedClaim, at: number): void {
    const { span, found, walk, isNegated } = claim;
    const { words, from } = span;
    const entry = words.entries[at] as Entry;
    const weight = words.weights[at] as number;
    const value = this.#table.words.find(entry.stem);
    const name = this.#nameLike(entry);
    const isHeld =
      name !== undefined &&
      !isBehind(span, at, MAY_BE) &&
      this.#holdTruth(claim, name, isNegated(at - from));
    if (value !== undefined) {
      found.anchors++;
      found.foundWeight += weight;
      for (const side of entry.opposites) claim.sides.add(side);
      if (name === undefined) walk.take(value.units, value.identifies);
      return;
    }
    if (name === undefined) this.#holdOpposites(claim, entry, isNegated(at - from));
    if (isHeld) found.anchors++;
    if (
      name !== undefined ||
      this.#table.words.hasSense(entry.senses) ||
      this.#asked.has(entry.stem)
    ) {
      found.foundWeight += weight;
      return;
    }
    if ((entry.kinds & KIND.unit) !== 0 || SPOKEN.has(entry.word)) return;
    if ((entry.kinds & KIND.calendar) !== 0) found.dates++;
    else if (this.#isName(span, at)) found.names++;
    else if ((entry.kinds & SAID) === 0) {
      found.words++;
      found.newWeight += weight;
    }
  }

  /** Other languages have capitals after colons, and German at each noun: these words are not names. */
  #isName({ words, from, ...span }: WordSpan, at: number): boolean {
    const { isEnglish, hasCapitalNouns } = this.#lexicon.grammar;
    const isBehindColon = ((words.gap[at] as number) & GAP.pause) !== 0;
    if (hasCapitalNouns || (isBehindColon && !isEnglish)) return false;
    return isName({ words, from, ...span }, at - from);
  }

  #isIdentity(value: number, stem: number): boolean {
    const { numbers, words } = this.#table;
    return numbers.isIdentity(value) || words.find(stem)?.identifies === true;
  }

  /** The name that a word stands for, or denies. */
  #nameLike(entry: Entry): NamedWord | undefined {
    if (this.#alike.has(entry.stem)) return this.#alike.get(entry.stem);
    let best: NamedWord | undefined;
    for (const { field, entry: own } of this.#fields) {
      const bits = this.#lexicon.relation(entry, own);
      const isSame = own.stem === entry.stem;
      const isOpposite = !isSame && (bits & RELATION.opposite) !== 0;
      // The opposite of a name denies its truth value, and says nothing else of it.
      if (isOpposite ? !isTruth(field) : !isSame && (bits & ALIKE) === 0) continue;
      const rank = (field.truths.size > 0 ? 2 : 0) + (isSame ? 1 : 0);
      if (best === undefined || rank > best.rank) best = { field, isOpposite, rank };
    }
    this.#alike.set(entry.stem, best);
    return best;
  }

  /** Has it checked whether a claim gives a name another truth value than its record does. */
  #holdTruth({ walk }: WalkedClaim, { field, isOpposite }: NamedWord, isNegated: boolean): boolean {
    if (field.truths.size === 0) return false;
    walk.check((unit) => {
      const truth = truthOf(field, unit, this.#table);
      if (truth === undefined) return false;
      if (truth !== null) return (truth === 1) !== (isOpposite === isNegated);
      return !isNegated && !isOpposite && field.filled.size === 0 && PARTICIPLE.test(field.words);
    });
    return true;
  }

  /** Has it checked whether a record has the opposite of a word. */
  #holdOpposites({ walk, sides }: WalkedClaim, { opposites }: Entry, isNegated: boolean): void {
    if (isNegated) return;
    for (const side of opposites) {
      const units = this.#table.words.findSide(-side);
      if (units === undefined) continue;
      walk.check(
        (unit) =>
          !sides.has(-side) && units.some((each) => each > 0 && this.#table.isWithin(each, unit)),
      );
      return;
    }
  }

  #direction({ word }: Entry, found: RecordFindings): void {
    const { signs } = this.#table.numbers;
    if ((signs === 1 && UP.test(word)) || (signs === 2 && DOWN.test(word))) found.denials++;
  }
}

/** A claim while it is compared. */
interface WalkedClaim {
  readonly span: WordSpan;
  readonly text: string;
  readonly found: RecordFindings;
  readonly walk: UnitWalk;
  readonly isNegated: (at: number) => boolean;
  /** The sides of pairs of opposites that it repeats of a value. */
  readonly sides: Set<number>;
}

/** A word of a name. */
interface FieldWord {
  readonly field: FieldName;
  readonly entry: Entry;
}

/** A name that a word of a claim stands for, or denies. */
interface NamedWord {
  readonly field: FieldName;
  readonly isOpposite: boolean;
  readonly rank: number;
}

function fieldWords(table: RecordTable): FieldWord[] {
  const all: FieldWord[] = [];
  for (const field of table.names.values()) {
    for (const entry of field.entries) if (!isGrammar(entry)) all.push({ field, entry });
    if (all.length > MOST_NAMES) break;
  }
  return all;
}

/** Whether a name is all about whether something is so. */
function isTruth({ truths, size }: FieldName): boolean {
  return truths.size > 0 && size === 1;
}

/** The truth value of a name in a record or in those around it; undefined where it has none there. */
function truthOf(field: FieldName, unit: number, table: RecordTable): number | null | undefined {
  const { truths, filled } = field;
  for (let at = unit; at > 0; at = table.parents[at] as number) {
    if (truths.has(at)) return truths.get(at);
    if (filled.has(at)) return undefined;
  }
  return truths.size > 1 || filled.size > 0 ? undefined : truths.values().next().value;
}

/** A number as English writes it, with as many decimals as it has: "1 440,38" and "1.440,38" are 1440.38. */
function inEnglish(written: string, value: number): string {
  if (!/\d/.test(written) || written.includes(':')) return written;
  const decimals = /[.,](\d{1,2}|\d{4,})$/.exec(written)?.[1]?.length ?? 0;
  return value.toFixed(Math.min(20, decimals));
}

/** Whether one of some words stands shortly before a place. */
function isBehind({ words, from }: WordSpan, at: number, pattern: RegExp): boolean {
  for (let before = at - 1; before >= from && before >= at - 3; before--) {
    if (pattern.test((words.entries[before] as Entry).word)) return true;
  }
  return false;
}

/** Whether a word names an act of the assistant: "I checked". */
function isBehindSelf({ words, from }: WordSpan, at: number): boolean {
  return at > from && SELF.test((words.entries[at - 1] as Entry).word);
}

/** Whether a word is negated: by a negation shortly before it in the same clause. */
function negationTest({ words, from, to, negated }: WordSpan): (at: number) => boolean {
  return (at) => {
    let count = negated;
    for (let place = from + at; place >= from && place >= from + at - SCOPE; place--) {
      const kinds = words.kinds[place] as number;
      if ((kinds & KIND.negation) !== 0 && (place < from + at || (kinds & KIND.function) === 0))
        count++;
      if (isBorder(words, place)) break;
    }
    for (let place = from + at + 1; place < to && place <= from + at + SCOPE; place++) {
      const { kinds, word } = words.entries[place] as Entry;
      // The value of a name: "Insurance: No".
      if (word === 'no' && place === to - 1) count++;
      if (isBorder(words, place)) break;
      const isNegation = (kinds & KIND.negation) !== 0 || OFF.test(word);
      const isSaid = isPredicate(words.entries[place - 1]) || BE.test(word);
      if (isNegation && isSaid) count++;
    }
    return count % 2 === 1;
  };
}

/** Whether a clause ends before a word; a hyphen within a word ends none. */
function isBorder({ gap, start, end }: WordSpan['words'], place: number): boolean {
  const signs = gap[place] as number;
  if ((signs & GAP.stop) !== 0) return true;
  const isHyphen = (start[place] as number) - (end[place - 1] as number) === 1;
  return (signs & GAP.pause) !== 0 && !isHyphen;
}

const SELF = /^(?:i|we)$/;
const BE =
  /^(?:is|are|was|were|has|have|had|be|been|do|does|did|turned|switched|set|to|currently|now|still)$/;
/** Says of a name that its truth value is false. */
const OFF = /^(?:off|disabled|deactivated|inactive|false)$/;

function isPredicate(entry: Entry | undefined): boolean {
  return entry !== undefined && BE.test(entry.word);
}

function noFindings(): RecordFindings {
  return {
    numbers: 0,
    open: 0,
    dates: 0,
    names: 0,
    words: 0,
    newWeight: 0,
    anchors: 0,
    foundWeight: 0,
    denials: 0,
    strays: 0,
    isAdvice: false,
  };
}
