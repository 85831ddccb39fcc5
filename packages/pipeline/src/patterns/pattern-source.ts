import type { Place } from './syntax.ts';

/** The flags that say how a source is read. */
export interface PatternFlags {
  readonly unicode: boolean;
  readonly unicodeSets: boolean;
}

/** Properties of texts of several signs, which the flag `v` knows. */
const OF_STRINGS = /^(?:Basic_Emoji|Emoji_Keycap_Sequence|RGI_\w+)$/;
const SETS: Readonly<Record<string, 'digit' | 'space' | 'word'>> = {
  d: 'digit',
  s: 'space',
  w: 'word',
};
const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13 };

/** The source of an expression, read from its beginning; and the signs in it, which classes have as well. */
export class PatternSource {
  readonly isUnicode: boolean;
  readonly hasSets: boolean;
  /** Where the next is read. UTF-16 units. */
  at = 0;
  readonly #source: string;

  constructor(source: string, { unicode, unicodeSets }: PatternFlags) {
    this.#source = source;
    this.isUnicode = unicode || unicodeSets;
    this.hasSets = unicodeSets;
  }

  isOver(): boolean {
    return this.at >= this.#source.length;
  }

  sees(text: string): boolean {
    return this.#source.startsWith(text, this.at);
  }

  /** Whether `text` comes next; it is then read. */
  take(text: string): boolean {
    if (!this.sees(text)) return false;
    this.at += text.length;
    return true;
  }

  /** @param expression with the flag `y` */
  match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.at;
    const found = expression.exec(this.#source) ?? undefined;
    if (found !== undefined) this.at += found[0].length;
    return found;
  }

  since(start: number): string {
    return this.#source.slice(start, this.at);
  }

  unread(): Error {
    return new Error(`the sign at ${this.at} was not expected`);
  }

  /** A character or a set of them, escaped or not. */
  sign(start: number): Place {
    if (this.isOver()) throw this.unread();
    const set = this.match(/\\([dswDSW])/y)?.[1];
    if (set !== undefined) {
      const kind = SETS[set.toLowerCase()] as 'digit' | 'space' | 'word';
      const negate = set !== set.toLowerCase();
      return { type: 'CharacterSet', kind, negate, raw: this.since(start) };
    }
    const property = this.isUnicode ? this.match(/\\([pP])\{([^}]*)\}/y) : undefined;
    if (property !== undefined) {
      const [raw, sign, name = ''] = property;
      if (this.hasSets && OF_STRINGS.test(name)) return { type: 'Strings', raw };
      return { type: 'CharacterSet', kind: 'property', negate: sign === 'P', raw };
    }
    const value = this.#character();
    return { type: 'Character', value, raw: this.since(start) };
  }

  #character(): number {
    if (!this.sees('\\')) return this.#plain();
    const coded =
      this.match(/\\x([\da-fA-F]{2})/y) ??
      (this.isUnicode ? this.match(/\\u\{([\da-fA-F]+)\}/y) : undefined);
    if (coded !== undefined) return Number.parseInt(coded[1] as string, 16);
    const unit = this.match(/\\u([\da-fA-F]{4})/y);
    if (unit !== undefined) return this.#unit(Number.parseInt(unit[1] as string, 16));
    const octal = this.match(/\\([0-3][0-7]{0,2}|[4-7][0-7]?)/y);
    if (octal !== undefined) return Number.parseInt(octal[1] as string, 8);
    const control = this.match(/\\c([a-zA-Z])/y);
    if (control !== undefined) return (control[1] as string).charCodeAt(0) % 32;
    this.at++;
    // Annex B: the backslash stands for itself.
    if (this.sees('c')) return 0x5c;
    const named = CONTROLS[this.#source.charAt(this.at)];
    if (named === undefined) return this.#plain();
    this.at++;
    return named;
  }

  /** Two escaped halves of a character are one with the flags `u` and `v`. */
  #unit(high: number): number {
    if (!this.isUnicode || high < 0xd800 || high > 0xdbff) return high;
    const low = this.match(/\\u([dD][c-fC-F][\da-fA-F]{2})/y)?.[1];
    if (low === undefined) return high;
    return 0x10000 + ((high - 0xd800) << 10) + (Number.parseInt(low, 16) - 0xdc00);
  }

  #plain(): number {
    const value = this.isUnicode
      ? (this.#source.codePointAt(this.at) as number)
      : this.#source.charCodeAt(this.at);
    this.at += value > 0xffff ? 2 : 1;
    return value;
  }
}
