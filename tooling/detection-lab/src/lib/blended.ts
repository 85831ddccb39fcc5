import type { ClassModel } from '@probity/pipeline/internal';
import {
  createClassFeatures,
  createTextFeatures,
  createWordClasses,
  readClassFeatures,
  readFeatures,
  tokensOfText,
} from '@probity/pipeline/internal';
import type { LinearExample, LinearSettings, LinearWeights, PackedText } from './linear.ts';
import { fitLinear } from './linear.ts';

/** Which words are of which class. */
export type Lexicon = Pick<ClassModel, 'entries' | 'content'>;

/** Two models over the same texts, of which each is fitted by itself and both are added up. */
export interface BlendSettings {
  /** Over hashes of words and of their letters. */
  readonly hashed: LinearSettings;
  /** Over classes of words. */
  readonly classes: LinearSettings;
  /** The share of the classes in the logits, 0 to 1. */
  readonly share: number;
}

/** The features of texts for both models. */
export interface BlendTexts {
  readonly hashed: readonly PackedText[];
  readonly classes: readonly PackedText[];
}

/** Both models fitted. */
export interface Blend {
  readonly hashed: LinearWeights;
  readonly classes: LinearWeights;
}

/** Reads the class features of texts once, so that they can be used for several fits. */
export function packClasses(
  texts: readonly string[],
  { entries, content }: Lexicon,
  bits: number,
): PackedText[] {
  const features = createTextFeatures();
  const read = createClassFeatures();
  const classes = createWordClasses(entries);
  const mask = 2 ** bits - 1;
  return texts.map((text) => {
    readFeatures(tokensOfText(text), features);
    readClassFeatures(features, classes, content, read);
    const { segments, firstWord } = features;
    const firstHash = Uint32Array.from(read.firstHash.subarray(0, segments + 1));
    return {
      hashes: Uint32Array.from(read.hashes.subarray(0, firstHash[segments]), (hash) => hash & mask),
      firstHash,
      tokens: Uint32Array.from({ length: segments }, (_, at) => {
        return (firstWord[at + 1] as number) - (firstWord[at] as number);
      }),
      segments,
    };
  });
}

/** Fits both models to the texts of the given numbers, one example for each number. */
export function fitBlend(
  examples: readonly LinearExample[],
  texts: BlendTexts,
  numbers: readonly number[],
  settings: BlendSettings,
): Blend {
  const pick = (packed: readonly PackedText[]) => numbers.map((at) => packed[at] as PackedText);
  return {
    hashed: fitLinear(examples, settings.hashed, pick(texts.hashed)),
    classes: fitLinear(examples, settings.classes, pick(texts.classes)),
  };
}

/**
 * One model that gives the sum of both, weighted by their shares: its places are those of the hashed
 * one and after them those of the classes, as `joinTexts` numbers them.
 */
export function joinModels({ hashed, classes }: Blend, share: number): LinearWeights {
  const weights = new Float32Array(hashed.weights.length + classes.weights.length);
  hashed.weights.forEach((weight, at) => {
    weights[at] = weight * (1 - share);
  });
  classes.weights.forEach((weight, at) => {
    weights[hashed.weights.length + at] = weight * share;
  });
  const bias = hashed.bias.map(
    (value, head) => value * (1 - share) + (classes.bias[head] as number) * share,
  );
  return { settings: hashed.settings, weights, bias };
}

/** The two parts of a joined model; the bias goes with the first. */
export function partModels(joined: LinearWeights, { classes }: Blend): Blend {
  const at = joined.weights.length - classes.weights.length;
  return {
    hashed: { ...joined, weights: joined.weights.subarray(0, at) },
    classes: {
      settings: classes.settings,
      weights: joined.weights.subarray(at),
      bias: new Float64Array(joined.bias.length),
    },
  };
}

/** The features of a text for both models, for a joined model. */
export function joinText(hashed: PackedText, classes: PackedText, bits: number): PackedText {
  const hashes = new Uint32Array(hashed.hashes.length + classes.hashes.length);
  const firstHash = new Uint32Array(hashed.segments + 1);
  let count = 0;
  for (let segment = 0; segment < hashed.segments; segment++) {
    for (const hash of hashesOf(hashed, segment)) hashes[count++] = hash;
    for (const hash of hashesOf(classes, segment)) hashes[count++] = 2 ** bits + hash;
    firstHash[segment + 1] = count;
  }
  return { ...hashed, hashes, firstHash };
}

function hashesOf({ hashes, firstHash }: PackedText, segment: number): Uint32Array {
  return hashes.subarray(firstHash[segment], firstHash[segment + 1]);
}
