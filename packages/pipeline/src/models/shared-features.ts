import { afterEveryScan } from '../scan-memory.ts';
import type { TextFeatures } from './text-features.ts';
import { createTextFeatures, readFeatures } from './text-features.ts';

interface Held {
  text: string | undefined;
  readonly features: TextFeatures;
}

/** Prompt, response and a context or two: the texts that one stage reads before the next one does. */
const KEPT = 4;
const held: Held[] = [];
let oldest = 0;
afterEveryScan(() => {
  for (const slot of held) {
    slot.text = undefined;
    slot.features.text = '';
  }
});

/**
 * The features of a folded text. Those of the last few texts are kept, since several stages read the
 * same ones; what is returned is valid until other texts are read.
 */
export function featuresOf(text: string): TextFeatures {
  for (const slot of held) if (slot.text === text) return slot.features;
  let slot = held[oldest];
  if (slot === undefined) {
    slot = { text: undefined, features: createTextFeatures() };
    held.push(slot);
  }
  oldest = (oldest + 1) % KEPT;
  slot.text = undefined;
  readFeatures(text, slot.features);
  slot.text = text;
  return slot.features;
}
