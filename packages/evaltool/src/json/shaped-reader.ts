import { EvaluationError } from '../errors.ts';
import type { Kept, Shape, TokenTap } from './shape.ts';
import { REST, Texts } from './shape.ts';
import type { TokenKind, TokenReceiver } from './tokenizer.ts';
import { TOKEN, Tokenizer, UnexpectedByte } from './tokenizer.ts';

/** What the grammar allows next. */
type Expected =
  | 'value'
  | 'value or end of array'
  | 'name or end of object'
  | 'name'
  | 'colon'
  | 'comma or end'
  | 'nothing';

/** A container of which a part is kept. */
interface Frame {
  readonly shape: Shape;
  readonly members: Map<string, Kept> | null;
  readonly elements: Kept[] | null;
  /** Elements begun. */
  count: number;
  /** Name of the member being read. */
  name: string;
}

/** The elements whose tokens are handed on. */
interface Tapped {
  readonly tap: TokenTap;
  /** Of the array. */
  readonly depth: number;
}

const EMPTY_OBJECT: ReadonlyMap<string, Kept> = new Map();
const EMPTY_ARRAY: readonly Kept[] = Object.freeze([]);

/**
 * Reads a JSON text in parts and keeps what a shape describes. Memory grows with what is kept, with the
 * longest string, and by one byte for each level of nesting.
 */
export class ShapedReader implements TokenReceiver {
  readonly #tokenizer = new Tokenizer(this);
  readonly #frames: Frame[] = [];
  /** The kind of each open container: 1 for an object. */
  #kinds = new Uint8Array(64);
  #depth = 0;
  #expected: Expected = 'value';
  /** Shape of the value that comes next; undefined when it is passed over. */
  #next: Shape | undefined;
  /** Containers open within a value that is passed over, or of which the strings are kept. */
  #inside = 0;
  #texts: Texts | null = null;
  #textsFrom = 0;
  #tapped: Tapped | null = null;
  #root: Kept = null;

  constructor(shape: Shape) {
    this.#next = shape;
  }

  /** @throws EvaluationError `invalid_json` */
  write(bytes: Uint8Array): void {
    this.#guard(() => this.#tokenizer.write(bytes));
  }

  /**
   * What is kept of the whole text.
   * @throws EvaluationError `invalid_json` when the text ends too early
   */
  end(): Kept {
    let isComplete = false;
    this.#guard(() => {
      isComplete = this.#tokenizer.end();
    });
    if (!isComplete || this.#expected !== 'nothing') {
      throw malformed(this.#isEmpty() ? 'it is empty' : 'it ends too early');
    }
    return this.#root;
  }

  #isEmpty(): boolean {
    return this.#depth === 0 && this.#expected === 'value';
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch (cause) {
      if (cause instanceof EvaluationError) throw cause;
      if (cause instanceof UnexpectedByte) throw malformed(`error at byte ${cause.position}`);
      throw malformed('it is not UTF-8');
    }
  }

  /** Names, and strings, of what is kept, and all of what is tapped. */
  wantsText(): boolean {
    if (this.#tapped?.tap.wantsTexts) return true;
    if (this.#inside > 0) return this.#texts !== null;
    return this.#expectsName() || this.#next !== undefined;
  }

  #expectsName(): boolean {
    return this.#expected === 'name' || this.#expected === 'name or end of object';
  }

  token(token: TokenKind, value: unknown): void {
    const before = this.#depth;
    const isName = this.#expectsName();
    this.#step(token, value);
    const tapped = this.#tapped;
    if (tapped && (before > tapped.depth || this.#depth > tapped.depth)) {
      tapped.tap.token(token, value, isName && token === TOKEN.string);
    }
  }

  #step(token: TokenKind, value: unknown): void {
    switch (this.#expected) {
      case 'value or end of array':
        if (token === TOKEN.closeArray) this.#close(token);
        else this.#value(token, value);
        break;
      case 'value':
        this.#value(token, value);
        break;
      case 'name or end of object':
        if (token === TOKEN.closeObject) this.#close(token);
        else this.#name(token, value);
        break;
      case 'name':
        this.#name(token, value);
        break;
      case 'colon':
        if (token !== TOKEN.colon) throw unexpected();
        this.#expected = 'value';
        break;
      case 'comma or end':
        if (token === TOKEN.comma) this.#comma();
        else this.#close(token);
        break;
      default:
        throw malformed('something follows its end');
    }
  }

  #comma(): void {
    if (this.#isInObject()) {
      this.#expected = 'name';
    } else {
      this.#expected = 'value';
      this.#nextElement();
    }
  }

  #isInObject(): boolean {
    return this.#kinds[this.#depth - 1] === 1;
  }

  #name(token: TokenKind, name: unknown): void {
    if (token !== TOKEN.string) throw unexpected();
    this.#expected = 'colon';
    if (this.#inside > 0) {
      if (this.#texts && !IDENTIFIER.test(name as string)) {
        addText(this.#texts, name as string, this.#textsFrom);
      }
      return;
    }
    const frame = this.#frames.at(-1) as Frame;
    frame.name = name as string;
    this.#next = frame.shape.member?.(frame.name);
    if (!this.#next) this.#beginRest(frame);
  }

  /** Begins a member whose texts are kept with those of others: an entry for each would take a million of them. */
  #beginRest(frame: Frame): void {
    const { shape, members, name } = frame;
    if (shape.restFrom === undefined || !members) return;
    frame.name = REST;
    this.#next = { textsFrom: shape.restFrom };
    if (!members.has(REST)) members.set(REST, new Texts());
    if (!IDENTIFIER.test(name)) addText(this.#newTexts(), name, shape.restFrom);
  }

  /** Where the texts of the value that begins are kept. */
  #newTexts(): Texts {
    const frame = this.#frames.at(-1);
    const rest = frame?.name === REST ? frame.members?.get(REST) : undefined;
    return rest instanceof Texts ? rest : new Texts();
  }

  #nextElement(): void {
    if (this.#inside > 0) return;
    const frame = this.#frames.at(-1) as Frame;
    const { elements } = frame.shape;
    frame.count += 1;
    this.#next = elements && frame.count <= elements.limit ? elements.shape : undefined;
  }

  #value(token: TokenKind, value: unknown): void {
    switch (token) {
      case TOKEN.openObject:
      case TOKEN.openArray:
        this.#open(token === TOKEN.openObject);
        break;
      case TOKEN.comma:
      case TOKEN.colon:
      case TOKEN.closeObject:
      case TOKEN.closeArray:
        throw unexpected();
      default:
        this.#scalar(value as Kept);
        this.#afterValue();
    }
  }

  #afterValue(): void {
    this.#expected = this.#depth === 0 ? 'nothing' : 'comma or end';
  }

  #scalar(value: Kept): void {
    if (this.#inside > 0) {
      if (this.#texts) addText(this.#texts, value, this.#textsFrom);
      return;
    }
    const shape = this.#next;
    if (!shape) return;
    if (shape.textsFrom === undefined || (value === null && this.#frames.at(-1)?.name !== REST)) {
      this.#keep(value);
    } else {
      const texts = this.#newTexts();
      addText(texts, value, shape.textsFrom);
      this.#keep(texts);
    }
  }

  #open(isObject: boolean): void {
    if (this.#depth === this.#kinds.length) {
      const kinds = new Uint8Array(this.#kinds.length * 2);
      kinds.set(this.#kinds);
      this.#kinds = kinds;
    }
    this.#kinds[this.#depth] = isObject ? 1 : 0;
    this.#depth += 1;
    this.#expected = isObject ? 'name or end of object' : 'value or end of array';
    if (this.#inside > 0) {
      this.#inside += 1;
      return;
    }
    this.#enter(isObject);
    if (!isObject) this.#nextElement();
  }

  /** Begins a container that is described, or one whose content is passed over. */
  #enter(isObject: boolean): void {
    const shape = this.#next;
    if (!shape || !(isObject ? shape.member : shape.elements)) {
      this.#inside = 1;
      if (shape) this.#keep(this.#undescribed(shape, isObject));
      return;
    }
    const sink = isObject ? undefined : shape.elements?.sink;
    sink?.begin();
    if (sink?.tap) this.#tapped = { tap: sink.tap, depth: this.#depth };
    const members = isObject ? new Map<string, Kept>() : null;
    const elements = isObject ? null : [];
    this.#frames.push({ shape, members, elements, count: 0, name: '' });
  }

  /** What is kept of a container whose members or elements are not. */
  #undescribed({ textsFrom }: Shape, isObject: boolean): Kept {
    if (textsFrom === undefined) return isObject ? EMPTY_OBJECT : EMPTY_ARRAY;
    this.#textsFrom = textsFrom;
    this.#texts = this.#newTexts();
    return this.#texts;
  }

  #close(token: TokenKind): void {
    if (token !== (this.#isInObject() ? TOKEN.closeObject : TOKEN.closeArray)) throw unexpected();
    this.#depth -= 1;
    this.#afterValue();
    if (this.#inside > 0) {
      this.#inside -= 1;
      if (this.#inside === 0) this.#texts = null;
      return;
    }
    const frame = this.#frames.pop() as Frame;
    if (this.#tapped && this.#depth < this.#tapped.depth) this.#tapped = null;
    this.#keep((frame.members ?? frame.elements) as Kept);
  }

  /** Keeps a value as the member or element that it is. */
  #keep(value: Kept): void {
    const frame = this.#frames.at(-1);
    if (!frame) {
      this.#root = value;
    } else if (frame.members) {
      frame.members.set(frame.name, value);
    } else {
      const sink = frame.shape.elements?.sink;
      if (sink) sink.element(value);
      else frame.elements?.push(value);
    }
  }
}

/** A name that a program gave; others are texts of what it is about. */
const IDENTIFIER = /^[\w$.-]{1,64}$/;

function addText({ list }: Texts, value: Kept, from: number): void {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text === 'string' && text.length >= from) list.push(text);
}

function unexpected(): EvaluationError {
  return malformed('it has an unexpected character');
}

function malformed(reason: string): EvaluationError {
  return new EvaluationError('invalid_json', '', `The text is not valid JSON: ${reason}.`);
}
