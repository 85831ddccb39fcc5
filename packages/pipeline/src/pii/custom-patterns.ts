import { checkRecord } from '../config.ts';
import { PipelineConfigError } from '../errors.ts';
import type { PatternSource } from '../patterns/linear-pattern.ts';
import { compileLinearPattern } from '../patterns/linear-pattern.ts';
import { checkFraction, checkStrings } from '../stage-options.ts';

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

/** A checked pattern. */
export interface CheckedPattern {
  readonly type: string;
  /** With the flag `g`; a search takes time linear in the text. */
  readonly pattern: RegExp;
  /** At least one; undefined where none has to stand near. */
  readonly context: readonly string[] | undefined;
  readonly risk: number;
  readonly validate: ((value: string) => boolean) | undefined;
}

const MEMBERS: ReadonlySet<string> = new Set(['type', 'pattern', 'context', 'risk', 'validate']);
const TYPE = /^[a-z][a-z0-9_]{0,63}$/;
/** The risk of a type whose pattern does not say one. */
export const DEFAULT_RISK = 0.8;

/**
 * Checks a pattern.
 *
 * @param path where the pattern stands in the configuration, for errors
 * @throws PipelineConfigError naming the member at fault, also for a pattern that could take too long
 */
export function checkCustomPattern(definition: CustomPattern, path: string): CheckedPattern {
  const members = checkRecord(path, definition, MEMBERS);
  return Object.freeze({
    type: checkType(`${path}.type`, members.type),
    pattern: compileLinearPattern(`${path}.pattern`, members.pattern),
    risk: checkFraction(`${path}.risk`, members.risk ?? DEFAULT_RISK),
    context: checkContext(`${path}.context`, members.context),
    validate: checkValidate(`${path}.validate`, members.validate),
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

function checkContext(path: string, context: unknown): readonly string[] | undefined {
  if (context === undefined) return undefined;
  const words = checkStrings(path, context);
  words.forEach((word, index) => {
    if (!/^[^\s,*]{1,64}(?: [^\s,*]{1,64}){0,5}\*?$/u.test(word) || word.length < 2) {
      const expected = 'expected a word or words parted by single blanks, with * for any ending';
      throw new PipelineConfigError(`${path}[${index}]`, expected);
    }
  });
  if (words.length === 0) throw new PipelineConfigError(path, 'expected at least one word');
  return words;
}
