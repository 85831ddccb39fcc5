import type { Random } from '@probity/test-support/random';
import { readDataFile } from '../lib/data-file.ts';
import { paraphrase } from './paraphrase.ts';
import { FAITHFUL_EDITS, FALSE_EDITS } from './sentence-edits.ts';

const lists = readDataFile('claims/frames');

/** A claim with what it was made of. */
export interface ClaimExample {
  readonly text: string;
  /** The question that the text answers, where it is an answer. */
  readonly prompt?: string;
  readonly faithful: boolean;
  /** How it was made. */
  readonly kind: string;
  /** Number of the sentence it was made of, or -1 where the source does not have it. */
  readonly sentence: number;
}

const FRAMES = lists.list('frames');
const ERRORS = Object.keys(FALSE_EDITS);

/** Makes faithful and false claims about sentences of one text, in about equal numbers. */
export function claimExamples(
  sentences: readonly string[],
  foreign: readonly string[],
  random: Random,
): ClaimExample[] {
  return sentences.flatMap((sentence, number) => {
    if (sentence.split(' ').length < 5) return [];
    const others = sentences.filter((_, at) => at !== number);
    return [
      ...faithfulClaims(sentence, number, sentences, random),
      ...falseClaims(sentence, number, others, foreign, random),
    ];
  });
}

/** Errors that show in paraphrase as well; a changed common word does not. */
const PLAIN_ERRORS = ERRORS.filter((kind) => kind !== 'word' && kind !== 'field');

/**
 * Claims in paraphrase, as summaries have them, over one sentence or two that follow each other: half
 * of them faithful, half with an error put in afterwards.
 */
export function paraphraseExamples(
  sentences: readonly string[],
  foreign: readonly string[],
  random: Random,
): ClaimExample[] {
  return sentences.flatMap((sentence, number) => {
    if (sentence.split(' ').length < 8) return [];
    const next = random.next() < 0.3 ? (sentences[number + 1] ?? '') : '';
    const whole = `${sentence.replace(/[.]$/, '')} ${next}`.trim();
    const others = sentences.filter((_, at) => at !== number);
    const made: ClaimExample[] = [];
    for (let round = 0; round < 2; round++) {
      const text = paraphrase(whole, foreign, random);
      made.push({ text, faithful: true, kind: 'free', sentence: number });
    }
    for (const kind of random.shuffle(PLAIN_ERRORS)) {
      if (made.length >= 4) break;
      const text = paraphrase(whole, foreign, random);
      const edited = FALSE_EDITS[kind]?.(text, random, random.next() < 0.5 ? others : foreign);
      if (edited === undefined || edited === text) continue;
      made.push({ text: edited, faithful: false, kind, sentence: number });
    }
    return made;
  });
}

function faithfulClaims(
  sentence: string,
  number: number,
  all: readonly string[],
  random: Random,
): ClaimExample[] {
  const made: ClaimExample[] = [];
  const count = 3;
  for (let round = 0; round < count; round++) {
    const text = reword(sentence, random, random.below(5));
    made.push({
      text: random.pick(FRAMES) + text,
      faithful: true,
      kind: 'reworded',
      sentence: number,
    });
  }
  const next = all[number + 1];
  if (next !== undefined && random.next() < 0.5) {
    const text = `${sentence.replace(/[.]$/, '')} and ${next[0]?.toLowerCase()}${next.slice(1)}`;
    made.push({ text: reword(text, random, 1), faithful: true, kind: 'joined', sentence: number });
  }
  const question = toQuestion(sentence);
  if (question !== undefined) {
    const answer = random.pick([
      'Yes.',
      'Yes, that is right.',
      'That is correct.',
      `Yes. ${sentence}`,
    ]);
    made.push({ text: answer, prompt: question, faithful: true, kind: 'yes', sentence: number });
  }
  return made;
}

function falseClaims(
  sentence: string,
  number: number,
  others: readonly string[],
  foreign: readonly string[],
  random: Random,
): ClaimExample[] {
  const made: ClaimExample[] = [];
  for (const kind of random.shuffle(ERRORS)) {
    if (made.length >= 3) break;
    const edited = FALSE_EDITS[kind]?.(sentence, random, random.next() < 0.7 ? others : foreign);
    if (edited === undefined || edited === sentence) continue;
    const text = random.pick(FRAMES) + reword(edited, random, random.below(3));
    made.push({ text, faithful: false, kind, sentence: number });
  }
  const stranger = random.pick(foreign);
  if (random.next() < 0.5) {
    const text = random.pick(FRAMES) + reword(stranger, random, random.below(2));
    made.push({ text, faithful: false, kind: 'foreign', sentence: -1 });
  }
  const question = toQuestion(sentence);
  if (question !== undefined) {
    const answer = random.pick([
      'No.',
      'No, that is wrong.',
      'No, it is not so.',
      'That is not correct.',
    ]);
    made.push({ text: answer, prompt: question, faithful: false, kind: 'no', sentence: number });
  }
  return made;
}

function reword(sentence: string, random: Random, edits: number): string {
  let text = sentence;
  for (let round = 0; round < edits; round++) {
    text = random.pick(FAITHFUL_EDITS)(text, random, []) ?? text;
  }
  return text;
}

function toQuestion(sentence: string): string | undefined {
  const match =
    /^((?:The|A|An|This|These|Our|All|Most)? ?[\w' -]{2,40}?) (is|are|was|were|can|will|should|must|has) (.{8,160})[.]$/.exec(
      sentence,
    );
  if (match === null) return undefined;
  const [, subject = '', verb = '', rest = ''] = match;
  return `${verb[0]?.toUpperCase()}${verb.slice(1)} ${subject[0]?.toLowerCase()}${subject.slice(1)} ${rest}?`;
}

/** Cuts a text into sentences, roughly: good enough for well-kept prose. */
export function splitSentences(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s+(?=[\p{Lu}\d"“])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length > 20 && sentence.length < 500);
}
