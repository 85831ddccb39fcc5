import type { TokenKind } from './tokenizer.ts';

/** The strings and numbers of a value, at whatever depth they stand in it, and names of members that are no identifiers. */
export class Texts {
  readonly list: string[] = [];
}

/** What a reader keeps of a value: a member of an object stands under its name in a map. */
export type Kept = string | number | boolean | null | Texts | KeptObject | readonly Kept[];

/** An object of which some members are kept. */
export type KeptObject = ReadonlyMap<string, Kept>;

/** Receives the elements of an array instead of having them kept. */
export interface ElementSink {
  /** Called at the array's start, again when a later member of the same name replaces it. */
  begin(): void;
  element(value: Kept): void;
  /** Receives the tokens of the elements. */
  readonly tap?: TokenTap | undefined;
}

/** Receives tokens. */
export interface TokenTap {
  /** Whether the texts of strings are needed; otherwise they may be empty. */
  readonly wantsTexts: boolean;
  token(kind: TokenKind, value: unknown, isName: boolean): void;
}

/**
 * An allow-list of what is kept of a value. Scalars are kept as they are. Of an object those members
 * are kept that `member` has a shape for, of an array those elements that `elements` describes; an
 * object or array that is not described is kept as an empty one, its content is passed over.
 */
export interface Shape {
  readonly member?: (name: string) => Shape | undefined;
  /** Keeps the texts of all members without a shape together under {@link REST}, as `textsFrom` does. */
  readonly restFrom?: number;
  readonly elements?: {
    readonly shape: Shape;
    /** Further elements are passed over. */
    readonly limit: number;
    readonly sink?: ElementSink;
  };
  /** Keeps the texts of the value as {@link Texts}, those of at least this many UTF-16 units. */
  readonly textsFrom?: number;
}

/** Under which name an object has the texts of its other members; no shape is given for it. */
export const REST = '\0';

/** A value of which only a scalar is kept. */
export const SCALAR: Shape = Object.freeze({});

/** An object with the given members. */
export function object(members: Readonly<Record<string, Shape>>): Shape {
  const shapes = new Map(Object.entries(members));
  return { member: (name) => shapes.get(name) };
}

/** An object with the given members, and the texts of at least `from` UTF-16 units of all others. */
export function objectWithTexts(members: Readonly<Record<string, Shape>>, from: number): Shape {
  return { ...object(members), restFrom: from };
}

/** An array of elements of one shape, of which up to `limit` are kept. */
export function array(shape: Shape, limit: number): Shape {
  return { elements: { shape, limit } };
}
