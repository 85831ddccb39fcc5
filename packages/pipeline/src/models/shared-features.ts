import { afterEveryScan } from '../scan-memory.ts';
import type { Tokens } from '../tokens/tokens.ts';
import type { TextFeatures } from './text-features.ts';
import { createTextFeatures, readFeatures } from './text-features.ts';

interface Held {
  tokens: Tokens | undefined;
  readonly features: TextFeatures;
}

/** Prompt, response and a context or two: the texts that one stage reads before the next one does. */
const KEPT = 4;
const held: Held[] = [];
let oldest = 0;
afterEveryScan(() => {
  for (const slot of held) {
    slot.tokens = undefined;
    slot.features.text = '';
  }
});

/**
 * The features of a folded text. Those of the last few texts are kept, since several stages read the
 * same ones; what is returned is valid until other texts are read.
 */
export function featuresOf(tokens: Tokens): TextFeatures {
  for (const slot of held) if (slot.tokens === tokens) return slot.features;
  let slot = held[oldest];
  if (slot === undefined) {
    slot = { tokens: undefined, features: createTextFeatures() };
    held.push(slot);
  }
  oldest = (oldest + 1) % KEPT;
  slot.tokens = undefined;
  readFeatures(tokens, slot.features);
  slot.tokens = tokens;
  return slot.features;
}
