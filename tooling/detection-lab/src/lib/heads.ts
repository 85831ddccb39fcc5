import type { SmallNet, Window, WindowScale, WordVectors } from '@probity/pipeline/internal';
import { divisor, findBestWindow, poolSize, poolWords, runNet } from '@probity/pipeline/internal';
import { createRandom } from '@probity/test-support/random';
import type { LinearExample, PackedText } from './linear.ts';

/** Settings of a fit of several heads over one table of features and one small net. */
export interface HeadSettings {
  /** How much each head counts in the loss; the last one chooses the window that the net reads. */
  readonly headWeights: readonly number[];
  /** The table has 2 ** bits places. */
  readonly bits: number;
  readonly hidden: number;
  readonly epochs: number;
  /** Step of the table's weights, and of the net's. */
  readonly rate: number;
  readonly netRate: number;
  readonly l2: number;
  /** Shares that are left out at random in each step. */
  readonly dropped: { readonly features: number; readonly inputs: number; readonly units: number };
  readonly seed: number;
  readonly scale: WindowScale;
}

/** The rows of a text's words in the table of vectors, and the first word of each segment. */
export interface PackedWords {
  readonly rows: Int32Array;
  readonly firstWord: Uint32Array;
}

/** Fitted heads: a weight for each place and head, a bias for each head, the net. */
export interface FittedHeads {
  readonly settings: HeadSettings;
  readonly weights: Float32Array;
  readonly bias: Float64Array;
  readonly net: SmallNet;
}

/** Log-odds of a text by head: from the table, and from the net. */
export interface HeadOdds {
  readonly table: readonly number[];
  readonly net: readonly number[];
  /** How many tokens the text has, those of repeated segments once. */
  readonly tokens: number;
}

/** Gradients below this move nothing. */
const LEAST_SLOPE = 5e-4;
const LEAST_RATE = 0.02;

/**
 * Fits all heads at once by AdaGrad. The log-odds of a head are the sum of its weights over its best
 * window, plus the net's output for the pooled word vectors of the last head's best window. In the
 * first epoch the window is the whole text.
 */
export function fitHeads(
  examples: readonly LinearExample[],
  texts: readonly PackedText[],
  words: readonly PackedWords[],
  vectors: WordVectors,
  settings: HeadSettings,
): FittedHeads {
  const fit = new Fit(settings, vectors);
  const random = createRandom(settings.seed);
  const order = examples.map((_, index) => index);
  const steps = settings.epochs * examples.length;
  let step = 0;
  for (let epoch = 0; epoch < settings.epochs; epoch++) {
    for (const index of random.shuffle(order)) {
      const share = Math.max(LEAST_RATE, 1 - step++ / steps);
      const text = texts[index] as PackedText;
      if (text.segments === 0) continue;
      fit.step(
        examples[index] as LinearExample,
        text,
        words[index] as PackedWords,
        share,
        epoch === 0,
      );
    }
  }
  return fit.result();
}

/** The log-odds of each text, by its best windows; -20 for an empty text. */
export function predictHeads(
  { settings, weights, bias, net }: FittedHeads,
  texts: readonly PackedText[],
  words: readonly PackedWords[],
  vectors: WordVectors,
): HeadOdds[] {
  const heads = bias.length;
  const sums = new RunningSums(heads);
  const window: Window = { first: 0, last: 0, score: 0 };
  const input = new Float64Array(poolSize(vectors));
  return texts.map((text, index) => {
    if (text.segments === 0) {
      return { table: Array.from(bias, () => -20), net: Array.from(bias, () => 0), tokens: 0 };
    }
    sums.read(text, weights);
    const table = Array.from(bias, (value, head) => {
      findBestWindow(
        sums.sums,
        sums.tokens,
        text.segments,
        { head, heads },
        settings.scale,
        window,
      );
      return window.score + value;
    });
    const { rows, firstWord } = words[index] as PackedWords;
    const [from, to] = [firstWord[window.first] as number, firstWord[window.last] as number];
    poolWords(vectors, rows, from, to, input);
    return { table, net: runNet(net, input), tokens: sums.tokens[text.segments] as number };
  });
}

/** Running sums of a text's weights: the sums before segment i begin at `i * heads`. */
class RunningSums {
  readonly #heads: number;
  sums: Float64Array;
  tokens = new Float64Array(256);

  constructor(heads: number) {
    this.#heads = heads;
    this.sums = new Float64Array(256 * heads);
  }

  read(text: PackedText, weights: Float32Array, keep?: (hash: number) => boolean): void {
    const heads = this.#heads;
    if (this.tokens.length <= text.segments) {
      this.tokens = new Float64Array((text.segments + 1) * 2);
      this.sums = new Float64Array((text.segments + 1) * 2 * heads);
    }
    const { sums, tokens } = this;
    for (let segment = 0; segment < text.segments; segment++) {
      const base = (segment + 1) * heads;
      for (let head = 0; head < heads; head++)
        sums[base + head] = sums[base + head - heads] as number;
      tokens[segment + 1] = (tokens[segment] as number) + (text.tokens[segment] as number);
      const end = text.firstHash[segment + 1] as number;
      for (let at = text.firstHash[segment] as number; at < end; at++) {
        if (keep !== undefined && !keep(at)) continue;
        const place = (text.hashes[at] as number) * heads;
        for (let head = 0; head < heads; head++) {
          sums[base + head] = (sums[base + head] as number) + (weights[place + head] as number);
        }
      }
    }
  }
}

/** Weights with the sums of their squared gradients. */
class Table {
  readonly values: Float32Array;
  readonly #squares: Float32Array;

  constructor(values: Float32Array, start: number) {
    this.values = values;
    this.#squares = new Float32Array(values.length).fill(start);
  }

  move(at: number, gradient: number, rate: number): void {
    const squares = (this.#squares[at] as number) + gradient * gradient;
    this.#squares[at] = squares;
    this.values[at] = (this.values[at] as number) - (rate * gradient) / Math.sqrt(squares);
  }
}

class Fit {
  readonly #settings: HeadSettings;
  readonly #vectors: WordVectors;
  readonly #random: { next(): number };
  readonly #heads: number;
  readonly #inputs: number;
  readonly #table: Table;
  readonly #bias: Table;
  readonly #hiddenWeights: Table;
  readonly #hiddenBias: Table;
  readonly #headWeights: Table;
  readonly #sums: RunningSums;
  readonly #window: Window = { first: 0, last: 0, score: 0 };
  readonly #first: Int32Array;
  readonly #last: Int32Array;
  readonly #odds: Float64Array;
  readonly #input: Float64Array;
  readonly #units: Float64Array;
  readonly #unitSlopes: Float64Array;
  #kept = new Uint8Array(4096);

  constructor(settings: HeadSettings, vectors: WordVectors) {
    const { bits, hidden, seed, headWeights } = settings;
    const heads = headWeights.length;
    const inputs = poolSize(vectors);
    const random = createRandom(seed + 1);
    const uniform = (count: number, reach: number) =>
      Float32Array.from({ length: count }, () => (2 * random.next() - 1) * reach);
    this.#settings = settings;
    this.#vectors = vectors;
    this.#random = random;
    this.#heads = heads;
    this.#inputs = inputs;
    this.#table = new Table(new Float32Array(heads * 2 ** bits), 1e-3);
    this.#bias = new Table(new Float32Array(heads), 1e-4);
    this.#hiddenWeights = new Table(
      uniform(inputs * hidden, Math.sqrt(6 / (inputs + hidden))),
      1e-4,
    );
    this.#hiddenBias = new Table(new Float32Array(hidden), 1e-4);
    this.#headWeights = new Table(
      uniform(hidden * heads, Math.sqrt(3 / (hidden + heads + 1))),
      1e-4,
    );
    this.#sums = new RunningSums(heads);
    this.#first = new Int32Array(heads);
    this.#last = new Int32Array(heads);
    this.#odds = new Float64Array(heads);
    this.#input = new Float64Array(inputs);
    this.#units = new Float64Array(hidden);
    this.#unitSlopes = new Float64Array(hidden);
  }

  result(): FittedHeads {
    const { hidden } = this.#settings;
    const net: SmallNet = {
      inputs: this.#inputs,
      hidden,
      heads: this.#heads,
      hiddenWeights: this.#hiddenWeights.values,
      hiddenBias: this.#hiddenBias.values,
      headWeights: this.#headWeights.values,
    };
    return {
      settings: this.#settings,
      weights: this.#table.values,
      bias: Float64Array.from(this.#bias.values),
      net,
    };
  }

  /** Moves all weights by one text; `share` of the rates, over the whole text or the best windows. */
  step(
    { targets, weight }: LinearExample,
    text: PackedText,
    words: PackedWords,
    share: number,
    whole: boolean,
  ): void {
    this.#readTable(text, whole);
    this.#readNet(words);
    const { headWeights, hidden, netRate, scale, rate, l2 } = this.#settings;
    const [heads, units, slopes] = [this.#heads, this.#units, this.#unitSlopes];
    slopes.fill(0);
    for (let head = 0; head < heads; head++) {
      const target = targets[head] as number;
      if (target < 0) continue;
      let odds = this.#odds[head] as number;
      for (let unit = 0; unit < hidden; unit++) {
        const reach = this.#headWeights.values[head * hidden + unit] as number;
        odds += reach * (units[unit] as number);
      }
      const chance = 1 / (1 + Math.exp(-odds));
      const slope = (chance - target) * weight * (headWeights[head] as number);
      if (Math.abs(slope) < LEAST_SLOPE) continue;
      this.#bias.move(head, slope, netRate * share);
      for (let unit = 0; unit < hidden; unit++) {
        const at = head * hidden + unit;
        slopes[unit] = (slopes[unit] as number) + slope * (this.#headWeights.values[at] as number);
        if (units[unit] !== 0) {
          this.#headWeights.move(at, slope * (units[unit] as number), netRate * share);
        }
      }
      const [first, last] = [this.#first[head] as number, this.#last[head] as number];
      const { tokens } = this.#sums;
      const each = slope / divisor((tokens[last] as number) - (tokens[first] as number), scale);
      const end = text.firstHash[last] as number;
      for (let at = text.firstHash[first] as number; at < end; at++) {
        if (this.#kept[at] === 0) continue;
        const place = (text.hashes[at] as number) * heads + head;
        this.#table.move(place, each + l2 * (this.#table.values[place] as number), rate * share);
      }
    }
    this.#moveHidden(share);
  }

  #readTable(text: PackedText, whole: boolean): void {
    const { dropped, scale } = this.#settings;
    const heads = this.#heads;
    const count = text.hashes.length;
    if (this.#kept.length < count) this.#kept = new Uint8Array(2 * count);
    for (let at = 0; at < count; at++) {
      this.#kept[at] = this.#random.next() < dropped.features ? 0 : 1;
    }
    this.#sums.read(text, this.#table.values, (at) => this.#kept[at] === 1);
    const { sums, tokens } = this.#sums;
    const window = this.#window;
    for (let head = 0; head < heads; head++) {
      if (whole || text.segments === 1) {
        window.first = 0;
        window.last = text.segments;
        const sum = sums[text.segments * heads + head] as number;
        window.score = sum / divisor(tokens[text.segments] as number, scale);
      } else findBestWindow(sums, tokens, text.segments, { head, heads }, scale, window);
      this.#first[head] = window.first;
      this.#last[head] = window.last;
      this.#odds[head] = window.score + (this.#bias.values[head] as number);
    }
  }

  /** Runs the net over the last head's window, some of its inputs and units left out. */
  #readNet({ rows, firstWord }: PackedWords): void {
    const { hidden, dropped } = this.#settings;
    const [inputs, input, random] = [this.#inputs, this.#input, this.#random];
    const last = this.#heads - 1;
    const from = firstWord[this.#first[last] as number] as number;
    poolWords(this.#vectors, rows, from, firstWord[this.#last[last] as number] as number, input);
    for (let at = 0; at < inputs; at++) {
      const isKept = random.next() >= dropped.inputs;
      input[at] = isKept ? (input[at] as number) / (1 - dropped.inputs) : 0;
    }
    const weights = this.#hiddenWeights.values;
    for (let unit = 0; unit < hidden; unit++) {
      this.#units[unit] = 0;
      if (random.next() < dropped.units) continue;
      let sum = this.#hiddenBias.values[unit] as number;
      for (let at = 0; at < inputs; at++) {
        sum += (weights[unit * inputs + at] as number) * (input[at] as number);
      }
      this.#units[unit] = Math.max(0, sum) / (1 - dropped.units);
    }
  }

  #moveHidden(share: number): void {
    const { hidden, netRate, dropped } = this.#settings;
    for (let unit = 0; unit < hidden; unit++) {
      const slope = (this.#unitSlopes[unit] as number) / (1 - dropped.units);
      if (slope === 0 || this.#units[unit] === 0) continue;
      this.#hiddenBias.move(unit, slope, netRate * share);
      for (let at = 0; at < this.#inputs; at++) {
        const value = this.#input[at] as number;
        if (value !== 0)
          this.#hiddenWeights.move(unit * this.#inputs + at, slope * value, netRate * share);
      }
    }
  }
}
