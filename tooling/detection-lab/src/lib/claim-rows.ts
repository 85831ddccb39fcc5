import type { Lexicon } from '@probity/pipeline/internal';
import {
  ClaimComparer,
  claimsOf,
  nonClaimAt,
  readWords,
  SourceIndex,
} from '@probity/pipeline/internal';
import type { Random } from '@probity/test-support/random';
import { calculations } from '../generators/calculations.ts';
import { claimExamples, paraphraseExamples, splitSentences } from '../generators/claim-examples.ts';
import type { BoostExample } from './boost.ts';

/** The index of a source text. */
export function indexText(lexicon: Lexicon, text: string): SourceIndex {
  const index = new SourceIndex();
  for (const _ of index.fill(readWords(lexicon, text)));
  return index;
}

/** The claims of a response, each compared with the source. */
export function compareResponse(
  lexicon: Lexicon,
  response: string,
  prompt: string | undefined,
  index: SourceIndex,
): Float32Array[] {
  const question = prompt?.trim().endsWith('?') ? readWords(lexicon, prompt) : undefined;
  const comparer = new ClaimComparer(lexicon);
  const words = readWords(lexicon, response);
  return claimsOf(words, question)
    .filter((claim) => nonClaimAt(response, claim, claim.span.words !== words) === undefined)
    .map((claim) => comparer.compare(claim, index).slice());
}

/** Claims made by rule over the sentences of a text, compared with it. */
export function madeExamples(
  lexicon: Lexicon,
  text: string,
  foreign: readonly string[],
  random: Random,
): (BoostExample & { readonly kind: string })[] {
  const index = indexText(lexicon, text);
  const sentences = splitSentences(text);
  const claims = [
    ...claimExamples(sentences, foreign, random),
    ...paraphraseExamples(sentences, foreign, random),
  ];
  return claims.flatMap(({ text: response, prompt, faithful, kind }) => {
    const compared = compareResponse(lexicon, response, prompt, index);
    // A false claim that is cut into several statements does not say which of them is false.
    if (compared.length !== 1) return [];
    const features = compared[0] as Float32Array;
    return [{ features, label: faithful ? 0 : 1, weight: 1, kind }];
  });
}

/** Answers to calculations, compared with them. */
export function calculationExamples(
  lexicon: Lexicon,
  count: number,
  random: Random,
): BoostExample[] {
  return calculations(count, random).flatMap(({ source, question, answer, faithful }) => {
    const compared = compareResponse(lexicon, answer, question, indexText(lexicon, source));
    return compared.map((features) => ({ features, label: faithful ? 0 : 1, weight: 1 }));
  });
}
