import type { ScanInput, TextRange } from '../types.ts';
import type { JoinedText } from './joined-text.ts';
import { joinSteps } from './joined-text.ts';
import type { MessageText, TextUse } from './message-place.ts';
import type { Steps } from './steps.ts';
import { isStepDue } from './steps.ts';
import type { TextPath } from './text-path.ts';

/** What two or more texts that a model reads in one go say where they meet. */
export interface BorderText {
  readonly input: ScanInput;
  /** The texts without anything between them. */
  readonly joined: JoinedText;
  /** Where the scanned text begins in them. */
  readonly start: number;
  /** Whether a range of the scanned text covers a part of at least two texts. */
  crosses(range: TextRange): boolean;
  /**
   * Whether the first of the borders in a range is within a word, or there is a line end. Between two words both ways of
   * reading say the same to what judges meaning.
   */
  isNewReading(range: TextRange): boolean;
}

/** UTF-16 units that are scanned on either side: every finding of personal data lies within them. */
export const REACH = 256;

/** The letters on both sides of a border where a word or a sentence ends. */
const BETWEEN_WORDS = /^(?:[\s.!?…:;,)\]}"”’]|.\s)/su;

/**
 * The texts around every border between two parts of a content, and between two messages of one role. Providers join
 * parts without anything or with a line end between them. A turn is scanned with line ends; here is what the
 * other way of reading makes of it. Results of tools, whose parts are passages of their own, are read both ways.
 */
export function* toBorders(texts: readonly MessageText[]): Steps<BorderText[]> {
  const borders: BorderText[] = [];
  for (const run of yield* toRuns(texts)) {
    if (isStepDue()) yield;
    const glues = run[0]?.use === 'context' ? ['', '\n'] : [''];
    for (const glue of glues) yield* addBorders(borders, run, glue);
    for (const content of toContents(run)) yield* addBorders(borders, content, '');
  }
  return borders;
}

function* addBorders(
  borders: BorderText[],
  run: readonly MessageText[],
  glue: string,
): Steps<void> {
  for (const border of yield* bordersOf(run, glue)) borders.push(border);
}

/** The contents of a run by themselves: letters of the next message may hide where a value ends. */
function toContents(run: readonly MessageText[]): MessageText[][] {
  const contents: MessageText[][] = [];
  for (const text of run) {
    const last = contents.at(-1);
    if (last?.[0]?.content === text.content) last?.push(text);
    else contents.push([text]);
  }
  return contents.length === 1 ? [] : contents.filter(({ length }) => length > 1);
}

/**
 * Texts that follow one another, of each use by itself: thoughts and calls of tools between two parts of an answer are
 * not shown.
 */
function* toRuns(texts: readonly MessageText[]): Steps<MessageText[][]> {
  const runs: MessageText[][] = [];
  const open = new Map<TextUse, MessageText[]>();
  let newest: TextUse | undefined;
  for (const text of texts) {
    if (isStepDue()) yield;
    if (text.text === '') continue;
    const isNext = newest === text.use;
    newest = text.use;
    if (text.content === undefined) continue;
    const run = open.get(text.use);
    const last = run?.at(-1);
    if (run !== undefined && last !== undefined && follows(last, text, isNext)) run.push(text);
    else {
      const begun = [text];
      open.set(text.use, begun);
      runs.push(begun);
    }
  }
  return runs.filter(({ length }) => length > 1);
}

/** @param isNext whether no text of another use is between them: messages without any text may be */
function follows(last: MessageText, next: MessageText, isNext: boolean): boolean {
  if (last.content === next.content) return true;
  // Two results are of two calls.
  if (next.use === 'context') return false;
  if (!isNext && next.messageIndex !== last.messageIndex + 1) return false;
  return isOfMessage(last.content) && isOfMessage(next.content);
}

/** Whether a content is that of a message, rather than of a part of it. */
function isOfMessage(content: TextPath | undefined): boolean {
  return content?.key === 'content' && typeof content.parent?.key === 'number'
    ? content.parent.parent?.parent === undefined
    : false;
}

/** The texts around every border of a run, with `glue` between its texts. */
export function* bordersOf(run: readonly MessageText[], glue: string): Steps<BorderText[]> {
  const joined = yield* joinSteps(run, glue);
  const { use } = run[0] as MessageText;
  const found: BorderText[] = [];
  let borders: number[] = [];
  const close = () => {
    const [first] = borders;
    const last = borders.at(-1);
    if (first === undefined || last === undefined) return;
    found.push(toBorderText(joined, use, { borders, first, last, glue: glue.length }));
  };
  let at = 0;
  for (const { text } of run.slice(0, -1)) {
    if (isStepDue()) yield;
    at += text.length;
    // Texts that are so near to each other are read together.
    if (at - (borders.at(-1) ?? at) > 2 * REACH) {
      close();
      borders = [];
    }
    borders.push(at);
    at += glue.length;
  }
  close();
  return found;
}

function toBorderText(
  joined: JoinedText,
  use: TextUse,
  given: {
    readonly borders: readonly number[];
    readonly first: number;
    readonly last: number;
    readonly glue: number;
  },
): BorderText {
  const { borders, first, last, glue } = given;
  const start = Math.max(0, first - REACH);
  const nextTo = (range: TextRange) => borders[firstAbove(borders, start + range.start)];
  return {
    input: toInput(use, joined.text.slice(start, last + glue + REACH)),
    joined,
    start,
    crosses(range) {
      const next = nextTo(range);
      return next !== undefined && next + glue < start + range.end;
    },
    isNewReading(range) {
      const next = nextTo(range) ?? 0;
      return glue > 0 || !BETWEEN_WORDS.test(joined.text.slice(next - 1, next + 1));
    },
  };
}

/** The index of the first number above `value`; the length without one. */
function firstAbove(numbers: readonly number[], value: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] as number) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The input that has a text where its use is scanned. */
export function toInput(use: TextUse, text: string): ScanInput {
  switch (use) {
    case 'system':
      return { system: text, response: '' };
    case 'prompt':
      return { prompt: text, response: '' };
    case 'context':
      return { context: [text], response: '' };
    case 'response':
    case 'call':
      return { response: text };
  }
}
