import type { LinearModel } from './model-file.ts';
import { featuresOf } from './shared-features.ts';
import { createTextFeatures, type TextFeatures } from './text-features.ts';
import { divisor, findBestWindow, WINDOW_SIZES, type Window } from './windows.ts';

/** A stretch of a text with what one head says of it, in log-odds. */
interface ScoredWindow {
  readonly start: number;
  readonly end: number;
  readonly logOdds: number;
}

/** Reads texts with one model. It keeps its working memory, so one text at a time. */
export interface TextScorer {
  /** Takes up a folded text; the other functions then speak of it. */
  read(text: string): void;
  /** The window that a head scores highest; undefined for a text without words. */
  best(head: number): ScoredWindow | undefined;
  /**
   * Windows at or above `least` that don't overlap, the highest first: where a text has several
   * such places, each is found.
   */
  above(head: number, least: number): readonly ScoredWindow[];
  /** The highest log-odds of a window that overlaps a range; -Infinity where there is none. */
  near(head: number, start: number, end: number): number;
}

/** Makes a reader of texts for one model. Time is linear in the text, whatever the text. */
export function createTextScorer(model: LinearModel): TextScorer {
  let features: TextFeatures = createTextFeatures();
  const heads = model.heads.length;
  const { weights } = model;
  const mask = 2 ** model.bits - 1;
  const window: Window = { first: 0, last: 0, score: 0 };
  let sums = new Float64Array(heads * 64);
  let tokens = new Float64Array(64);

  function read(text: string): void {
    features = featuresOf(text);
    if (tokens.length <= features.segments) {
      sums = new Float64Array((features.segments + 1) * heads * 2);
      tokens = new Float64Array((features.segments + 1) * 2);
    }
    for (let segment = 0; segment < features.segments; segment++) addSegment(segment);
  }

  function addSegment(segment: number): void {
    const base = (segment + 1) * heads;
    const from = features.firstHash[segment] as number;
    const to = features.firstHash[segment + 1] as number;
    // Sums in variables of their own take less than half the time of sums in the table.
    let head = 0;
    for (; head + 6 <= heads; head += 6) addSix(base, head, from, to);
    for (; head + 4 <= heads; head += 4) addFour(base, head, from, to);
    for (; head < heads; head++) addOne(base, head, from, to);
    for (head = 0; head < heads; head++) {
      const step = model.heads[head]?.step as number;
      sums[base + head] =
        (sums[base + head] as number) * step + (sums[base + head - heads] as number);
    }
    tokens[segment + 1] = (tokens[segment] as number) + (features.tokens[segment] as number);
  }

  function addSix(base: number, head: number, from: number, to: number): void {
    const { hashes } = features;
    let first = 0;
    let second = 0;
    let third = 0;
    let fourth = 0;
    let fifth = 0;
    let sixth = 0;
    for (let at = from; at < to; at++) {
      const place = ((hashes[at] as number) & mask) * heads + head;
      first += weights[place] as number;
      second += weights[place + 1] as number;
      third += weights[place + 2] as number;
      fourth += weights[place + 3] as number;
      fifth += weights[place + 4] as number;
      sixth += weights[place + 5] as number;
    }
    sums[base + head] = first;
    sums[base + head + 1] = second;
    sums[base + head + 2] = third;
    sums[base + head + 3] = fourth;
    sums[base + head + 4] = fifth;
    sums[base + head + 5] = sixth;
  }

  function addFour(base: number, head: number, from: number, to: number): void {
    const { hashes } = features;
    let first = 0;
    let second = 0;
    let third = 0;
    let fourth = 0;
    for (let at = from; at < to; at++) {
      const place = ((hashes[at] as number) & mask) * heads + head;
      first += weights[place] as number;
      second += weights[place + 1] as number;
      third += weights[place + 2] as number;
      fourth += weights[place + 3] as number;
    }
    sums[base + head] = first;
    sums[base + head + 1] = second;
    sums[base + head + 2] = third;
    sums[base + head + 3] = fourth;
  }

  function addOne(base: number, head: number, from: number, to: number): void {
    const { hashes } = features;
    let sum = 0;
    for (let at = from; at < to; at++) {
      sum += weights[((hashes[at] as number) & mask) * heads + head] as number;
    }
    sums[base + head] = sum;
  }

  function scoreOf(head: number, first: number, last: number): number {
    const sum = (sums[last * heads + head] as number) - (sums[first * heads + head] as number);
    const count = (tokens[last] as number) - (tokens[first] as number);
    return sum / divisor(count, model.scale) + (model.heads[head]?.bias as number);
  }

  function toWindow(first: number, last: number, logOdds: number): ScoredWindow {
    const start = features.starts[first] as number;
    return { start, end: features.ends[last - 1] as number, logOdds };
  }

  function best(head: number): ScoredWindow | undefined {
    const { segments } = features;
    if (segments === 0) return undefined;
    findBestWindow(sums, tokens, segments, { head, heads }, model.scale, window);
    return toWindow(window.first, window.last, window.score + (model.heads[head]?.bias as number));
  }

  /** Every window of the given head, shortest first. */
  function eachWindow(
    head: number,
    visit: (first: number, last: number, score: number) => void,
  ): void {
    const { segments } = features;
    for (const size of WINDOW_SIZES) {
      const width = Math.min(size, segments);
      for (let last = width; last <= segments && segments > 0; last++) {
        visit(last - width, last, scoreOf(head, last - width, last));
      }
      if (width === segments) return;
    }
  }

  function above(head: number, least: number): ScoredWindow[] {
    const top = best(head);
    if (top === undefined || top.logOdds < least) return [];
    const found: ScoredWindow[] = [];
    eachWindow(head, (first, last, score) => {
      if (score >= least) found.push(toWindow(first, last, score));
    });
    found.sort((a, b) => b.logOdds - a.logOdds);
    return withoutOverlaps(found, features.segments);
  }

  function near(head: number, start: number, end: number): number {
    let highest = Number.NEGATIVE_INFINITY;
    eachWindow(head, (first, last, score) => {
      const overlaps =
        (features.starts[first] as number) < end && start < (features.ends[last - 1] as number);
      if (overlaps && score > highest) highest = score;
    });
    return highest;
  }

  return { read, best, above, near };
}

const MOST_KEPT = 64;

function withoutOverlaps(found: readonly ScoredWindow[], segments: number): ScoredWindow[] {
  const most = Math.min(MOST_KEPT, segments);
  const kept: ScoredWindow[] = [];
  for (const window of found) {
    if (kept.length >= most) break;
    if (!kept.some(({ start, end }) => window.start < end && start < window.end)) kept.push(window);
  }
  return kept;
}
