import { GAP } from './join-words.ts';
import type { Entry } from './lexicon.ts';
import { KIND } from './lexicon.ts';
import { isQuestion } from './sentences.ts';
import type { WordSpan, Words } from './words.ts';
import { isContent, WordColumns, wordSpanOf } from './words.ts';

/** One statement of a text: its words, and where it stands, half-open, in the original. */
export interface Claim {
  readonly span: WordSpan;
  readonly start: number;
  readonly end: number;
}

/** How many words a frame such as "According to the text," has at most. */
const MAX_FRAME = 7;

/**
 * Cuts a text into the statements it makes: its sentences, without opening words such as "according
 * to the text"; a question with the answer behind it is one statement, negated where the answer is no.
 *
 * @param question words of a question that the text answers, if any
 * @param fragment answers of up to so many words of substance say nothing without their question
 * @param isReaderQuestion whether the question at [start, end) is put to the reader, so that the sentence behind
 *   it is no answer
 */
export function claimsOf(
  words: Words,
  question?: Words,
  fragment = 1,
  isReaderQuestion: (start: number, end: number) => boolean = () => false,
): Claim[] {
  const claims: Claim[] = [];
  const last = words.sentences.length - 1;
  /** The sentence that answers the question. */
  let answer = 0;
  for (let at = 0; at < last; at++) {
    const from = words.sentences[at] as number;
    let to = words.sentences[at + 1] as number;
    let answerFrom = to;
    const asks = isQuestion(words, to) && at + 1 < last;
    if (asks && !isReaderQuestion(words.start[from] as number, words.end[to - 1] as number)) {
      answerFrom = to;
      to = words.sentences[++at + 1] as number;
    }
    // "Sure!" before the answer itself agrees to answer.
    if (at === answer && at + 1 < last && isConsent(words, from, to)) answer++;
    const asked = at === answer ? question : undefined;
    const span = wordSpanFrom(words, [from, answerFrom, to], asked, fragment);
    if (span.to === span.from) continue;
    claims.push({ span, start: words.start[from] as number, end: words.end[to - 1] as number });
  }
  return claims;
}

function wordSpanFrom(
  words: Words,
  [from, answerFrom, to]: readonly [number, number, number],
  question: Words | undefined,
  fragment: number,
): WordSpan {
  if (answerFrom < to) return joinAnswer(words, from, answerFrom, words, answerFrom, to);
  const asked = question !== undefined && question.count > 2;
  if (asked && (answersShortly(words, from, to) || isFragment(words, from, to, fragment))) {
    return joinAnswer(question, 0, question.count, words, from, to);
  }
  return wordSpanOf(words, frameEnd(words, from, to), to);
}

/** A question with its answer: the words of both, negated where the answer says no and little else. */
function joinAnswer(
  question: Words,
  questionFrom: number,
  questionTo: number,
  words: Words,
  from: number,
  to: number,
): WordSpan {
  const begin = frameEnd(words, from, to);
  const negated = answersShortly(words, from, to) && saysNo(words, from, to) ? 1 : 0;
  const joined = new WordColumns(questionTo - questionFrom + to - begin);
  joined.append(question, questionFrom, questionTo);
  if (negated === 0 && !isEcho(words, begin, to)) joined.append(words, begin, to);
  return wordSpanOf(joined, 0, joined.count, negated);
}

function isConsent(words: Words, from: number, to: number): boolean {
  return to === from + 1 && words.entries[from]?.word === 'sure';
}

/** Whether an answer is no more than yes or no in some wording. */
function answersShortly(words: Words, from: number, to: number): boolean {
  const marks = KIND.affirmation | KIND.refusal;
  let marked = false;
  let other = 0;
  for (let at = from; at < to; at++) {
    const entry = words.entries[at] as Entry;
    if ((entry.kinds & marks) !== 0) marked = true;
    else if (isContent(entry)) other++;
  }
  return other <= 1 && (marked || saysNo(words, from, to));
}

/** Whether an answer takes up what the question is about without naming it. */
function isFragment(words: Words, from: number, to: number, most: number): boolean {
  if (most <= 1) return false;
  let contentWords = 0;
  for (let at = from; at < to; at++) if (isContent(words.entries[at] as Entry)) contentWords++;
  return contentWords <= most;
}

function isEcho(words: Words, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const entry = words.entries[at] as Entry;
    if (isContent(entry) && (entry.kinds & KIND.affirmation) === 0) return false;
  }
  return true;
}

function saysNo(words: Words, from: number, to: number): boolean {
  let negations = 0;
  for (let at = from; at < to; at++) {
    const kinds = words.kinds[at] as number;
    if ((kinds & KIND.refusal) !== 0) return true;
    if ((kinds & KIND.negation) !== 0) negations++;
  }
  return negations % 2 === 1;
}

/** The word number at which what is said begins, behind a frame such as "In short," or "Yes:". */
function frameEnd(words: Words, from: number, to: number): number {
  const limit = Math.min(to, from + MAX_FRAME);
  let framing = 0;
  for (let at = from; at < limit; at++) {
    const kinds = words.kinds[at] as number;
    if (framing > 0 && ((words.gap[at] as number) & GAP.pause) !== 0) return at;
    const frames = (kinds & KIND.frame) !== 0;
    if (frames && ((kinds & KIND.function) === 0 || at === from)) framing++;
    else if (framing > 0 && (words.entries[at] as Entry).word === 'that') return at + 1;
    else if ((kinds & KIND.function) === 0) return from;
  }
  return from;
}
