import { checkRecord } from '../config.ts';
import { PipelineConfigError } from '../errors.ts';
import type { PatternSource } from '../patterns/linear-pattern.ts';
import { compileLinearPattern } from '../patterns/linear-pattern.ts';
import { checkFraction, checkStrings } from '../stage-options.ts';
import { allMatches } from '../text/matches.ts';
import { createWordFinder } from './word-finder.ts';

/** A type of personal data, or any other, that a pattern finds. */
export interface CustomPattern {
  /** Name of the type in findings and policies: small letters, digits and underscores. */
  readonly type: string;
  /** Refused unless a search for it takes time linear in the text (see compileLinearPattern). */
  readonly pattern: PatternSource;
  /** Words of which one must stand near: at most 48 characters before a match or 24 after it. `*` is any ending. */
  readonly context?: readonly string[] | undefined;
  /** How much harm a disclosed value does, 0 to 1. Default 0.8. */
  readonly risk?: number | undefined;
  /** Says whether a match is a value, for example by its check digit. Must return quickly and not throw. */
  readonly validate?: ((value: string) => boolean) | undefined;
}

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
  /** The values in a normalized text, in order, in time linear in the text. */
  detect(text: string): PatternMatch[];
}

const MEMBERS: ReadonlySet<string> = new Set(['type', 'pattern', 'context', 'risk', 'validate']);
const TYPE = /^[a-z][a-z0-9_]{0,63}$/;
const REACH_BEFORE = 48;
const REACH_AFTER = 24;
/** A value is no longer than what one part of a text shows of the next one. */
const MAX_VALUE = 512;
/** The risk of a type whose pattern does not say one. */
export const DEFAULT_RISK = 0.8;

/**
 * Makes a detector from a pattern.
 *
 * @param path where the pattern stands in the configuration, for errors
 * @throws PipelineConfigError naming the member at fault, also for a pattern that could take too long
 */
export function createPatternDetector(definition: CustomPattern, path = 'custom'): PatternDetector {
  const members = checkRecord(path, definition, MEMBERS);
  const type = checkType(`${path}.type`, members.type);
  const pattern = compileLinearPattern(`${path}.pattern`, members.pattern);
  const risk = checkFraction(`${path}.risk`, members.risk ?? DEFAULT_RISK);
  const hasContext = compileContext(`${path}.context`, members.context);
  const validate = checkValidate(`${path}.validate`, members.validate);
  const sure = hasContext !== undefined || validate !== undefined;
  const known =
    hasContext === undefined
      ? 'a pattern of your own'
      : 'a pattern of your own, a word for it near';
  return Object.freeze({
    type,
    risk,
    detect(text: string) {
      const found: PatternMatch[] = [];
      for (const match of allMatches(text, pattern)) {
        const [value] = match;
        const start = match.index;
        const end = start + value.length;
        if (value === '' || value.length > MAX_VALUE) continue;
        if (validate !== undefined && !validate(value)) continue;
        if (hasContext !== undefined && !hasContext(text, start, end)) continue;
        found.push({ type, start, end, score: sure ? 0.95 : 0.85, reason: known });
      }
      return found;
    },
  });
}

/**
 * Checks the name of a type.
 *
 * @throws PipelineConfigError when it is not of small letters, digits and underscores
 */
export function checkType(path: string, type: unknown): string {
  if (typeof type === 'string' && TYPE.test(type)) return type;
  throw new PipelineConfigError(
    path,
    'expected a name of small letters, digits and underscores, a letter first, of at most 64 signs',
  );
}

function checkValidate(path: string, validate: unknown): ((value: string) => boolean) | undefined {
  if (validate === undefined || typeof validate === 'function') {
    return validate as ((value: string) => boolean) | undefined;
  }
  throw new PipelineConfigError(path, 'expected a function from a value to true or false');
}

type ContextTest = (text: string, start: number, end: number) => boolean;

function compileContext(path: string, context: unknown): ContextTest | undefined {
  if (context === undefined) return undefined;
  const words = checkStrings(path, context);
  words.forEach((word, index) => {
    if (!/^[^\s,*]{1,64}(?: [^\s,*]{1,64}){0,5}\*?$/u.test(word) || word.length < 2) {
      const expected = 'expected a word or words parted by single blanks, with * for any ending';
      throw new PipelineConfigError(`${path}[${index}]`, expected);
    }
  });
  if (words.length === 0) throw new PipelineConfigError(path, 'expected at least one word');
  const findWords = createWordFinder([{ bits: 1, words }]);
  return (text, start, end) => {
    const before = text.slice(Math.max(0, start - REACH_BEFORE), start);
    return findWords(before).length > 0 || findWords(text.slice(end, end + REACH_AFTER)).length > 0;
  };
}
