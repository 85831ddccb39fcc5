import { mixLetter, PRIME, SECOND_SALT, WORD_SALT } from '../models/hashing.ts';
import {
  BLANK,
  classOf,
  DIGIT,
  isPlain,
  isPlainIn,
  kindIn,
  kindOf,
  LETTER,
  lowerOf,
  MARK,
  NEWLINE,
  UPPER,
  wordKindIn,
} from './characters.ts';
import type { FoldedForm, TokenRows } from './token-row.ts';
import {
  FOLDED_SHIFT,
  GROUP,
  LENGTH_SHIFT,
  MARKS,
  MAX_LENGTH,
  NARROW,
  NORMALIZED_SHIFT,
  WITH_FOLDED,
  WITH_PLACES,
} from './token-row.ts';
import { HASH_PRIME, HASH_SEED } from './word-hash.ts';

const SMALL_A = 0x61;
const SMALL_Z = 0x7a;
const EDIT = 4;
/** No unit: what folding has removed, or added. */
const NONE = -1;
/** A place in `edits` that no text comes to. */
const NEVER = 0xffff_ffff;
/** Room for longer texts is given back. */
const MAX_KEPT = 1 << 18;
const NO_ROWS = new Int32Array(0);
const GROUPS: readonly number[] = [
  ...[GROUP.sign, GROUP.letters, GROUP.letters, GROUP.digits, GROUP.wide],
];

const SIGN_ROW = MARK | (GROUP.sign << NORMALIZED_SHIFT) | (GROUP.sign << FOLDED_SHIFT);
const BREAK_ROW = BLANK | MARKS.lineBreak;
const DIGITS_ROW =
  DIGIT | MARKS.plain | (GROUP.digits << NORMALIZED_SHIFT) | (GROUP.digits << FOLDED_SHIFT);
const LETTERS_ROW =
  LETTER |
  MARKS.letters |
  MARKS.plain |
  (GROUP.letters << NORMALIZED_SHIFT) |
  (GROUP.letters << FOLDED_SHIFT);

/** Rows of short texts are written one behind the other, since every array of its own costs more than its rows. */
const SHARED = 1 << 16;
let shared = NO_ROWS;
let sharedUsed = 0;
/** Rows of a long text, before it is known how many there are. */
let room = NO_ROWS;

let units = 0;

/** How many UTF-16 units of texts were split since the module was loaded; that of a scan is the length of its texts. */
export function unitsSplit(): number {
  return units;
}

/**
 * Splits a normalized text and its folded form into rows, in one pass over both, in time linear in the
 * text. The text is walked along once; where folding changed the length, its `edits` say by how much.
 *
 * @param folded undefined where the folded form is the text in lower case
 */
export function tokenize(text: string, folded?: FoldedForm): TokenRows {
  units += text.length;
  const width =
    folded === undefined ? NARROW : folded.edits === undefined ? WITH_FOLDED : WITH_PLACES;
  // A unit of either text makes a row at most.
  const most = (text.length + (folded?.edits === undefined ? 0 : folded.text.length)) * width;
  return { rows: most > SHARED / 4 ? ownRows() : sharedRows(), width };

  function sharedRows(): Int32Array {
    if (sharedUsed + most > shared.length) {
      shared = new Int32Array(SHARED);
      sharedUsed = 0;
    }
    const from = sharedUsed;
    sharedUsed = new Tokenizer(text, folded, width, shared, from).run();
    return shared.subarray(from, sharedUsed);
  }

  function ownRows(): Int32Array {
    if (room.length < most) room = new Int32Array(most * 2);
    const rows = room.slice(0, new Tokenizer(text, folded, width, room, 0).run());
    if (room.length > MAX_KEPT) room = NO_ROWS;
    return rows;
  }
}

class Tokenizer {
  readonly #text: string;
  readonly #folded: string;
  readonly #edits: Uint32Array | undefined;
  readonly #rows: Int32Array;
  readonly #width: number;
  #used: number;
  /** Where the pass is in the text and in its folded form. */
  #at = 0;
  #foldedAt = 0;
  #edit = 0;
  #nextEdit: number;
  /** What runs in the folded text: LETTER, DIGIT or neither. */
  #kind = BLANK;
  #hash = 0;
  #check = 0;
  #isAscii = 0;
  /** The hashes of the words that run in both texts. */
  #word = HASH_SEED;
  #foldedWord = HASH_SEED;
  /** The row that units beyond ASCII may be added to. */
  #open = NONE;
  #openGroup = NONE;
  #openKind = NONE;
  #openFolded = NONE;
  #openPlain = 0;

  constructor(
    text: string,
    folded: FoldedForm | undefined,
    width: number,
    rows: Int32Array,
    from: number,
  ) {
    this.#text = text;
    this.#folded = folded?.text ?? text;
    this.#edits = folded?.edits;
    this.#nextEdit = this.#edits?.[2] ?? NEVER;
    this.#width = width;
    this.#rows = rows;
    this.#used = from;
  }

  /** Writes the rows; returns where they end. */
  run(): number {
    const text = this.#text;
    const { length } = text;
    while (this.#at < length) {
      const code = text.charCodeAt(this.#at);
      if (code > 127) {
        this.#beyondAscii(code);
        continue;
      }
      this.#open = NONE;
      const kind = kindOf(code);
      if (kind === LETTER) this.#letters(code);
      else if (kind === DIGIT) this.#digits();
      else this.#sign(code, kind);
    }
    return this.#used;
  }

  /** Takes letters of ASCII, of which folding changes no more than the case. */
  #letters(first: number): void {
    const text = this.#text;
    const start = this.#at;
    const last = Math.min(text.length, start + MAX_LENGTH);
    const goesOn = this.#kind === LETTER;
    let hash = goesOn ? this.#hash : WORD_SALT;
    let check = goesOn ? this.#check : SECOND_SALT;
    let word = this.#word;
    let foldedWord = this.#foldedWord;
    let capitals = 0;
    let marks = LETTERS_ROW | (goesOn ? MARKS.goesOn : 0) | (first < SMALL_A ? MARKS.capital : 0);
    let before = 0;
    let at = start;
    for (; at < last; at++) {
      const code = text.charCodeAt(at);
      const low = code | 0x20;
      if (low < SMALL_A || low > SMALL_Z) break;
      hash = mixLetter(hash, low);
      check = Math.imul(check ^ low, PRIME);
      check ^= check >>> 13;
      word = Math.imul(word ^ low, HASH_PRIME);
      foldedWord = Math.imul(foldedWord ^ low, HASH_PRIME);
      if (low !== code) {
        capitals++;
        if (before >= SMALL_A) marks |= MARKS.opensWithin;
      }
      before = code;
    }
    if (capitals === at - start) marks |= MARKS.capitals;
    if (!goesOn) this.#isAscii = MARKS.isAscii;
    this.#kind = LETTER;
    this.#hash = hash;
    this.#check = check;
    this.#word = word;
    this.#foldedWord = foldedWord;
    this.#add(marks | this.#isAscii, at - start);
  }

  #digits(): void {
    const text = this.#text;
    const start = this.#at;
    const last = Math.min(text.length, start + MAX_LENGTH);
    const goesOn = this.#kind === DIGIT ? MARKS.goesOn : 0;
    let at = start;
    for (; at < last; at++) {
      const code = text.charCodeAt(at);
      if (code < 0x30 || code > 0x39) break;
      this.#word = Math.imul(this.#word ^ code, HASH_PRIME);
      this.#foldedWord = Math.imul(this.#foldedWord ^ code, HASH_PRIME);
    }
    this.#kind = DIGIT;
    this.#hash = 0;
    this.#add(DIGITS_ROW | goesOn, at - start);
  }

  #sign(code: number, kind: number): void {
    this.#kind = BLANK;
    this.#word = HASH_SEED;
    this.#foldedWord = HASH_SEED;
    if (kind !== BLANK || code === NEWLINE) {
      this.#hash = code;
      this.#add(kind === BLANK ? BREAK_ROW : SIGN_ROW, 1);
    } else {
      this.#at++;
      this.#foldedAt++;
    }
  }

  /** Adds a row of as many units of either text, and goes on behind it. */
  #add(marks: number, length: number): void {
    const rows = this.#rows;
    const row = this.#used;
    this.#used = row + this.#width;
    rows[row] = this.#at;
    rows[row + 1] = marks | (length << LENGTH_SHIFT);
    this.#setHashes(row);
    if (this.#width > WITH_FOLDED) {
      rows[row + 6] = this.#foldedAt;
      rows[row + 7] = length;
    }
    this.#at += length;
    this.#foldedAt += length;
  }

  #setHashes(row: number): void {
    const rows = this.#rows;
    rows[row + 2] = this.#word;
    rows[row + 3] = this.#hash;
    rows[row + 4] = this.#check;
    if (this.#width > NARROW) rows[row + 5] = this.#foldedWord;
  }

  #beyondAscii(code: number): void {
    if (this.#at !== this.#nextEdit) {
      const isSame = this.#folded === this.#text;
      this.#unit(code, isSame ? code : this.#folded.charCodeAt(this.#foldedAt));
      return;
    }
    const edits = this.#edits as Uint32Array;
    const folded = edits[this.#edit + 1] as number;
    const length = edits[this.#edit + 3] as number;
    this.#edit += EDIT;
    this.#nextEdit = edits[this.#edit + 2] ?? NEVER;
    for (let unit = 0; unit < Math.max(length, folded); unit++) {
      this.#unit(
        unit < length ? this.#text.charCodeAt(this.#at) : NONE,
        unit < folded ? this.#folded.charCodeAt(this.#foldedAt) : NONE,
      );
    }
  }

  /** Takes a unit of the text and the one of the folded text that stands for it; one of them may be missing. */
  #unit(code: number, folded: number): void {
    const own = code === NONE ? NONE : classOf(code);
    const other = folded === code ? own : folded === NONE ? NONE : classOf(folded);
    const group = groupOf(own);
    const kind = other === NONE ? NONE : kindIn(other);
    if (kind === BLANK && group === GROUP.sign) {
      this.#kind = BLANK;
      this.#word = HASH_SEED;
      this.#foldedWord = HASH_SEED;
      this.#open = NONE;
      this.#at++;
      this.#foldedAt++;
      return;
    }
    const foldedGroup = groupOf(other);
    const goesOn = kind === this.#kind && (kind === LETTER || kind === DIGIT);
    if (kind !== NONE) this.#hashUnit(folded, kind, goesOn);
    if (group !== NONE) this.#word = goOn(this.#word, code, group);
    if (foldedGroup !== NONE) this.#foldedWord = goOn(this.#foldedWord, folded, foldedGroup);
    const isCapital = own !== NONE && wordKindIn(own) === UPPER;
    const plain = other !== NONE && this.#isPlain(folded, other) ? MARKS.plain : 0;
    if (this.#fitsOpenRow(group, kind, foldedGroup, plain)) {
      this.#extend(code !== NONE, folded !== NONE, isCapital);
    } else {
      let marks = MARKS.opensWithin | plain | (kind === NONE ? BLANK : kind);
      if (goesOn) marks |= MARKS.goesOn;
      if (kind === LETTER) marks |= this.#isAscii;
      if (group === GROUP.letters || group === GROUP.digits) marks |= MARKS.letters;
      if (isCapital) marks |= MARKS.capital | MARKS.capitals;
      marks |= Math.max(0, group) << NORMALIZED_SHIFT;
      marks |= Math.max(0, foldedGroup) << FOLDED_SHIFT;
      this.#addBeyond(marks, code !== NONE ? 1 : 0, folded !== NONE ? 1 : 0);
      const runs = isRun(group) && isRun(foldedGroup);
      const mayGoOn = runs && (kind === LETTER || kind === DIGIT || kind === NONE);
      this.#open = mayGoOn ? this.#used - this.#width : NONE;
      this.#openGroup = group;
      this.#openKind = kind;
      this.#openFolded = foldedGroup;
      this.#openPlain = plain;
    }
    if (!isRun(group)) this.#word = HASH_SEED;
    if (!isRun(foldedGroup)) this.#foldedWord = HASH_SEED;
  }

  #hashUnit(folded: number, kind: number, goesOn: boolean): void {
    this.#kind = kind === LETTER || kind === DIGIT ? kind : BLANK;
    if (kind !== LETTER) {
      this.#hash = kind === DIGIT ? 0 : folded;
      return;
    }
    if (!goesOn) {
      this.#hash = WORD_SALT;
      this.#check = SECOND_SALT;
      this.#isAscii = MARKS.isAscii;
    }
    if (folded > 127) this.#isAscii = 0;
    this.#hash = mixLetter(this.#hash, folded);
    const check = Math.imul(this.#check ^ folded, PRIME);
    this.#check = check ^ (check >>> 13);
  }

  /** Whether a unit of the folded text is of a letter or number; of one beyond the first plane either unit is. */
  #isPlain(code: number, of: number): boolean {
    if (code < 0xd800 || code > 0xdfff) return isPlainIn(of);
    const at = this.#foldedAt - (code >= 0xdc00 ? 1 : 0);
    return isPlain(this.#folded.slice(Math.max(0, at), at + 2));
  }

  #fitsOpenRow(group: number, kind: number, foldedGroup: number, plain: number): boolean {
    if (this.#open === NONE) return false;
    if (group !== NONE && group !== this.#openGroup) return false;
    if (kind !== NONE && (kind !== this.#openKind || plain !== this.#openPlain)) return false;
    if (foldedGroup !== NONE && foldedGroup !== this.#openFolded) return false;
    return (this.#rows[this.#open + 1] as number) >>> LENGTH_SHIFT < MAX_LENGTH;
  }

  #extend(isInText: boolean, isInFolded: boolean, isCapital: boolean): void {
    const rows = this.#rows;
    const row = this.#open;
    let marks = rows[row + 1] as number;
    if (isInText) {
      marks += 1 << LENGTH_SHIFT;
      if (!isCapital) marks &= ~MARKS.capitals;
      this.#at++;
    }
    if (isInFolded) {
      if (this.#isAscii === 0) marks &= ~MARKS.isAscii;
      this.#foldedAt++;
    }
    rows[row + 1] = marks;
    this.#setHashes(row);
    if (isInFolded && this.#width > WITH_FOLDED) rows[row + 7] = (rows[row + 7] as number) + 1;
  }

  #addBeyond(marks: number, length: number, foldedLength: number): void {
    this.#add(marks, length);
    this.#foldedAt += foldedLength - length;
    if (this.#width > WITH_FOLDED) this.#rows[this.#used - 1] = foldedLength;
  }
}

function groupOf(own: number): number {
  return own === NONE ? NONE : (GROUPS[wordKindIn(own)] as number);
}

/** Whether words go on beyond a unit of a group, or beyond one that is not there. */
function isRun(group: number): boolean {
  return group !== GROUP.sign && group !== GROUP.wide;
}

function goOn(word: number, code: number, group: number): number {
  const before = group === GROUP.wide ? HASH_SEED : word;
  return Math.imul(before ^ lowerOf(code), HASH_PRIME);
}
