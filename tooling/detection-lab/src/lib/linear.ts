import type { TextFeatures, Window, WindowScale } from '@probity/pipeline/internal';
import {
  createTextFeatures,
  divisor,
  eachWordHash,
  findBestWindow,
  readFeatures,
  tokensOfText,
} from '@probity/pipeline/internal';
import { createRandom } from '@probity/test-support/random';

/** One text to fit on. */
export interface LinearExample {
  /** Per head: 1 has it, 0 has it not, -1 unknown (the head learns nothing from this text). */
  readonly targets: readonly number[];
  /** How much the text counts, about 1. */
  readonly weight: number;
}

/** Settings of the fit. */
export interface LinearSettings {
  readonly heads: number;
  /** The tables have 2 ** bits places. */
  readonly bits: number;
  readonly epochs: number;
  readonly rate: number;
  readonly l2: number;
  readonly seed: number;
  readonly scale: WindowScale;
}

/** A fitted model: `heads` weights per place, side by side, and a bias per head. */
export interface LinearWeights {
  readonly settings: LinearSettings;
  readonly weights: Float32Array;
  readonly bias: Float64Array;
}

/** The features of one text. */
export interface PackedText {
  readonly hashes: Uint32Array;
  readonly firstHash: Uint32Array;
  readonly tokens: Uint32Array;
  readonly segments: number;
}

/**
 * Reads the features of texts once, so that they can be used for several fits.
 *
 * @param once whether a sentence that a text repeats counts once
 */
export function packTexts(texts: readonly string[], bits: number, once = false): PackedText[] {
  const features = createTextFeatures();
  const mask = 2 ** bits - 1;
  return texts.map((text) => {
    readFeatures(tokensOfText(text), features);
    const hashes: number[] = [];
    const firstHash = [0];
    const add = (hash: number) => hashes.push(hash & mask);
    for (let segment = 0; segment < features.segments; segment++) {
      if (!once || features.repeats[segment] !== 1) eachSegmentHash(features, segment, add);
      firstHash.push(hashes.length);
    }
    return {
      hashes: Uint32Array.from(hashes),
      firstHash: Uint32Array.from(firstHash),
      tokens: tokensOf(features, once),
      segments: features.segments,
    };
  });
}

/** The number of tokens of each segment; 0 for one that repeats an earlier one and counts once. */
export function tokensOf(
  { segments, firstWord, repeats }: TextFeatures,
  once: boolean,
): Uint32Array {
  return Uint32Array.from({ length: segments }, (_, at) => {
    if (once && repeats[at] === 1) return 0;
    return (firstWord[at + 1] as number) - (firstWord[at] as number);
  });
}

/** Calls `visit` with every hash of one segment, those of the letters of its words included. */
function eachSegmentHash(
  features: TextFeatures,
  segment: number,
  visit: (hash: number) => void,
): void {
  const { text, firstDistinct, distinct, firstHash, words, wordStarts, wordEnds, hashes } =
    features;
  const last = firstDistinct[segment + 1] as number;
  for (let index = firstDistinct[segment] as number; index < last; index++) {
    const at = distinct[index] as number;
    eachWordHash(
      text,
      wordStarts[at] as number,
      wordEnds[at] as number,
      words[at] as number,
      visit,
    );
  }
  for (let at = firstHash[segment] as number; at < (firstHash[segment + 1] as number); at++) {
    visit(hashes[at] as number);
  }
}

/**
 * Logistic regression over hashed features by AdaGrad. Each head sees of each text the window that it
 * scores highest (multiple instance learning): of an attacked document that is the hostile sentence,
 * of a harmless one the most suspicious. In the first epoch the window is the whole text.
 */
export function fitLinear(
  examples: readonly LinearExample[],
  settings: LinearSettings,
  packed: readonly PackedText[],
): LinearWeights {
  const { heads, bits, seed } = settings;
  const random = createRandom(seed);
  const model = {
    settings,
    weights: new Float32Array(heads * 2 ** bits),
    bias: new Float64Array(heads),
  };
  const state = new Float32Array(heads * 2 ** bits).fill(1e-2);
  const biasState = new Float64Array(heads).fill(1);
  const scratch = createScratch(heads);
  const order = examples.map((_, index) => index);
  for (let epoch = 0; epoch < settings.epochs; epoch++) {
    const rate = settings.rate * (1 - epoch / settings.epochs) ** 0.5;
    for (const index of random.shuffle(order)) {
      const text = packed[index] as PackedText;
      if (text.segments === 0) continue;
      step(
        model,
        state,
        biasState,
        examples[index] as LinearExample,
        text,
        scratch,
        rate,
        epoch === 0,
      );
    }
  }
  return model;
}

interface Scratch {
  /** Running sums: the numbers of segment i stand at i + 1. */
  sums: Float64Array;
  tokens: Float64Array;
  readonly window: Window;
}

function createScratch(heads: number): Scratch {
  return {
    sums: new Float64Array(heads * 256),
    tokens: new Float64Array(256),
    window: { first: 0, last: 0, score: 0 },
  };
}

function sumSegments(model: LinearWeights, text: PackedText, scratch: Scratch): void {
  const { heads } = model.settings;
  if (scratch.tokens.length <= text.segments) {
    scratch.sums = new Float64Array((text.segments + 1) * heads * 2);
    scratch.tokens = new Float64Array((text.segments + 1) * 2);
  }
  const { sums, tokens } = scratch;
  const { weights } = model;
  for (let segment = 0; segment < text.segments; segment++) {
    const base = (segment + 1) * heads;
    for (let head = 0; head < heads; head++)
      sums[base + head] = sums[base + head - heads] as number;
    tokens[segment + 1] = (tokens[segment] as number) + (text.tokens[segment] as number);
    const end = text.firstHash[segment + 1] as number;
    for (let at = text.firstHash[segment] as number; at < end; at++) {
      const from = (text.hashes[at] as number) * heads;
      for (let head = 0; head < heads; head++) {
        sums[base + head] = (sums[base + head] as number) + (weights[from + head] as number);
      }
    }
  }
}

function step(
  model: LinearWeights,
  state: Float32Array,
  biasState: Float64Array,
  example: LinearExample,
  text: PackedText,
  scratch: Scratch,
  rate: number,
  whole: boolean,
): void {
  const { settings, weights, bias } = model;
  const { heads, scale, l2 } = settings;
  sumSegments(model, text, scratch);
  const { window } = scratch;
  for (let head = 0; head < heads; head++) {
    const target = example.targets[head] as number;
    if (target < 0) continue;
    findBestWindow(scratch.sums, scratch.tokens, text.segments, { head, heads }, scale, window);
    if (whole) useWhole(window, scratch, text.segments, head, settings);
    const probability = 1 / (1 + Math.exp(-(window.score + (bias[head] as number))));
    const slope = (probability - target) * example.weight;
    if (Math.abs(slope) < 2e-3) continue;
    biasState[head] = (biasState[head] as number) + slope * slope;
    bias[head] = (bias[head] as number) - (rate * slope) / Math.sqrt(biasState[head] as number);
    const tokens =
      (scratch.tokens[window.last] as number) - (scratch.tokens[window.first] as number);
    const gradient = slope / divisor(tokens, scale);
    const end = text.firstHash[window.last] as number;
    for (let at = text.firstHash[window.first] as number; at < end; at++) {
      const place = (text.hashes[at] as number) * heads + head;
      const weight = weights[place] as number;
      const pull = gradient + l2 * weight;
      const seen = (state[place] as number) + pull * pull;
      state[place] = seen;
      weights[place] = weight - (rate * pull) / Math.sqrt(seen);
    }
  }
}

function useWhole(
  window: Window,
  { sums, tokens }: Scratch,
  segments: number,
  head: number,
  { heads, scale }: LinearSettings,
): void {
  window.first = 0;
  window.last = segments;
  const sum = sums[segments * heads + head] as number;
  window.score = sum / divisor(tokens[segments] as number, scale);
}

/** Log-odds of every head for each packed text, by its best window; -20 for an empty text. */
export function predictLinear(model: LinearWeights, packed: readonly PackedText[]): number[][] {
  const { heads, scale } = model.settings;
  const scratch = createScratch(heads);
  const { window } = scratch;
  return packed.map((text) => {
    sumSegments(model, text, scratch);
    return Array.from({ length: heads }, (_, head) => {
      if (text.segments === 0) return -20;
      const place = { head, heads };
      findBestWindow(scratch.sums, scratch.tokens, text.segments, place, scale, window);
      return window.score + (model.bias[head] as number);
    });
  });
}
