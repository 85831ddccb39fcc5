import { type Entry, KIND } from './lexicon.ts';
import { type Stretch, stemsOf, stretchOf } from './pair-features.ts';
import { GAP } from './scan-words.ts';
import { isContent, isQuestion, type Words } from './sentences.ts';

/** One statement of a text: its words, and where it stands, half-open, in the original. */
export interface Claim {
  readonly stretch: Stretch;
  readonly start: number;
  readonly end: number;
}

/** Words that tell who says something rather than what is said, at the head of a sentence. */
const FRAME: ReadonlySet<string> = new Set(
  `according text document say says said source note notes stated states state short sum summary found
  passage article context report answer based information provided mention mentions mentioned overall
  conclusion basically essentially result far goes yes no correct right indeed sure here is what i`.split(
    /\s+/,
  ),
);
const MAX_FRAME = 7;
const MIN_WORDS = 1;

/**
 * Cuts a text into the statements it makes: its sentences, without opening words such as "according
 * to the text"; a question with the answer behind it is one statement, denied where the answer is no.
 *
 * @param question words of a question that the text answers, if any
 */
export function claimsOf(words: Words, question?: Words): Claim[] {
  const claims: Claim[] = [];
  const last = words.sentences.length - 1;
  for (let at = 0; at < last; at++) {
    const from = words.sentences[at] as number;
    let to = words.sentences[at + 1] as number;
    let answerFrom = to;
    if (isQuestion(words, to) && at + 1 < last) {
      answerFrom = to;
      to = words.sentences[++at + 1] as number;
    }
    const claim = makeClaim(words, from, answerFrom, to, at === 0 ? question : undefined);
    if (claim !== undefined) claims.push(claim);
  }
  return claims;
}

function makeClaim(
  words: Words,
  from: number,
  answerFrom: number,
  to: number,
  question: Words | undefined,
): Claim | undefined {
  const place = { start: words.start[from] as number, end: words.end[to - 1] as number };
  if (answerFrom < to) {
    const joined = joinAnswer(stretchOf(words, from, answerFrom), words, answerFrom, to);
    return { stretch: joined, ...place };
  }
  if (question !== undefined && question.count > 2 && answersShortly(words, from, to)) {
    return {
      stretch: joinAnswer(stretchOf(question, 0, question.count), words, from, to),
      ...place,
    };
  }
  const begin = frameEnd(words, from, to);
  if (to - begin < MIN_WORDS) return undefined;
  return { stretch: stretchOf(words, begin, to), ...place };
}

/** A question with its answer: the words of both, denied where the answer says no and little else. */
function joinAnswer(question: Stretch, words: Words, from: number, to: number): Stretch {
  const begin = frameEnd(words, from, to);
  const answer = stretchOf(words, begin, to);
  const denied = answersShortly(words, from, to) && saysNo(words.entries.slice(from, to)) ? 1 : 0;
  const rest = denied === 1 || isEcho(answer.entries) ? stretchOf(words, to, to) : answer;
  const entries = [...question.entries, ...rest.entries];
  return {
    entries,
    stems: stemsOf(entries),
    shape: [...question.shape, ...rest.shape],
    gap: [...question.gap, ...rest.gap],
    denied,
  };
}

/** Whether an answer is no more than yes or no in some wording. */
function answersShortly(words: Words, from: number, to: number): boolean {
  const entries = words.entries.slice(from, to);
  const marks = KIND.affirmation | KIND.refusal;
  if (!entries.some(({ kinds }) => (kinds & marks) !== 0) && !saysNo(entries)) return false;
  return entries.filter((entry) => isContent(entry) && (entry.kinds & marks) === 0).length <= 1;
}

function isEcho(entries: readonly Entry[]): boolean {
  return entries.every((entry) => !isContent(entry) || (entry.kinds & KIND.affirmation) !== 0);
}

function saysNo(entries: readonly Entry[]): boolean {
  let denials = 0;
  for (const { kinds } of entries) {
    if ((kinds & KIND.refusal) !== 0) return true;
    if ((kinds & KIND.negation) !== 0) denials++;
  }
  return denials % 2 === 1;
}

/** The word number at which what is said begins, behind a frame such as "In short," or "Yes:". */
function frameEnd(words: Words, from: number, to: number): number {
  const limit = Math.min(to, from + MAX_FRAME);
  let isFrame = true;
  let framing = 0;
  for (let at = from; at < limit; at++) {
    const { word, kinds } = words.entries[at] as Entry;
    const gap = words.gap[at] as number;
    if (at > from && framing > 0 && (gap & GAP.pause) !== 0) return at;
    if (FRAME.has(word) && (kinds & KIND.function) === 0) framing++;
    else if (FRAME.has(word) && at === from) framing++;
    else if (word === 'that' && framing > 0) return at + 1;
    else if ((kinds & KIND.function) === 0) isFrame = false;
    if (!isFrame) return from;
  }
  return from;
}
