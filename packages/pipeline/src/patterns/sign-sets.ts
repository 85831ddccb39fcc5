import type { AST } from '@eslint-community/regexpp';

/** Signs that one place of an expression can match: code points in ranges, in order, both ends included. */
export type SignSet = readonly (readonly [first: number, last: number])[];

const LAST = 0x10ffff;
/** Every sign. */
export const ALL: SignSet = [[0, LAST]];
const DIGITS: SignSet = [[0x30, 0x39]];
const WORD: SignSet = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
const SPACE: SignSet = [
  [9, 13],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
const BEYOND_ASCII: SignSet = [[0x80, LAST]];
/** Without the long s and the Kelvin sign, which are word signs only where case does not matter. */
const NOT_FOLDED: SignSet = [
  [0, 0x17e],
  [0x180, 0x2129],
  [0x212b, LAST],
];

type Part =
  | AST.CharacterClassElement
  | AST.CharacterSet
  | AST.Character
  | AST.ExpressionCharacterClass
  | AST.CharacterClass;

/**
 * The signs of one element. What is not worth telling apart (Unicode properties, set operations, case
 * beyond ASCII) counts as more signs than it has, which can only make the check stricter.
 */
export function signsOf(part: Part, ignoreCase: boolean): SignSet {
  const plain = exact(part, ignoreCase);
  return ignoreCase ? inBothCases(plain) : plain;
}

function exact(part: Part, ignoreCase: boolean): SignSet {
  switch (part.type) {
    case 'Character':
      return [[part.value, part.value]];
    case 'CharacterClassRange':
      return [[part.min.value, part.max.value]];
    case 'CharacterClass': {
      if (part.negate)
        return complement(union(part.elements.map((each) => certainOf(each as Part))));
      return union(part.elements.map((element) => signsOf(element as Part, ignoreCase)));
    }
    case 'CharacterSet':
      return setOf(part);
    default:
      return ALL;
  }
}

/** Signs that an element has for certain: a negated class has no more than all others. */
function certainOf(part: Part): SignSet {
  switch (part.type) {
    case 'Character':
    case 'CharacterClassRange':
      return exact(part, false);
    case 'CharacterClass':
      return part.negate
        ? complement(union(part.elements.map((element) => signsOf(element as Part, true))))
        : union(part.elements.map((element) => certainOf(element as Part)));
    case 'CharacterSet':
      if (part.kind === 'any' || part.kind === 'property') return [];
      return intersect(setOf(part), NOT_FOLDED);
    default:
      return [];
  }
}

/** Whether an element matches texts of several signs: a class of strings, or a property of such (flag `v`). */
export function hasStrings(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false;
  const {
    type,
    strings,
    elements = [],
  } = part as {
    readonly type?: unknown;
    readonly strings?: unknown;
    readonly elements?: readonly unknown[];
  };
  if (type === 'ClassStringDisjunction' || strings === true) return true;
  const { expression, left, right } = part as Readonly<Record<string, unknown>>;
  return [...elements, expression, left, right].some(hasStrings);
}

function setOf(set: AST.CharacterSet): SignSet {
  if (set.kind === 'any') return ALL;
  if (set.kind === 'property') return ALL;
  const signs = { digit: DIGITS, word: WORD, space: SPACE }[set.kind];
  return set.negate ? complement(signs) : signs;
}

function union(sets: readonly SignSet[]): SignSet {
  const sorted = sets.flat().sort((a, b) => a[0] - b[0]);
  const merged: [number, number][] = [];
  for (const [first, last] of sorted) {
    const before = merged.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else merged.push([first, last]);
  }
  return merged;
}

function complement(set: SignSet): SignSet {
  const rest: [number, number][] = [];
  let from = 0;
  for (const [first, last] of set) {
    if (first > from) rest.push([from, first - 1]);
    from = last + 1;
  }
  if (from <= LAST) rest.push([from, LAST]);
  return rest;
}

function inBothCases(set: SignSet): SignSet {
  const more: SignSet[] = [set];
  for (const [first, last] of set) {
    const upper = overlap(first, last, 0x41, 0x5a);
    if (upper !== undefined) more.push([[upper[0] + 0x20, upper[1] + 0x20]]);
    const lower = overlap(first, last, 0x61, 0x7a);
    if (lower !== undefined) more.push([[lower[0] - 0x20, lower[1] - 0x20]]);
    // The Kelvin sign and the long s are letters of ASCII in another case.
    if (upper !== undefined || lower !== undefined || last >= 0x80) more.push(BEYOND_ASCII);
    if (last >= 0x80)
      more.push([
        [0x4b, 0x4b],
        [0x53, 0x53],
        [0x6b, 0x6b],
        [0x73, 0x73],
      ]);
  }
  return union(more);
}

function overlap(
  first: number,
  last: number,
  from: number,
  to: number,
): readonly [number, number] | undefined {
  return first <= to && last >= from ? [Math.max(first, from), Math.min(last, to)] : undefined;
}

/** Whether there is a sign that is in every set. */
export function haveCommon(...sets: readonly SignSet[]): boolean {
  const [first = [], ...rest] = sets;
  return rest.reduce(intersect, first).length > 0;
}

function intersect(a: SignSet, b: SignSet): SignSet {
  const common: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const left = a[i] as readonly [number, number];
    const right = b[j] as readonly [number, number];
    const both = overlap(left[0], left[1], right[0], right[1]);
    if (both !== undefined) common.push([both[0], both[1]]);
    if (left[1] < right[1]) i++;
    else j++;
  }
  return common;
}
