import { ALPHABET, CODE_LENGTH } from './token-form.ts';

/** A part of a token as a pattern: whole, and begun at the end of a text. */
interface Atom {
  readonly whole: string;
  /** Proper beginnings of the part that are not empty; empty where it has none. */
  readonly begun: string;
  /** UTF-16 units at most. */
  readonly longest: number;
}

/** The patterns for the tokens of one type, however a model writes them. */
export interface TokenWriting {
  readonly whole: string;
  readonly begun: string;
  readonly longest: number;
}

/** Spaces that a wrapped line begins with, at most. */
const INDENT = 4;
/** With the marks of a quoted mail; of quoted-printable text a soft break. */
const WRAP = String.raw`=?\r?\n[ \t]{0,${INDENT}}(?:>[ \t]?){0,2}|[\u00ad\u200b\u2060\u2028\u2029]|<wbr>`;
const WRAP_BEGUN = String.raw`=?\r|=|<(?:w(?:br?)?)?`;
const LONGEST_WRAP = '=\r\n'.length + INDENT + 2 * '> '.length;

/** Between two letters of a code. */
const IN_CODE: Atom = {
  whole: `(?:${WRAP})?`,
  begun: `(?:${WRAP_BEGUN})`,
  longest: LONGEST_WRAP,
};
/** Between two letters of a type. */
const IN_TYPE: Atom = { ...IN_CODE, whole: `(?:[_\\- ]|${WRAP})?` };
/** Between the words of a type, and before its code: also escaped for Markdown, percent-encoded, and as an entity. */
const SEPARATOR = String.raw`\\{0,2}[_\- ]|%(?:25)?(?:5f|2d|20)|&(?:#(?:0?95|x5f)|lowbar);|${WRAP}`;
const SEPARATORS = 3;
const BETWEEN_WORDS: Atom = {
  whole: `(?:${SEPARATOR}){0,${SEPARATORS}}`,
  begun: String.raw`(?:${SEPARATOR}){0,${SEPARATORS - 1}}(?:\\{1,2}|%(?:2(?:5[25]?)?|5)?|&(?:#(?:0?9?5?|x5?f?)|l(?:o(?:w(?:b(?:ar?)?)?)?)?)?|${WRAP_BEGUN})`,
  longest: SEPARATORS * '&lowbar;'.length,
};
const OPENING: Atom = bracketAtom(String.raw`\[`, '5b', '91', ['lbrack', 'lsqb']);
const CLOSING: Atom = bracketAtom(String.raw`\]`, '5d', '93', ['rbrack', 'rsqb']);

/** Everything within a token that is not one of its letters. */
const FILLING = new RegExp(`${SEPARATOR}|${WRAP}`, 'giu');
const PERCENT_ENCODED = /%(?:25)?(?:5[bdf]|2d|20)/i;
const TWICE_ENCODED = /%25(?:5[bdf]|2d|20)/i;

/** @param name the type of the tokens with its last underscore: `IP_ADDRESS_` */
export function writingOf(name: string): TokenWriting {
  const letters: Atom[] = [];
  for (const [index, sign] of [...name].entries()) {
    if (sign === '_') letters.push(BETWEEN_WORDS);
    else {
      letters.push(letter(sign.replace(/[^A-Z0-9]/g, '\\$&')));
      if (name[index + 1] !== '_') letters.push(IN_TYPE);
    }
  }
  for (let index = 0; index < CODE_LENGTH; index += 1) {
    if (index > 0) letters.push(IN_CODE);
    letters.push(letter(`[${ALPHABET}]`));
  }
  return {
    whole: letters.map(({ whole }) => whole).join(''),
    begun: beginningOf([...letters, { ...CLOSING, whole: '(?!)' }]),
    longest: letters.reduce((sum, { longest }) => sum + longest, 0),
  };
}

/** Quotation marks of JSON, also of JSON in a string. */
const QUOTE = String.raw`\\{0,7}"`;
const LONGEST_QUOTE = 8;

/**
 * Patterns for any of some writings, in brackets and without them.
 *
 * @param areQuoted whether the quotation marks around a token belong to it
 */
export function patternsOf(writings: readonly TokenWriting[], areQuoted = false) {
  const whole = writings.map((writing) => writing.whole).join('|');
  const begun = writings.map((writing) => writing.begun).join('|');
  const before = String.raw`(?<![\p{L}\p{N}])`;
  const after = String.raw`(?![\p{L}\p{N}])`;
  const token = `(?:${OPENING.whole}(?<bracketed>${whole})${CLOSING.whole}|${before}(?<bare>${whole})${after})`;
  const beginning = `${OPENING.whole}(?:${begun})?|${OPENING.begun}|${before}(?:${begun})`;
  const longest =
    OPENING.longest + CLOSING.longest + Math.max(...writings.map(({ longest }) => longest));
  if (!areQuoted) {
    return {
      whole: new RegExp(token, 'giu'),
      begun: new RegExp(`(?:${beginning})$`, 'giu'),
      longest,
    };
  }
  // With the mark before it a whole token waits for the one after it.
  const quoted = `${QUOTE}(?:${OPENING.whole}(?:${whole})${CLOSING.whole}(?:\\\\{1,7})?|${beginning})?`;
  return {
    whole: new RegExp(`(?<opening>${QUOTE})?${token}(?<closing>${QUOTE})?`, 'giu'),
    begun: new RegExp(`(?:${quoted}|\\\\{1,7}|${beginning})$`, 'giu'),
    longest: longest + 2 * LONGEST_QUOTE,
  };
}

/** A token in capitals, without separators and wraps. */
export function plainForm(token: string): string {
  return token.replace(FILLING, '').toUpperCase();
}

/** The value for a token that is written as `written`: percent-encoded, once or twice, where the token is. */
export function valueFor(written: string, value: string): string {
  if (!PERCENT_ENCODED.test(written)) return value;
  const encoded = encodeURIComponent(value.toWellFormed());
  return TWICE_ENCODED.test(written) ? encodeURIComponent(encoded) : encoded;
}

function letter(whole: string): Atom {
  return { whole, begun: '', longest: 1 };
}

function bracketAtom(sign: string, percent: string, code: string, names: readonly string[]): Atom {
  const entities = [`#${code}`, `#x${percent}`, ...names];
  const sequences = [`%${percent}`, `%25${percent}`, ...entities.map((each) => `&${each};`)];
  const unicode = `u00${percent}`;
  // Backslashes twice for Markdown in JSON, and for escapes of JSON in JSON.
  return {
    whole: `(?:\\\\{0,2}${sign}|\\\\{1,2}${unicode}|${sequences.join('|')})`,
    begun: `(?:\\\\{1,2}(?:${properBeginning(unicode)})?|${sequences.map(properBeginning).join('|')})`,
    longest: Math.max(...[...sequences, `\\\\${unicode}`].map(({ length }) => length)),
  };
}

/** Matches a text up to any of its signs but the last. */
function properBeginning(text: string): string {
  return [...text]
    .slice(0, -1)
    .reduceRight((rest, sign) => (rest === '' ? sign : `${sign}(?:${rest})?`), '');
}

/** Matches parts from the first one on up to any place in them. */
function beginningOf(atoms: readonly Atom[]): string {
  return atoms.reduceRight((rest, { whole, begun }) => {
    const more = rest === '' ? whole : `${whole}(?:${rest})?`;
    return begun === '' ? more : `(?:${more}|${begun})`;
  }, '');
}
