import type { TextFeatures } from '../models/text-features.ts';
import type { SegmentRange, TextScorer } from '../models/text-scorer.ts';
import { classesOf, FUNCTION, MACHINE, POINTING, READER, SELF } from './place-words.ts';

/** The outputs of the model that tell requests, and orders about the answer, from a document's own text. */
export interface PlaceHeads {
  readonly prompt: number;
  readonly request: number;
  readonly order: number;
}

/** What is said of a request and of the text around it, in this order. */
export const PLACE_FEATURES = [
  'request',
  'request, rest of the text',
  'request, next best sentence',
  'injection',
  'injection, rest of the text',
  'share of its content words that the rest has',
  'content words',
  'words that point at the text',
  'words about answers and assistants',
  'words of the writer',
  'words for the reader',
  'tokens',
  'tokens in the rest',
  'short tokens in the rest',
  'words of the writer in the rest',
  'words for the reader in the rest',
  'at the beginning, inside, at the end',
  'ends with a colon, otherwise, with a question mark',
  'order',
  'order, best of the text',
] as const;

/** Most sentences of a request. */
const MOST_SEGMENTS = 3;
/** Below this a request is none, in log-odds. */
const LEAST_REQUEST = -1;
const LONG_WORD = 4;
const LOWEST = -10;
/** Places for the content words of a request; a power of two. */
const MARKED = 512;

/** Describes the likeliest request of a text and its surroundings. */
export type PlaceReader = (scorer: TextScorer, into: Float32Array) => SegmentRange | undefined;

/**
 * Makes a function that looks for the sentences of a text that read most like a request to an
 * assistant, and writes {@link PLACE_FEATURES} of them; undefined, and nothing of use written, where
 * the text has nothing else or no such sentence. Time is linear in the text.
 */
export function createPlaceReader(heads: PlaceHeads): PlaceReader {
  const marked = new Int32Array(MARKED);
  return (scorer, into) => {
    const features = scorer.features();
    const place = scorer.narrow(heads.request, MOST_SEGMENTS);
    if (place === undefined || place.last - place.first === features.segments) return undefined;
    const request = scorer.scoreOf(heads.request, place.first, place.last);
    if (request < LEAST_REQUEST) return undefined;
    into[0] = request;
    readScores(scorer, heads, place, into);
    readRequest(features, place, marked, into);
    readRest(features, place, marked, into);
    into[16] = place.first === 0 ? 0 : place.last === features.segments ? 2 : 1;
    const sign = features.text.charAt((features.ends[place.last - 1] as number) - 1);
    into[17] = sign === '?' ? 2 : sign === ':' ? 0 : 1;
    return place;
  };
}

function readScores(
  scorer: TextScorer,
  heads: PlaceHeads,
  place: SegmentRange,
  into: Float32Array,
): void {
  const { first, last } = place;
  into[1] = scorer.scoreWithout(heads.request, first, last);
  into[2] = nextBest(scorer, heads.request, place);
  into[3] = scorer.scoreOf(heads.prompt, first, last);
  into[4] = scorer.scoreWithout(heads.prompt, first, last);
  into[18] = scorer.scoreOf(heads.order, first, last);
  const order = scorer.narrow(heads.order, MOST_SEGMENTS) ?? place;
  into[19] = scorer.scoreOf(heads.order, order.first, order.last);
}

function nextBest(scorer: TextScorer, head: number, { first, last }: SegmentRange): number {
  let highest = LOWEST;
  const { segments } = scorer.features();
  for (let at = 0; at < segments; at++) {
    if (at >= first && at < last) continue;
    highest = Math.max(highest, scorer.scoreOf(head, at, at + 1));
  }
  return highest;
}

/** Counts the words of the request, and marks its content words. */
function readRequest(
  { words, wordStarts, wordEnds, firstWord }: TextFeatures,
  { first, last }: SegmentRange,
  marked: Int32Array,
  into: Float32Array,
): void {
  into.fill(0, 6, 12);
  const to = firstWord[last] as number;
  const from = firstWord[first] as number;
  marked.fill(0);
  for (let at = from; at < to; at++) {
    const word = words[at] as number;
    const classes = classesOf(word);
    if (classes & POINTING) into[7] = (into[7] as number) + 1;
    if (classes & MACHINE) into[8] = (into[8] as number) + 1;
    if (classes & SELF) into[9] = (into[9] as number) + 1;
    if (classes & READER) into[10] = (into[10] as number) + 1;
    const long = (wordEnds[at] as number) - (wordStarts[at] as number) >= LONG_WORD;
    if (!long || (classes & (FUNCTION | POINTING | SELF | READER | MACHINE)) !== 0) continue;
    into[6] = (into[6] as number) + 1;
    marked[word & (MARKED - 1)] = word;
  }
  into[11] = to - from;
}

/** Counts the words around the request, and which of its content words come again there. */
function readRest(
  { words, wordStarts, wordEnds, firstWord, segments }: TextFeatures,
  { first, last }: SegmentRange,
  marked: Int32Array,
  into: Float32Array,
): void {
  const from = firstWord[first] as number;
  const to = firstWord[last] as number;
  const end = firstWord[segments] as number;
  let again = 0;
  let short = 0;
  let self = 0;
  let reader = 0;
  for (let at = from === 0 ? to : 0; at < end; at = at + 1 === from ? to : at + 1) {
    const word = words[at] as number;
    if ((wordEnds[at] as number) - (wordStarts[at] as number) < 2) short++;
    const classes = classesOf(word);
    if (classes & SELF) self++;
    if (classes & READER) reader++;
    const slot = word & (MARKED - 1);
    if (marked[slot] !== word) continue;
    again++;
    marked[slot] = 0;
  }
  const rest = end - to + from;
  const content = into[6] as number;
  into[5] = content === 0 ? 0.5 : again / content;
  into[12] = rest;
  into[13] = short / Math.max(1, rest);
  into[14] = (20 * self) / (rest + 20);
  into[15] = (20 * reader) / (rest + 20);
}
