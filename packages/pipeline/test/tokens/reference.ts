/** The three readers of tokens, written anew for short texts: each walks the text itself, unit by unit. */
import { hashOfWord } from '../../src/models/hash-words.ts';
import { PRIME, SECOND_SALT } from '../../src/models/hashing.ts';
import { isSentenceEnd, kindOf } from '../../src/tokens/characters.ts';

const KIND = { blank: 0, letter: 1, digit: 2 } as const;

/** A token of the models: a run of letters, a run of digits, or a sign; with what begins its segment. */
export interface ReferenceToken {
  readonly start: number;
  readonly end: number;
  readonly word: number;
  readonly check: number;
  readonly segment: number;
}

/** The tokens of a folded text as the models read it, cut into segments. */
export function modelTokens(text: string): ReferenceToken[] {
  const tokens: ReferenceToken[] = [];
  let segment = 0;
  let own: string[] = [];
  const close = () => {
    if (own.length > 0) segment++;
    own = [];
  };
  const cells = () => own.filter((token) => kindOf(token.charCodeAt(0)) !== KIND.letter).length;
  for (let at = 0; at < text.length; ) {
    const token = modelTokenAt(text, at);
    const code = text.charCodeAt(at);
    const kind = kindOf(code);
    const end = at + token.length;
    if (kind === KIND.blank) {
      const isShort = own.length < 3;
      if (token === '\n' && own.length > 0 && (!isShort || opensLongLine(text, end))) close();
      at = end;
      continue;
    }
    const isTable = own.length >= 3 && 2 * cells() >= own.length;
    if (kind === KIND.letter && isTable && opensRun(text, at)) close();
    if (kind === KIND.letter && /(.)\1{3}/.test(token)) {
      at = end;
      continue;
    }
    if (token === '|' && own.length - cells() >= 4) close();
    tokens.push({ start: at, end, ...hashesOf(token, kind), segment });
    own.push(token);
    if (own.length >= 48) close();
    const isLast = end === text.length || kindOf(text.charCodeAt(end)) === KIND.blank;
    const isStop = kind === 3 && isSentenceEnd(code) && (isLast || code > 127);
    if (isStop && own.length >= 3) close();
    at = end;
  }
  return tokens;
}

function modelTokenAt(text: string, start: number): string {
  const kind = kindOf(text.charCodeAt(start));
  let end = start + 1;
  if (kind === KIND.letter || kind === KIND.digit) {
    while (end < text.length && kindOf(text.charCodeAt(end)) === kind) end++;
  }
  return text.slice(start, end);
}

function hashesOf(token: string, kind: number): { word: number; check: number } {
  if (kind === KIND.letter) {
    const check = token.split('').reduce((hash, sign) => {
      const mixed = Math.imul(hash ^ sign.charCodeAt(0), PRIME);
      return mixed ^ (mixed >>> 13);
    }, SECOND_SALT);
    return { word: hashOfWord(token), check };
  }
  const { length } = token;
  if (kind === KIND.digit) return { word: length < 3 ? length : length < 5 ? 3 : 5, check: 0 };
  return { word: Math.imul(token.charCodeAt(0) + 64, PRIME), check: 0 };
}

/** Four words in a row with one blank between two, their blanks among the next 64 units. */
function opensRun(text: string, start: number): boolean {
  const around = text.slice(start, start + 64);
  const signs = around.split('').map((sign) => {
    if (sign === ' ' || sign === "'") return sign;
    return kindOf(sign.charCodeAt(0)) === KIND.letter ? 'a' : '.';
  });
  // Behind the last unit that is looked at, the text goes on.
  const behind = start + 64 < text.length ? kindOf(text.charCodeAt(start + 64)) : KIND.blank;
  signs.push(behind === KIND.letter ? 'a' : '.');
  return /^[a'](?:[a']* a){3}[a']* /.test(signs.join(''));
}

/** Three tokens in the line, or some and no end of the line, among the next 64 units. */
function opensLongLine(text: string, start: number): boolean {
  const line = /^\s*?[^\n]*/.exec(trimBlank(text, start))?.[0] ?? '';
  const last = Math.min(text.length, start + 64);
  const from = text.length - trimBlank(text, start).length;
  const seen = line.slice(0, Math.max(0, last - from));
  let count = 0;
  for (let at = 0; at < seen.length; ) {
    const token = modelTokenAt(seen, at);
    if (kindOf(token.charCodeAt(0)) !== KIND.blank) count++;
    at += token.length;
  }
  return count >= 3 || (count > 0 && from + line.length >= last && last < text.length);
}

/** The text from the first unit that is no blank on. */
function trimBlank(text: string, start: number): string {
  let at = start;
  while (at < text.length && kindOf(text.charCodeAt(at)) === KIND.blank) at++;
  return text.slice(at);
}

const UNSPACED = /[\u2e80-\u2fff\u3040-\u9fff\u0e00-\u0eff]/;
const NO_WORD = /[\u3000-\u303f\ud800-\udfff]/;
const LETTER = /[\p{L}\p{M}]/u;
const DIGIT = /\p{N}/u;

/** The words of the stages that compare them, in lower case, as `start-end word`. */
export function comparedWords(text: string): string[] {
  const words: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = wordEnd(text, at);
    if (end > at) {
      const word = text.slice(at, end).split('').map(lower).join('');
      words.push(`${at}-${end} ${word}`);
    }
    at = Math.max(end, at + 1);
  }
  return words;
}

function classOf(sign: string): string {
  if (sign === '' || NO_WORD.test(sign)) return 'sign';
  if (UNSPACED.test(sign)) return 'wide';
  return LETTER.test(sign) ? 'letter' : DIGIT.test(sign) ? 'digit' : 'sign';
}

function wordEnd(text: string, start: number): number {
  const first = classOf(text.charAt(start));
  if (first === 'sign') return start;
  if (first === 'wide') return start + 1;
  let end = start + 1;
  for (;;) {
    const sign = text.charAt(end);
    const kind = classOf(sign);
    const next = classOf(text.charAt(end + 1));
    if (kind === 'letter' || kind === 'digit') end++;
    else if (first === 'digit' ? ',.:'.includes(sign || 'a') && next === 'digit' : false) end++;
    else if (first === 'letter' && sign === "'" && next === 'letter') end++;
    else return end;
  }
}

/** One unit for one unit, and capitals alone. */
function lower(sign: string): string {
  return /\p{Lu}/u.test(sign) ? sign.toLowerCase().charAt(0) : sign;
}

/**
 * Where a word of a dictionary may begin: at a letter behind anything but a letter or digit, at a capital
 * behind a small letter, and in other scripts.
 *
 * @param plain the text in lower case without diacritics, unit by unit
 */
export function dictionaryStarts(text: string, plain: string): number[] {
  return text.split('').flatMap((sign, at) => {
    const before = plain.charAt(at - 1);
    if (/[a-z]/.test(plain.charAt(at))) {
      const isCamel = /[A-Z]/.test(sign) && /[a-z]/.test(text.charAt(at - 1));
      return /[a-z0-9]/.test(before) && !isCamel ? [] : [at];
    }
    if (!/[\u0370-\uffff]/.test(plain.charAt(at))) return [];
    const isSpaced = /[\u0370-\u052f]/;
    return isSpaced.test(plain.charAt(at)) && isSpaced.test(before) ? [] : [at];
  });
}
