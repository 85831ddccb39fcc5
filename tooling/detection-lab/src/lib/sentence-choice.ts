import { createRandom } from '@probity/test-support/random';
import type { WordNet } from './wordnet.ts';

const GLOSSES = 8_000;
const OWN_SENTENCES = 4_000;
const PLAIN = /^[\x20-\x7e]{16,140}$/;
const SIGNS = /[{}<>|=_]/;

/** Sentences that a sentence encoder is asked about: definitions and examples of the dictionary, and of our texts. */
export function chooseSentences(
  texts: readonly string[],
  { synsets }: WordNet,
  seed: number,
): string[] {
  const random = createRandom(seed);
  const choose = (all: Iterable<string>, count: number) =>
    random
      .shuffle([...new Set(all)].filter((text) => PLAIN.test(text) && !SIGNS.test(text)))
      .slice(0, count);
  const glosses = [...synsets.values()].flatMap(({ gloss }) =>
    gloss.split(/;\s*/).map((part) => part.replaceAll('"', '').trim()),
  );
  const own = texts.flatMap((text) => text.split(/(?<=[.!?])\s+|\n+/));
  return [...choose(glosses, GLOSSES), ...choose(own, OWN_SENTENCES)];
}
