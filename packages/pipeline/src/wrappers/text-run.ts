import { REACH } from '../messages/borders.ts';
import type { TextPiece } from '../messages/scan-together.ts';
import type { RedactionMark } from '../redaction/redactor.ts';

/** Looks at pieces of texts together; see `GuardedCall.checkTogether`. */
type CheckTogether = (
  pieces: readonly TextPiece[],
) => Promise<readonly (readonly RedactionMark[])[]>;

/** Units of texts that are looked at together at most, beside those before the first border. */
const MAX_UNITS = 8 * REACH;

/** One of the texts of a stream that a client reads in one go. */
export class RunText {
  /** The first units of the text; all of it where it is short. */
  head = '';
  tail = '';
  length = 0;
  isEnded = false;
  /** Whether the border before it has been looked at. */
  isSeen = false;
  #marks: RedactionMark[] = [];
  readonly order: number | undefined;

  constructor(order: number | undefined) {
    this.order = order;
  }

  /** Whether something is to be replaced of it that has not been taken. */
  get hasMarks(): boolean {
    return this.#marks.length > 0;
  }

  get isShort(): boolean {
    return this.length <= 2 * REACH;
  }

  add(text: string): void {
    const room = 2 * REACH - this.head.length;
    if (room > 0) this.head += text.slice(0, room);
    this.tail = text.length >= REACH ? text.slice(-REACH) : (this.tail + text).slice(-REACH);
    this.length += text.length;
  }

  mark(marks: readonly RedactionMark[]): void {
    this.#marks.push(...marks);
  }

  /** What is to be replaced of it and has not been taken. */
  takeMarks(): readonly RedactionMark[] {
    const marks = this.#marks;
    this.#marks = [];
    return marks;
  }
}

/** Texts that a client reads in one go, one behind the other. */
export class TextRun {
  readonly #check: CheckTogether;
  readonly #open = new Map<string, RunText>();
  #texts: RunText[] = [];

  constructor(check: CheckTogether) {
    this.#check = check;
  }

  /**
   * Adds a part of the text with a key, which begins with it where none is open.
   *
   * @param order where texts come at the same time: their order
   */
  add(key: string, text: string, order?: number): RunText {
    const held = this.#open.get(key) ?? this.#begin(key, order);
    held.add(text);
    return held;
  }

  #begin(key: string, order: number | undefined): RunText {
    const text = new RunText(order);
    this.#open.set(key, text);
    const next = this.#texts.findIndex((each) => (each.order ?? 0) > (order ?? 0));
    this.#texts.splice(next < 0 ? this.#texts.length : next, 0, text);
    return text;
  }

  /** Ends the text with a key; undefined where none is open. */
  close(key: string): RunText | undefined {
    const text = this.#open.get(key);
    this.#open.delete(key);
    if (text !== undefined) text.isEnded = true;
    return text;
  }

  /** The texts that have not ended, by their keys. */
  get open(): ReadonlyMap<string, RunText> {
    return this.#open;
  }

  /** Whether a text has to wait for the one before it. Those that come at the same time do not wait. */
  isOpenBefore(text: RunText): boolean {
    return text.order === undefined && !text.isSeen && this.#texts.indexOf(text) > 0;
  }

  /** Whether the end of a text has to wait for the one after it. */
  isOpenAfter(text: RunText, isOver: boolean): boolean {
    const index = this.#texts.indexOf(text);
    if (index < 0 || !mayGoOn(text.tail)) return false;
    const next = this.#texts[index + 1];
    return next === undefined ? !isOver : !next.isSeen;
  }

  get hasBorders(): boolean {
    return this.#texts.length > 1;
  }

  /** Looks at the borders behind which enough has come, or nothing more comes. */
  async settle(isOver: boolean): Promise<void> {
    for (;;) {
      const first = this.#texts.findIndex(({ isSeen }, index) => index > 0 && !isSeen);
      if (first < 0) break;
      if (!(isOver || this.#texts[first - 1]?.isEnded)) break;
      const after = this.#after(first, isOver);
      const units = after.reduce((sum, { head }) => sum + head.length, 0);
      if (!isOver && units < 2 * REACH) break;
      await this.#look([...this.#before(first), ...after], after.length);
      let left = units;
      for (const text of after) {
        text.isSeen ||= isOver || left >= REACH;
        left -= text.head.length;
      }
    }
    this.#forget();
  }

  /** The texts behind a border, up to one that is long or goes on. */
  #after(first: number, isOver: boolean): RunText[] {
    const after: RunText[] = [];
    let units = 0;
    for (const text of this.#texts.slice(first)) {
      if (units >= MAX_UNITS) break;
      after.push(text);
      units += text.head.length;
      if (!text.isShort || !(isOver || text.isEnded)) break;
    }
    return after;
  }

  /** The texts before a border, as far as they reach. */
  #before(first: number): RunText[] {
    let index = first;
    for (let units = 0; index > 0 && units < REACH; units += this.#texts[index]?.length ?? 0) {
      index -= 1;
    }
    return this.#texts.slice(index, first);
  }

  /** @param after how many of the texts are behind the border */
  async #look(texts: readonly RunText[], after: number): Promise<void> {
    const pieces = texts.map(({ head, tail, length }, index) =>
      index >= texts.length - after
        ? { text: head, start: 0 }
        : { text: tail, start: length - tail.length },
    );
    const marks = await this.#check(pieces);
    for (const [index, text] of texts.entries()) text.mark(marks[index] ?? []);
  }

  /** Forgets what no border reaches any more. */
  #forget(): void {
    const first = this.#texts.findIndex(({ isSeen }, index) => index > 0 && !isSeen);
    const needed = this.#before(first < 0 ? this.#texts.length : first);
    const from = this.#texts.indexOf(needed[0] as RunText);
    if (from > 0 && needed.every(({ order }) => order === undefined)) {
      this.#texts = this.#texts.slice(from);
    }
  }
}

/** The end of a sentence, behind which no value goes on. */
const SENTENCE_END = /[.!?:。！？：…]["'”’»)\]*_`]*\s*$/u;
/** Words of which a value may consist, such as the parts of numbers and addresses that are spelled out. */
const VALUE_WORD = /[\d@#%&+\\<=|/]|-{4}|^\W*(?:at|dot|et|arroba|punkt|point|punto)\W*$|\S{24}/iu;
/** How many words at the end of a text are looked at. */
const LAST_WORDS = 3;

/** Whether the end of a text may be the beginning of a value. */
export function mayGoOn(text: string): boolean {
  if (!SENTENCE_END.test(text)) return text !== '';
  const words = text.trimEnd().split(/\s+/u).slice(-LAST_WORDS);
  return words.some((word) => VALUE_WORD.test(word));
}
