import type { SmallNet } from '@probity/pipeline/internal';
import { createRandom } from '@probity/test-support/random';

/** A text for a net of one hidden layer. */
export interface DenseExample {
  readonly input: Float64Array;
  /** 1, 0, or -1 where the value for a head is unknown. */
  readonly targets: readonly number[];
  readonly weight: number;
}

/** Settings of a fit of one hidden layer. */
export interface DenseSettings {
  readonly headWeights: readonly number[];
  readonly hidden: number;
  readonly epochs: number;
  readonly rate: number;
  readonly l2: number;
  /** Shares that are left out at random in each step. */
  readonly dropped: { readonly inputs: number; readonly units: number };
  readonly seed: number;
}

/** Weights with the sums of their squared gradients. */
interface Table {
  readonly values: Float32Array;
  readonly squares: Float32Array;
}

const LEAST_RATE = 0.02;
const FIRST_SQUARES = 1e-4;

/** Fits a net by AdaGrad on the logistic loss. */
export function fitDense(examples: readonly DenseExample[], settings: DenseSettings): SmallNet {
  const { headWeights, hidden, epochs, rate, l2, dropped, seed } = settings;
  const heads = headWeights.length;
  const inputs = examples[0]?.input.length ?? 0;
  const random = createRandom(seed);
  const make = (count: number, reach: number): Table => ({
    values: Float32Array.from({ length: count }, () => (2 * random.next() - 1) * reach),
    squares: new Float32Array(count).fill(FIRST_SQUARES),
  });
  const first = make(inputs * hidden, Math.sqrt(6 / (inputs + hidden)));
  const bias = make(hidden, 0.1);
  const last = make(hidden * heads, 0.05);
  const units = new Float64Array(hidden);
  const slopes = new Float64Array(hidden);
  const input = new Float64Array(inputs);
  let share = 1;
  const move = ({ values, squares }: Table, at: number, gradient: number): void => {
    const slope = gradient + l2 * (values[at] as number);
    squares[at] = (squares[at] as number) + slope * slope;
    values[at] = (values[at] as number) - (rate * share * slope) / Math.sqrt(squares[at] as number);
  };

  function forward(given: Float64Array): void {
    for (let at = 0; at < inputs; at++) {
      const isKept = random.next() >= dropped.inputs;
      input[at] = isKept ? (given[at] as number) / (1 - dropped.inputs) : 0;
    }
    for (let unit = 0; unit < hidden; unit++) {
      units[unit] = 0;
      if (random.next() < dropped.units) continue;
      let sum = bias.values[unit] as number;
      for (let at = 0; at < inputs; at++) {
        sum += (first.values[unit * inputs + at] as number) * (input[at] as number);
      }
      units[unit] = Math.max(0, sum) / (1 - dropped.units);
    }
  }

  function moveHeads({ targets, weight }: DenseExample): void {
    slopes.fill(0);
    for (let head = 0; head < heads; head++) {
      if ((targets[head] as number) < 0) continue;
      let odds = 0;
      for (let unit = 0; unit < hidden; unit++) {
        odds += (last.values[head * hidden + unit] as number) * (units[unit] as number);
      }
      const chance = 1 / (1 + Math.exp(-odds));
      const slope = (chance - (targets[head] as number)) * weight * (headWeights[head] as number);
      for (let unit = 0; unit < hidden; unit++) {
        if (units[unit] === 0) continue;
        const at = head * hidden + unit;
        slopes[unit] = (slopes[unit] as number) + slope * (last.values[at] as number);
        move(last, at, slope * (units[unit] as number));
      }
    }
  }

  function moveUnits(): void {
    for (let unit = 0; unit < hidden; unit++) {
      const slope = (slopes[unit] as number) / (1 - dropped.units);
      if (units[unit] === 0 || slope === 0) continue;
      move(bias, unit, slope);
      for (let at = 0; at < inputs; at++) {
        const value = input[at] as number;
        if (value !== 0) move(first, unit * inputs + at, slope * value);
      }
    }
  }

  const steps = epochs * examples.length;
  let step = 0;
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (const example of random.shuffle(examples)) {
      share = Math.max(LEAST_RATE, 1 - step++ / steps);
      forward(example.input);
      moveHeads(example);
      moveUnits();
    }
  }
  return {
    inputs,
    hidden,
    heads,
    hiddenWeights: first.values,
    hiddenBias: bias.values,
    headWeights: last.values,
  };
}
