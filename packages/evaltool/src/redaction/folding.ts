import { Buffer } from 'node:buffer';

/** Escapes of JSON and JavaScript, of HTML, and of URLs; a backslash may have been escaped again. */
const ESCAPE =
  /(?:\\+u[0-9a-f]{4})+|\\+u\{[0-9a-f]{1,6}\}|\\+x[0-9a-f]{2}|\\+[nrtbf]?|&(?:#x[0-9a-f]{1,6}|#\d{1,7}|amp|lt|gt|quot|apos|nbsp);|(?:%[0-9a-f]{2})+/gi;

/** The first units of escapes: a search for one unit costs far less than an expression. */
const ESCAPES = ['\\', '&', '%'];

/** Marks that a letter is composed with, and characters that are not seen. */
const UNSEEN = /[\p{M}\p{Cf}]+/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' },
};

const MAX_CODE_POINT = 0x10ffff;

/** A text in the form in which spellings of the same text are equal, and where its units come from. */
export interface Folded {
  readonly text: string;
  /** By unit of `text` where the part begins and ends that it stands for. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** Whether a text has no other characters than those of ASCII. */
export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

function mayEscape(text: string): boolean {
  return ESCAPES.some((unit) => text.includes(unit));
}

/** Whether a text's folded form differs from the text by more than the case of ASCII letters and white space. */
export function isFoldable(text: string): boolean {
  return !isAscii(text) || mayEscape(text);
}

/** Marks, what is not seen, pairs of units, and white space that becomes one space. */
const SHRINKING = /[\p{M}\p{Cf}\u{10000}-\u{10ffff}]|\s\s/u;

/** Whether a part of the text may have fewer units in the folded form. */
export function mayShrink(text: string): boolean {
  return mayEscape(text) || SHRINKING.test(text);
}

/**
 * The form in which spellings of the same text are equal: without escapes, composition, marks and invisible
 * characters, in lower case, with one space for white space, and plain quotes and dashes.
 */
export function fold(text: string): string {
  const plain = mayEscape(text) ? text.replace(ESCAPE, decode) : text;
  const letters = isAscii(plain) ? plain.toLowerCase() : foldLetters(plain);
  return letters.replace(/\s+/g, ' ');
}

/** Units of a text that are folded together: folded they may be 18 times as many. */
export const PART = 8_192;

/** Units before a part that belong to it too, so that an escape or a window is not cut. */
const OVERLAP = 256;

/** The {@link PART} units of a text from `start` on, with those before them. */
export function partAt(text: string, start: number): string {
  return text.slice(Math.max(0, start - OVERLAP), start + PART);
}

/** The parts of a text in the form of {@link fold}; those that windows are found in without, as they are. */
export function* foldedPartsOf(text: string): Generator<string, void, undefined> {
  for (let start = 0; start < text.length; start += PART) {
    const part = partAt(text, start);
    yield isFoldable(part) ? fold(part) : part;
  }
}

/** As {@link fold}, with the places of the text. */
export function foldWithPlaces(text: string): Folded {
  const folder = new Folder();
  let end = 0;
  for (const { index, 0: found } of mayEscape(text) ? text.matchAll(ESCAPE) : []) {
    folder.addPlain(text, end, index);
    end = index + found.length;
    folder.add(fold(decode(found)), index, end);
  }
  folder.addPlain(text, end, text.length);
  return folder;
}

class Folder implements Folded {
  text = '';
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly #known = new Map<string, string>();

  addPlain(text: string, from: number, to: number): void {
    for (let at = from; at < to; ) {
      const unit = text.charCodeAt(at);
      const character = unit < 0x80 ? text[at] : String.fromCodePoint(text.codePointAt(at) ?? 0);
      const next = at + (character as string).length;
      this.add(this.#foldOne(character as string), at, next);
      at = next;
    }
  }

  #foldOne(character: string): string {
    const known = this.#known.get(character);
    if (known !== undefined) return known;
    const folded = foldLetters(character).replace(/\s+/g, ' ');
    this.#known.set(character, folded);
    return folded;
  }

  add(folded: string, start: number, end: number): void {
    const isSpaceAgain = folded === ' ' && this.text.endsWith(' ');
    if ((folded === '' || isSpaceAgain) && this.ends.length > 0) {
      this.ends[this.ends.length - 1] = end;
      return;
    }
    this.text += folded;
    for (let unit = 0; unit < folded.length; unit += 1) {
      this.starts.push(start);
      this.ends.push(end);
    }
  }
}

function foldLetters(text: string): string {
  // Before: the time in which marks in a row are put in order grows with the square of their number.
  // Upper case first: some letters have several lower-case forms.
  return text
    .replace(UNSEEN, '')
    .normalize('NFKD')
    .replace(UNSEEN, '')
    .toUpperCase()
    .toLowerCase()
    .replace(/ς/g, 'σ')
    .replace(/[‘’‚‛′ʼ]/g, "'")
    .replace(/[“”„‟″]/g, '"')
    .replace(/[‐-―−]/g, '-');
}

function decode(found: string): string {
  if (found.startsWith('%')) return Buffer.from(found.replaceAll('%', ''), 'hex').toString();
  if (found.startsWith('&')) return decodeEntity(found.slice(1, -1).toLowerCase());
  const name = found.replace(/^\\+/, '').toLowerCase();
  if (name.startsWith('u{')) return fromCodePoint(Number.parseInt(name.slice(2), 16));
  if (/^[ux]/.test(name)) {
    const units = [...found.matchAll(/[ux]([0-9a-f]+)/gi)];
    return String.fromCharCode(...units.map(([, digits]) => Number.parseInt(digits ?? '', 16)));
  }
  return name === '' ? '' : ' ';
}

function decodeEntity(name: string): string {
  if (!name.startsWith('#')) return ENTITIES[name] ?? '';
  const isHex = name.startsWith('#x');
  return fromCodePoint(Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10));
}

function fromCodePoint(code: number): string {
  return code <= MAX_CODE_POINT ? String.fromCodePoint(code) : '';
}
