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
  /** Whether the words for it are too general to count against another type. Default false. */
  readonly isGeneral?: boolean;
  /** Whether words for other types count against it. Default true. */
  readonly isContradicted?: boolean;
  /** Whether it is looked for again beside what was found. Default false. */
  readonly isReadAgain?: boolean;
  /** Whether a value in a column that is mostly of other values of its shape is none. Default false. */
  readonly isJudgedByColumn?: boolean;
  /** The form of values that are found over a line break as well; absent where none are. */
  readonly wrapped?: RegExp;
  /** A mask of the same length; default: every letter and digit becomes an asterisk. */
  readonly mask?: (value: string) => string;
  /** Loads the detector at the first scan; what it gives makes one for each scan. */
  load(): Promise<() => PiiDetector>;
}
