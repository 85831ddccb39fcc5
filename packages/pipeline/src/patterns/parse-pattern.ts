import type { Alternative, Element, Place } from './syntax.ts';

const BACKSPACE = 8;
const COUNTED = /\{(\d+)(?:(,)(\d*))?\}/y;
const NAME = /\?<([^=!>][^>]*)>/y;
const LOOK = /\?<?[=!]/y;
const MODIFIERS = /\?([ims]*)(?:-[ims]*)?:/y;
/** What brackets open a capturing group; escapes and classes are left out before. */
const CAPTURING = /\((?!\?)|\(\?<[^=!]/g;
/** Properties of texts of several signs, which the flag `v` knows. */
const OF_STRINGS = /^(?:Basic_Emoji|Emoji_Keycap_Sequence|RGI_\w+)$/;
const SETS: Readonly<Record<string, 'digit' | 'space' | 'word'>> = {
  d: 'digit',
  s: 'space',
  w: 'word',
};
const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13 };

/** The flags that say how a source is read. */
export interface PatternFlags {
  readonly unicode: boolean;
  readonly unicodeSets: boolean;
}

/**
 * Reads an expression that `RegExp` takes with these flags (ECMAScript 2025, with the forms of Annex B
 * where neither `u` nor `v` is set).
 *
 * @throws Error where it cannot be read after all
 */
export function parsePattern(source: string, flags: PatternFlags): readonly Alternative[] {
  const reader = new PatternReader(source, flags);
  const alternatives = reader.alternatives();
  if (!reader.isOver()) throw reader.unread();
  return alternatives;
}

/** The source of an expression, read from its beginning; and the signs in it, which classes have as well. */
class PatternSource {
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

class PatternReader extends PatternSource {
  readonly #groups: number;
  readonly #hasNames: boolean;

  constructor(source: string, flags: PatternFlags) {
    super(source, flags);
    const bare = source
      .replace(/\\./gs, '__')
      .replace(/\[[^\]]*\]/g, (part) => '_'.repeat(part.length));
    this.#groups = bare.match(CAPTURING)?.length ?? 0;
    this.#hasNames = bare.includes('(?<') && /\(\?<[^=!]/.test(bare);
  }

  alternatives(): Alternative[] {
    const all: Alternative[] = [];
    do all.push({ elements: this.#elements() });
    while (this.take('|'));
    return all;
  }

  #elements(): Element[] {
    const elements: Element[] = [];
    while (!this.isOver() && !this.sees('|') && !this.sees(')')) {
      const start = this.at;
      elements.push(this.#repeated(this.#element(), start));
    }
    return elements;
  }

  #repeated(element: Element, start: number): Element {
    const bounds = this.#bounds();
    if (bounds === undefined) return element;
    this.take('?');
    const [min, max] = bounds;
    return { type: 'Quantifier', min, max, element, raw: this.since(start) };
  }

  #bounds(): readonly [number, number] | undefined {
    if (this.take('*')) return [0, Number.POSITIVE_INFINITY];
    if (this.take('+')) return [1, Number.POSITIVE_INFINITY];
    if (this.take('?')) return [0, 1];
    const counted = this.match(COUNTED);
    if (counted === undefined) return undefined;
    const [, least = '', comma, most = ''] = counted;
    const min = Number(least);
    if (comma === undefined) return [min, min];
    return [min, most === '' ? Number.POSITIVE_INFINITY : Number(most)];
  }

  #element(): Element {
    const start = this.at;
    if (this.take('^') || this.take('$') || this.take('\\b') || this.take('\\B')) {
      return { type: 'Assertion', raw: this.since(start) };
    }
    if (this.take('(')) return this.#brackets(start);
    if (this.take('.')) {
      return { type: 'CharacterSet', kind: 'any', negate: false, raw: '.' };
    }
    if (this.take('[')) return readClass(this, start);
    return this.#backreference(start) ?? this.sign(start);
  }

  #brackets(start: number): Element {
    const looks = this.match(LOOK) !== undefined;
    const modifiers = looks ? undefined : this.match(MODIFIERS);
    if (!looks && modifiers === undefined) this.match(NAME);
    const alternatives = this.alternatives();
    if (!this.take(')')) throw this.unread();
    const raw = this.since(start);
    if (looks) return { type: 'Assertion', alternatives, raw };
    const ignoresCase = modifiers?.[1]?.includes('i') === true;
    return { type: 'Group', alternatives, ignoresCase, raw };
  }

  /** A number of a group that does not exist is a sign in octal, without the flags `u` and `v`. */
  #backreference(start: number): Element | undefined {
    const number = this.match(/\\([1-9]\d*)/y);
    if (number !== undefined) {
      if (this.isUnicode || Number(number[1]) <= this.#groups) {
        return { type: 'Backreference', raw: this.since(start) };
      }
      this.at = start;
    }
    if (!this.isUnicode && !this.#hasNames) return undefined;
    if (this.match(/\\k<[^>]*>/y) === undefined) return undefined;
    return { type: 'Backreference', raw: this.since(start) };
  }
}

/** Reads a class of characters, whose opening bracket at `start` has been read. */
function readClass(source: PatternSource, start: number): Place {
  const negate = source.take('^');
  const elements: Place[] = [];
  let isOperation = false;
  while (!source.take(']')) {
    if (source.isOver()) throw source.unread();
    if (source.hasSets && (source.take('&&') || source.take('--'))) {
      isOperation = true;
      continue;
    }
    elements.push(...readItem(source));
  }
  const raw = source.since(start);
  if (isOperation) return { type: 'Operation', elements, raw };
  return { type: 'CharacterClass', negate, elements, raw };
}

/** A range, or what stands alone: then also what made no range with it. */
function readItem(source: PatternSource): Place[] {
  const start = source.at;
  const min = readAtom(source);
  const dash = source.at;
  if (source.sees('-]') || (source.hasSets && source.sees('--')) || !source.take('-')) return [min];
  const hyphen: Place = { type: 'Character', value: 0x2d, raw: '-' };
  if (source.isOver()) throw source.unread();
  const max = readAtom(source);
  if (min.type === 'Character' && max.type === 'Character') {
    return [{ type: 'Range', min: min.value, max: max.value, raw: source.since(start) }];
  }
  // Annex B: `[\w-.]` has a set, a hyphen and a dot.
  source.at = dash + 1;
  return [min, hyphen];
}

function readAtom(source: PatternSource): Place {
  const start = source.at;
  if (source.take('\\b')) return { type: 'Character', value: BACKSPACE, raw: '\\b' };
  if (source.hasSets && source.take('[')) return readClass(source, start);
  if (source.hasSets && source.match(/\\q\{[^}]*\}/y) !== undefined) {
    return { type: 'Strings', raw: source.since(start) };
  }
  // Annex B: digits and the underscore make controls, too.
  const control = source.isUnicode ? undefined : source.match(/\\c([\d_])/y);
  if (control === undefined) return source.sign(start);
  const value = (control[1] as string).charCodeAt(0) % 32;
  return { type: 'Character', value, raw: source.since(start) };
}
