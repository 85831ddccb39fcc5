import type { FindingSeverity } from '../stage-definition.ts';
import type { PiiDetector } from './candidate.ts';

/** Everything that is known about a type of personal data. */
export interface PiiTypeDefinition<Type extends string = string> {
  /** The name in findings, policies and options. */
  readonly type: Type;
  /** How much harm a disclosed value does, 0 to 1. */
  readonly risk: number;
  /** Severity of alerts. */
  readonly severity: FindingSeverity;
  /** Whether every value has a digit, so that texts without any need not be searched. */
  readonly hasDigit: boolean;
  /**
   * Words near a value that say what it is, in languages of Latin script; lower case, without
   * diacritics, parted by commas, `*` for any ending. A blank inside stands for a blank, a dot, a hyphen
   * or an underscore.
   */
  readonly cues: readonly string[];
  /**
   * The same in Greek, Cyrillic, Hebrew, Arabic, Devanagari, Thai, Chinese, Japanese and Korean, parted
   * by commas. Any ending may follow; what stands before matters in Greek and Cyrillic alone.
   */
  readonly scriptCues: string;
  /** Whether the words are too general to speak against another type. Default false. */
  readonly isGeneral?: boolean;
  /** Whether words for other types speak against it. Default true. */
  readonly isContradicted?: boolean;
  /** Whether it is looked for again beside what was found. Default false. */
  readonly isReadAgain?: boolean;
  /** A mask of the same length; default: every letter and digit becomes an asterisk. */
  readonly mask?: (value: string) => string;
  /** Loads the detector at the first scan; what it gives makes one for each scan. */
  load(): Promise<() => PiiDetector>;
}
