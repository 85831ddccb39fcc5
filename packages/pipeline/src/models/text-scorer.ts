import type { Tokens } from '../tokens/tokens.ts';
import type { FeatureSums } from './feature-sums.ts';
import { createFeatureSums } from './feature-sums.ts';
import type { LinearModel } from './model-file.ts';
import { featuresOf } from './shared-features.ts';
import type { TextFeatures } from './text-features.ts';
import { createTextFeatures } from './text-features.ts';
import type { Window } from './windows.ts';
import { divisor, findBestWindow, WINDOW_SIZES } from './windows.ts';

/** A window of a text with the logit of one head: its place, and its segments. */
export interface ScoredWindow extends SegmentRange {
  readonly start: number;
  readonly end: number;
  readonly logOdds: number;
}

/** The segments from `first` up to `last`. */
export interface SegmentRange {
  readonly first: number;
  readonly last: number;
}

/** Reads texts with one model. It keeps its working memory, so one text at a time. */
export interface TextScorer {
  /** Reads the tokens of a folded text; the other functions then refer to it. */
  read(folded: Tokens): void;
  /** The window that a head scores highest; undefined for a text without words. */
  best(head: number): ScoredWindow | undefined;
  /**
   * Windows at or above `least` that don't overlap, the highest first: where a text has several
   * such places, each is found.
   */
  above(head: number, least: number): readonly ScoredWindow[];
  /** Log-odds of the segments from `first` up to `last`. */
  scoreOf(head: number, first: number, last: number): number;
  /** Log-odds of the segments from `from` up to `first` and from `last` up to `to` together. */
  scoreAround(head: number, from: number, first: number, last: number, to: number): number;
  /** How many tokens the text has; those of repeated sentences once, where they count once. */
  tokens(): number;
  /** The features of the text taken up. */
  features(): TextFeatures;
  /** The highest log-odds of a window that overlaps a range; -Infinity where there is none. */
  near(head: number, start: number, end: number): number;
}

/**
 * Makes a reader of texts for one model. Time is linear in the text, whatever the text.
 *
 * @param options.more adds what other features of the text weigh to the running sums of every head
 * @param options.once whether a sentence that the text repeats counts once; else each time
 */
export function createTextScorer(
  model: LinearModel,
  { more, once = false }: { readonly more?: FeatureSums; readonly once?: boolean } = {},
): TextScorer {
  let features: TextFeatures = createTextFeatures();
  const heads = model.heads.length;
  const sumFeatures = createFeatureSums(model);
  const window: Window = { first: 0, last: 0, score: 0 };
  let sums = new Float64Array(heads * 64);
  let tokens = new Float64Array(64);

  function read(folded: Tokens): void {
    features = featuresOf(folded);
    if (tokens.length <= features.segments) {
      sums = new Float64Array((features.segments + 1) * heads * 2);
      tokens = new Float64Array((features.segments + 1) * 2);
    }
    sumFeatures(features, sums);
    more?.(features, sums);
    for (let segment = 0; segment < features.segments; segment++) {
      tokens[segment + 1] = features.firstWord[segment + 1] as number;
    }
    if (once && features.repeated > 0) leaveOutRepeats();
  }

  /** Takes repeated segments out of the running sums: a sentence counts once, however often it comes. */
  function leaveOutRepeats(): void {
    const { segments, repeats, firstWord } = features;
    const lost = new Float64Array(heads);
    let lostTokens = 0;
    for (let segment = 0; segment < segments; segment++) {
      const base = (segment + 1) * heads;
      const isRepeat = repeats[segment] === 1;
      if (isRepeat) {
        lostTokens += (firstWord[segment + 1] as number) - (firstWord[segment] as number);
      }
      for (let head = 0; head < heads; head++) {
        const sum = sums[base + head] as number;
        const before = sums[base + head - heads] as number;
        // The sums before this one have lost theirs already, this one not yet.
        if (isRepeat) lost[head] = sum - before;
        sums[base + head] = sum - (lost[head] as number);
      }
      tokens[segment + 1] = (tokens[segment + 1] as number) - lostTokens;
    }
  }

  function scoreOf(head: number, first: number, last: number): number {
    const sum = (sums[last * heads + head] as number) - (sums[first * heads + head] as number);
    const count = (tokens[last] as number) - (tokens[first] as number);
    return sum / divisor(count, model.scale) + (model.heads[head]?.bias as number);
  }

  function scoreAround(
    head: number,
    from: number,
    first: number,
    last: number,
    to: number,
  ): number {
    const sumTo = (segment: number) => sums[segment * heads + head] as number;
    const tokensTo = (segment: number) => tokens[segment] as number;
    const sum = sumTo(first) - sumTo(from) + sumTo(to) - sumTo(last);
    const count = tokensTo(first) - tokensTo(from) + tokensTo(to) - tokensTo(last);
    return sum / divisor(count, model.scale) + (model.heads[head]?.bias as number);
  }

  function toWindow(first: number, last: number, logOdds: number): ScoredWindow {
    const start = features.starts[first] as number;
    return { start, end: features.ends[last - 1] as number, first, last, logOdds };
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
    for (const width of WINDOW_SIZES) {
      if (width > segments) return;
      for (let last = width; last <= segments; last++) {
        visit(last - width, last, scoreOf(head, last - width, last));
      }
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

  return {
    read,
    best,
    above,
    near,
    scoreOf,
    scoreAround,
    tokens: () => tokens[features.segments] as number,
    features: () => features,
  };
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
