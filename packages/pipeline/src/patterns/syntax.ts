/**
 * An expression as a tree, as far as the check of its time needs it. Names of groups, lazy quantifiers
 * and the names of Unicode properties do not matter there.
 */
export interface Alternative {
  readonly elements: readonly Element[];
}

/** One part of an alternative. */
export type Element = Group | Quantifier | Assertion | Backreference | Place;

/** Brackets, capturing or not. */
export interface Group {
  readonly type: 'Group';
  readonly alternatives: readonly Alternative[];
  /** Whether the group itself turns the flag `i` on: `(?i:…)`. */
  readonly ignoresCase: boolean;
  /** As it is written; so everywhere. */
  readonly raw: string;
}

/** A repetition. */
export interface Quantifier {
  readonly type: 'Quantifier';
  readonly min: number;
  /** Infinity where it is open. */
  readonly max: number;
  readonly element: Element;
  readonly raw: string;
}

/** What takes no sign: an edge, or a look ahead or behind, which has alternatives. */
export interface Assertion {
  readonly type: 'Assertion';
  readonly alternatives?: readonly Alternative[] | undefined;
  readonly raw: string;
}

/** What a group has matched, once more. */
interface Backreference {
  readonly type: 'Backreference';
  readonly raw: string;
}

/** What matches one sign, or with the flag `v` some texts. */
export type Place = (Character | Range | CharacterSet | CharacterClass | Other) & {
  readonly raw: string;
};

interface Character {
  readonly type: 'Character';
  /** The code point; without the flags `u` and `v` the UTF-16 unit. */
  readonly value: number;
}

/** Within a class: `a-z`. */
interface Range {
  readonly type: 'Range';
  readonly min: number;
  readonly max: number;
}

interface CharacterSet {
  readonly type: 'CharacterSet';
  readonly kind: 'any' | 'property' | 'digit' | 'space' | 'word';
  readonly negate: boolean;
}

interface CharacterClass {
  readonly type: 'CharacterClass';
  readonly negate: boolean;
  readonly elements: readonly Place[];
}

/** With the flag `v`: the intersection or difference of classes, or texts of several signs. */
interface Other {
  readonly type: 'Operation' | 'Strings';
  readonly elements?: readonly Place[] | undefined;
}
