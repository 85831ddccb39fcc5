import type { TextRange } from '../types.ts';

/** A number that is a value of JSON within a text. */
export interface JsonNumber extends TextRange {
  /** A quotation mark as the JSON around the number writes it: `"`, or `\"` where it is itself in a string of JSON. */
  readonly quote: string;
}

/** Finds the numbers of JSON anywhere in a text that comes in parts: alone, in prose, in fences, in strings of JSON. */
export interface JsonNumbers {
  /** Takes the next part; numbers are given when the sign after them has come. Offsets count from the first part. */
  feed(text: string): readonly JsonNumber[];
  /** The number at the end of the received text, if `rest` goes on as JSON does. */
  last(rest: string): readonly JsonNumber[];
}

/** What may come next. */
type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end';

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const BEGIN = /[[{]/g;
const NUMBER_SIGN = /[\d.eE+-]/;
const NUMBER_START = /[\d-]/;
const AFTER_NUMBER = /^(?:\s|\\+[nrt])*(?:[,\]}]|$)/;
const WORDS = ['true', 'false', 'null'];
/** Longer numbers, and deeper JSON, are not looked at. */
const MAX_NUMBER = 400;
const MAX_DEPTH = 100;
/** Backslashes before a quotation mark in JSON that is in a string of a string of JSON. */
const MAX_SLASHES = 7;

/** @param slashes backslashes before a quotation mark; default: the count before the first one */
export function createJsonNumbers(slashes?: number): JsonNumbers {
  return new Reader(slashes);
}

// A class with a method for each kind of sign: `feed` runs over every answer that is streamed.
class Reader implements JsonNumbers {
  readonly #given: number | undefined;
  #level: number | undefined;
  #stack: ('[' | '{')[] = [];
  #expected: Expected = 'value';
  /** The inside of a string of JSON, which may be JSON. */
  #inner: Reader | undefined;
  #isString = false;
  #slashes = 0;
  /** A number or a word that has begun, or a number that has ended before blanks. */
  #token = '';
  #start = 0;
  #end: number | undefined;
  #at = 0;
  #found: JsonNumber[] = [];

  constructor(slashes: number | undefined) {
    this.#given = slashes;
    this.#level = slashes;
  }

  feed(text: string): readonly JsonNumber[] {
    this.#found = [];
    const start = this.#at;
    for (let index = 0; index < text.length; index++) {
      if (this.#stack.length === 0) {
        BEGIN.lastIndex = index;
        index = BEGIN.exec(text)?.index ?? text.length;
      }
      this.#at = start + index;
      this.#take(text.charAt(index));
    }
    this.#at = start + text.length;
    return this.#found;
  }

  last(rest: string): readonly JsonNumber[] {
    if (this.#isString) return this.#inner?.last(rest) ?? [];
    if (!NUMBER_START.test(this.#token)) return [];
    const more = this.#end === undefined ? (/^[\d.eE+-]*/.exec(rest)?.[0] ?? '') : '';
    if (!NUMBER.test(this.#token + more) || !AFTER_NUMBER.test(rest.slice(more.length))) return [];
    return [this.#number((this.#end ?? this.#at) + more.length)];
  }

  #number(end: number): JsonNumber {
    return { start: this.#start, end, quote: `${'\\'.repeat(this.#level ?? 0)}"` };
  }

  #take(sign: string): void {
    if (this.#isString) this.#takeInString(sign);
    else if (this.#stack.length > 0) this.#takeInJson(sign);
    else if (sign === '{' || sign === '[') this.#open(sign);
  }

  #takeInString(sign: string): void {
    const level = this.#level ?? 0;
    const isEnd =
      sign === '"' && this.#slashes >= level && (this.#slashes - level) % (2 * (level + 1)) === 0;
    this.#slashes = sign === '\\' ? this.#slashes + 1 : 0;
    if (isEnd) {
      this.#isString = false;
      this.#inner = undefined;
      this.#expected = this.#expected.startsWith('name') ? 'colon' : 'comma or end';
      return;
    }
    if (this.#inner === undefined) {
      const inner = 2 * level + 1;
      if ((sign !== '{' && sign !== '[') || inner > MAX_SLASHES) return;
      this.#inner = new Reader(inner);
      this.#inner.#at = this.#at;
    }
    this.#inner.#found = this.#found;
    this.#inner.#take(sign);
    this.#inner.#at++;
  }

  #takeInJson(sign: string): void {
    if (this.#token !== '' && this.#end === undefined && this.#goesOn(sign)) return;
    if (sign === '\\') {
      this.#slashes++;
      this.#endToken();
      return;
    }
    const slashes = this.#slashes;
    this.#slashes = 0;
    if (slashes > 0 && sign !== '"') {
      if (!'nrt'.includes(sign)) this.#fail(sign);
      return;
    }
    if (sign === ' ' || sign === '\n' || sign === '\r' || sign === '\t') this.#endToken();
    else if (sign === '"') this.#openString(sign, slashes);
    else this.#takeSign(sign);
  }

  /** Adds to a number or a word. */
  #goesOn(sign: string): boolean {
    const isNumber = NUMBER_START.test(this.#token.charAt(0));
    if (!(isNumber ? NUMBER_SIGN : /[a-z]/).test(sign) || this.#token.length > MAX_NUMBER) {
      return false;
    }
    this.#token += sign;
    return true;
  }

  /** Blanks come after a number or a word. */
  #endToken(): void {
    if (this.#token !== '') this.#end ??= this.#at;
  }

  #openString(sign: string, slashes: number): void {
    const isExpected = /^(?:value|name)/.test(this.#expected) && this.#token === '';
    this.#level ??= slashes <= MAX_SLASHES ? slashes : undefined;
    if (!isExpected || slashes !== this.#level) this.#fail(sign);
    else this.#isString = true;
  }

  #takeSign(sign: string): void {
    const isDone = this.#token !== '';
    const isAfterValue = isDone || this.#expected === 'comma or end';
    const open = this.#stack.at(-1);
    if (sign === ',' && isAfterValue) {
      this.#settle();
      this.#expected = open === '{' ? 'name' : 'value';
    } else if (sign === (open === '{' ? '}' : ']')) {
      if (!isAfterValue && !this.#expected.endsWith('or end')) {
        this.#fail(sign);
        return;
      }
      this.#settle();
      this.#stack.pop();
      this.#expected = 'comma or end';
      if (this.#stack.length === 0) this.#reset();
    } else if (isDone) this.#fail(sign);
    else if (sign === ':' && this.#expected === 'colon') this.#expected = 'value';
    else if (!this.#expected.startsWith('value')) this.#fail(sign);
    else if (sign === '{' || sign === '[') this.#open(sign);
    else if (NUMBER_START.test(sign) || /[tfn]/.test(sign)) {
      this.#token = sign;
      this.#start = this.#at;
      this.#end = undefined;
    } else this.#fail(sign);
  }

  /** A number or a word is followed by what follows a value. */
  #settle(): void {
    if (NUMBER.test(this.#token)) this.#found.push(this.#number(this.#end ?? this.#at));
    else if (this.#token !== '' && !WORDS.includes(this.#token)) this.#reset();
    this.#token = '';
    this.#end = undefined;
  }

  #open(sign: '{' | '['): void {
    if (this.#stack.length === MAX_DEPTH) {
      this.#reset();
      return;
    }
    this.#stack.push(sign);
    this.#expected = sign === '{' ? 'name or end' : 'value or end';
  }

  /** The received text is not JSON; the sign may begin some. */
  #fail(sign: string): void {
    this.#reset();
    if (sign === '{' || sign === '[') this.#open(sign);
  }

  #reset(): void {
    this.#stack = [];
    this.#level = this.#given;
    this.#token = '';
    this.#end = undefined;
    this.#slashes = 0;
  }
}
