import type { TextFeatures } from '../models/text-features.ts';
import type { SegmentRange, TextScorer } from '../models/text-scorer.ts';
import { DIGIT, isSentenceEnd, kindOf, LETTER } from '../tokens/characters.ts';
import { isBreak, LOWEST, RequestSide, RequestWords } from './place-sides.ts';
import { createWordTable } from './place-words.ts';
import type { TopicTable } from './topic-vectors.ts';
import { likeness } from './topic-vectors.ts';

/** The outputs of the model that separate requests, and orders about the answer, from a document's own text. */
export interface PlaceHeads {
  readonly prompt: number;
  readonly request: number;
  readonly order: number;
}

/** What is said of a request and of the text around it, in this order. */
export const PLACE_FEATURES = [
  'request',
  'request, text around',
  'request, best sentence around',
  'injection',
  'injection, text around',
  'share of its content words that the text around has',
  'content words',
  'words that point at the text',
  'words about answers and assistants',
  'words of the writer',
  'words for the reader',
  'tokens',
  'tokens before',
  'tokens behind',
  'short tokens around',
  'words of the writer around',
  'words for the reader around',
  'how it ends',
  'order',
  'order, best sentence around',
  'topic shared with the text around',
  'topic shared with the nearest sentence',
  'words whose topic is known',
  'share of signs and numbers',
  'how what comes before it ends',
] as const;

/** Most sentences of a request. */
const MOST_SEGMENTS = 3;
/** Below this a request is none, in log-odds. */
const LEAST_REQUEST = 1;
const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const QUESTION_MARK = 63;
/** The ending of a sentence that says no more than that it is one. */
const FULL_STOP = 3;

/** Shows a likely request, seen with some of the text around it; `values` are reused. */
type VisitPlace = (place: SegmentRange, values: Float32Array) => void;

/**
 * Shows every likely request of a text, with each way to see what is around it. Returns how much the
 * likeliest of the others reads like a request.
 */
export type PlaceReader = (scorer: TextScorer, visit: VisitPlace) => number;

/**
 * Makes a function that looks in each line for the sentences that read most like a request to an
 * assistant, and describes them by {@link PLACE_FEATURES} with up to `FARTHEST` sentences on
 * each side: once with so many, and once for each line before that on which a text may have begun or
 * ended. So what is joined to a text by a line break only adds to what is shown of it. Time is
 * linear in the text.
 */
export function createPlaceReader(heads: PlaceHeads, topics: TopicTable): PlaceReader {
  const values = new Float32Array(PLACE_FEATURES.length);
  const table = createWordTable(topics.words);
  const words = new RequestWords(table, topics);
  const before = new RequestSide(words, table, topics);
  const behind = new RequestSide(words, table, topics);
  return (scorer, visit) => {
    const features = scorer.features();
    let highest = LOWEST;
    for (let first = 0, last = 0; first < features.segments; first = last) {
      last = lineEnd(features, first);
      const place = bestRequest(scorer, heads.request, first, last);
      const request = scorer.scoreOf(heads.request, place.first, place.last);
      if (request < LEAST_REQUEST) {
        highest = Math.max(highest, request);
        continue;
      }
      words.read(features, place);
      before.read(scorer, heads.request, heads.order, place.first - 1, -1);
      behind.read(scorer, heads.request, heads.order, place.last, 1);
      readScores(scorer, heads, place, values);
      readWords(words, values);
      for (let far = 0; far <= before.length; far++) {
        if (!before.mayEnd(far)) continue;
        for (let near = 0; near <= behind.length; near++) {
          if (far + near === 0 || !behind.mayEnd(near)) continue;
          readAround(scorer, heads, place, far, near, values);
          joinSides(words, before, far, behind, near, values);
          visit(place, values);
        }
      }
    }
    return highest;
  };
}

/** Where the line ends that segment `first` begins in, as a number of segments. */
function lineEnd(features: TextFeatures, first: number): number {
  let last = first + 1;
  while (last < features.segments && !isBreak(features, last - 1)) last++;
  return last;
}

function bestRequest(scorer: TextScorer, head: number, from: number, to: number): SegmentRange {
  let highest = Number.NEGATIVE_INFINITY;
  let first = from;
  let size = 1;
  for (let width = 1; width <= Math.min(MOST_SEGMENTS, to - from); width++) {
    for (let at = from; at + width <= to; at++) {
      const score = scorer.scoreOf(head, at, at + width);
      if (score <= highest) continue;
      highest = score;
      first = at;
      size = width;
    }
  }
  return { first, last: first + size };
}

function readScores(
  scorer: TextScorer,
  heads: PlaceHeads,
  { first, last }: SegmentRange,
  into: Float32Array,
): void {
  into[0] = scorer.scoreOf(heads.request, first, last);
  into[3] = scorer.scoreOf(heads.prompt, first, last);
  into[18] = scorer.scoreOf(heads.order, first, last);
  into[17] = endingOf(scorer.features(), last - 1);
}

/** What segment `at` ends with: code, a word, a colon, a full stop, or a question mark. */
function endingOf({ text, ends }: TextFeatures, at: number): number {
  const code = text.charCodeAt((ends[at] as number) - 1);
  const kind = kindOf(code);
  if (code === QUESTION_MARK) return 4;
  if (code === COLON) return 2;
  if (kind === LETTER || kind === DIGIT || code === COMMA) return 1;
  return isSentenceEnd(code) || code === QUOTE ? FULL_STOP : 0;
}

function readAround(
  scorer: TextScorer,
  heads: PlaceHeads,
  { first, last }: SegmentRange,
  far: number,
  near: number,
  into: Float32Array,
): void {
  into[1] = scorer.scoreAround(heads.request, first - far, first, last, last + near);
  into[4] = scorer.scoreAround(heads.prompt, first - far, first, last, last + near);
  into[24] = far === 0 ? FULL_STOP : endingOf(scorer.features(), first - 1);
}

function readWords(words: RequestWords, into: Float32Array): void {
  into[6] = words.slots.length;
  into[7] = words.pointing;
  into[8] = words.machine;
  into[9] = words.self;
  into[10] = words.reader;
  into[11] = words.tokens;
  into[22] = words.known;
  into[23] = words.signs / words.tokens;
}

function joinSides(
  { slots, topic }: RequestWords,
  before: RequestSide,
  far: number,
  behind: RequestSide,
  near: number,
  into: Float32Array,
): void {
  into[2] = Math.max(before.request[far] as number, behind.request[near] as number);
  into[19] = Math.max(before.order[far] as number, behind.order[near] as number);
  const from = far * topic.length;
  into[20] = likeness(topic, before.topics, from, behind.topics, near * topic.length);
  into[21] = Math.max(before.likeness[far] as number, behind.likeness[near] as number);
  let again = 0;
  for (const slot of slots) {
    const isNear =
      (before.distance[slot] as number) <= far || (behind.distance[slot] as number) <= near;
    if (isNear) again++;
  }
  into[5] = slots.length === 0 ? 0.5 : again / slots.length;
  into[12] = before.tokens[far] as number;
  into[13] = behind.tokens[near] as number;
  const rest = (into[12] as number) + (into[13] as number);
  const short = (before.short[far] as number) + (behind.short[near] as number);
  const self = (before.self[far] as number) + (behind.self[near] as number);
  const reader = (before.reader[far] as number) + (behind.reader[near] as number);
  into[14] = short / Math.max(1, rest);
  into[15] = (20 * self) / (rest + 20);
  into[16] = (20 * reader) / (rest + 20);
}
