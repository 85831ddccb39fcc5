import type { NationalIdType } from './national-types.ts';

/** One type of national identifier. */
export interface NationalId {
  readonly type: NationalIdType;
  /** ISO 3166-1 codes of the countries that issue it. */
  readonly country: string;
  /** The forms in which it is written, with the flag `g`; linear in the text. */
  readonly pattern: RegExp;
  /** Whether a value, in capitals and without separators, has the right form and check digits. */
  readonly validate: (value: string) => boolean;
  /** Values that count without a word near them: enough check digits, or a form that nothing else has. */
  readonly alone?: RegExp;
  /** The part of a match that is the value, where its length depends on what it is. */
  readonly fit?: (match: string) => string;
  /** Publication that the form or the check digits are taken from. */
  readonly source: string;
}
