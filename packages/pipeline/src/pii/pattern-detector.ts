import { allMatches } from '../text/matches.ts';
import type { Tokens } from '../tokens/tokens.ts';
import { lazyTokens } from '../tokens/tokens.ts';
import type { CheckedPattern, CustomPattern } from './custom-patterns.ts';
import { checkCustomPattern } from './custom-patterns.ts';
import { createWordFinder } from './word-finder.ts';

/** What a pattern found; offsets are those of the text that was searched. */
export interface PatternMatch {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  /** Confidence: 0.95 with a context word or a validation, 0.85 with the pattern alone. */
  readonly score: number;
  readonly reason: string;
}

/** Finds the values of one pattern. */
export interface PatternDetector {
  readonly type: string;
  readonly risk: number;
  /**
   * The values in a normalized text, in order, in time linear in the text.
   *
   * @param tokens those of the text where it has been split; made where words around a value are asked for
   */
  detect(text: string, tokens?: () => Tokens): PatternMatch[];
}

const REACH_BEFORE = 48;
const REACH_AFTER = 24;
/** A value is no longer than what one part of a text shows of the next one. */
const MAX_VALUE = 512;

/**
 * Makes a detector from a pattern.
 *
 * @param path where the pattern stands in the configuration, for errors
 * @throws PipelineConfigError naming the member at fault, also for a pattern that could take too long
 */
export function createPatternDetector(definition: CustomPattern, path = 'custom'): PatternDetector {
  return detectorOf(checkCustomPattern(definition, path));
}

/** Makes a detector from a checked pattern. */
export function detectorOf({
  type,
  pattern,
  context,
  risk,
  validate,
}: CheckedPattern): PatternDetector {
  const hasContext = context && createContextTest(context);
  const sure = hasContext !== undefined || validate !== undefined;
  const known =
    hasContext === undefined
      ? 'a pattern of your own'
      : 'a pattern of your own, a word for it near';
  return Object.freeze({
    type,
    risk,
    detect(text: string, tokens: () => Tokens = lazyTokens(text)) {
      const found: PatternMatch[] = [];
      for (const match of allMatches(text, pattern)) {
        const [value] = match;
        const start = match.index;
        const end = start + value.length;
        if (value === '' || value.length > MAX_VALUE) continue;
        if (validate !== undefined && !validate(value)) continue;
        if (hasContext !== undefined && !hasContext(tokens(), start, end)) continue;
        found.push({ type, start, end, score: sure ? 0.95 : 0.85, reason: known });
      }
      return found;
    },
  });
}

type ContextTest = (tokens: Tokens, start: number, end: number) => boolean;

/** Makes the test whether one of some words stands close to a value of a text. */
export function createContextTest(words: readonly string[]): ContextTest {
  const findWords = createWordFinder([{ bits: 1, words }]);
  return (tokens, start, end) =>
    findWords(tokens, Math.max(0, start - REACH_BEFORE), start).length > 0 ||
    findWords(tokens, end, Math.min(tokens.text.length, end + REACH_AFTER)).length > 0;
}
