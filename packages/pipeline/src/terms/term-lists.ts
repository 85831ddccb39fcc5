import { checkRecord } from '../config.ts';
import { PipelineConfigError } from '../errors.ts';
import { checkType } from '../pii/custom-patterns.ts';
import { checkFlag, checkFraction, checkStrings } from '../stage-options.ts';
import { INVISIBLE_CLASS } from '../text/invisible.ts';

/** Terms that a text must not have. */
export interface TermList {
  /** Name of the type in findings and policies: small letters, digits and underscores. Default `denied_term`. */
  readonly type?: string | undefined;
  /** At least one; 1 to 200 characters each; over all lists at most 100,000. */
  readonly terms: readonly string[];
  /** Default false: case, diacritics and look-alike letters do not matter. */
  readonly caseSensitive?: boolean | undefined;
  /** Default true: no letter or digit right before or after a term. */
  readonly wholeWords?: boolean | undefined;
  /** Score of a finding, 0 to 1. Default 0.8. */
  readonly risk?: number | undefined;
}

/** A checked list with every default filled in. */
export type CheckedTermList = {
  readonly [Member in keyof TermList]-?: NonNullable<TermList[Member]>;
};

const MEMBERS: ReadonlySet<string> = new Set([
  'type',
  'terms',
  'caseSensitive',
  'wholeWords',
  'risk',
]);
const MAX_TERMS = 100_000;
const MAX_TERM = 200;
/** The type of a list without one. */
export const DENIED_TERM = 'denied_term';
const DEFAULT_RISK = 0.8;

/**
 * Checks lists of terms.
 *
 * @throws PipelineConfigError naming the list, member or term at fault
 */
export function checkTermLists(path: string, lists: unknown): readonly CheckedTermList[] {
  if (!Array.isArray(lists))
    throw new PipelineConfigError(path, 'expected a list of lists of terms');
  let count = 0;
  // Compiled here, since a class of Unicode takes long to read and few programs have lists.
  const nothingToSee = new RegExp(`^[\\s${INVISIBLE_CLASS}]*$`, 'u');
  return [...lists].map((list: unknown, index) => {
    const at = `${path}[${index}]`;
    const given = checkRecord(at, list, MEMBERS);
    const { type = DENIED_TERM, caseSensitive = false, wholeWords = true, risk } = given;
    const checked = {
      type: checkType(`${at}.type`, type),
      risk: checkFraction(`${at}.risk`, risk ?? DEFAULT_RISK),
      wholeWords: checkFlag(`${at}.wholeWords`, wholeWords),
      caseSensitive: checkFlag(`${at}.caseSensitive`, caseSensitive),
      terms: checkStrings(`${at}.terms`, given.terms),
    };
    if (checked.terms.length === 0) {
      throw new PipelineConfigError(`${at}.terms`, 'expected at least one term; got none');
    }
    [...checked.terms].forEach((term, place) => {
      if (++count > MAX_TERMS) throw new PipelineConfigError(at, `more than ${MAX_TERMS} terms`);
      if (term.length <= MAX_TERM && !nothingToSee.test(term.normalize('NFKC'))) return;
      const message = `expected a term of 1 to ${MAX_TERM} characters`;
      throw new PipelineConfigError(`${at}.terms[${place}]`, message);
    });
    return checked;
  });
}
