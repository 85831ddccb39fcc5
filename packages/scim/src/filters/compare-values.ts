import type { AttributeDefinition, JsonValue } from '../schemas/types.ts';
import type { CompareOperator, CompareValue } from './types.ts';

/**
 * The form in which texts are compared without case. Equal wherever in a text the letters stand, unlike
 * `toLowerCase`, which writes the Greek sigma in another way at the end of a word.
 */
export function foldCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.includes('ς') ? lower.replaceAll('ς', 'σ') : lower;
}

/** Orders texts by code points, as the bytes of their UTF-8 are ordered: negative, 0 or positive. */
export function compareText(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const difference = unitRank(left, index) - unitRank(right, index);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** UTF-16 code units in the order of code points: surrogates follow the rest. */
function unitRank(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/**
 * Orders two values of an attribute: texts by its case rule, times by the instant, false before true. 0 for values of
 * different types.
 */
export function compareValues(
  { type, caseExact }: AttributeDefinition,
  left: JsonValue,
  right: JsonValue,
): number {
  if (typeof left === 'string' && typeof right === 'string') {
    if (type === 'dateTime') return Date.parse(left) - Date.parse(right);
    return caseExact ? compareText(left, right) : compareText(foldCase(left), foldCase(right));
  }
  if (typeof left !== typeof right) return 0;
  return Number(left) - Number(right);
}

/** Creates the test whether a value of an attribute satisfies a comparison with a value other than null. */
export function comparisonWith(
  definition: AttributeDefinition,
  operator: CompareOperator,
  expected: Exclude<CompareValue, null>,
): (actual: JsonValue) => boolean {
  const { type, caseExact } = definition;
  const isTextOperator = operator === 'co' || operator === 'sw' || operator === 'ew';
  const isText = typeof expected === 'string' && (type !== 'dateTime' || isTextOperator);
  if (!isText) {
    const accepts = ORDERS[operator as keyof typeof ORDERS];
    return (actual) =>
      typeof actual === typeof expected
        ? accepts(compareValues(definition, actual, expected))
        : operator === 'ne';
  }
  const accepts = TEXT_COMPARISONS[operator];
  const wanted = caseExact ? expected : foldCase(expected);
  return (actual) =>
    typeof actual === 'string'
      ? accepts(caseExact ? actual : foldCase(actual), wanted)
      : operator === 'ne';
}

type OrderOperator = Exclude<CompareOperator, 'co' | 'sw' | 'ew'>;

const ORDERS: Readonly<Record<OrderOperator, (order: number) => boolean>> = {
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
  lt: (order) => order < 0,
  le: (order) => order <= 0,
};

type TextComparison = (actual: string, expected: string) => boolean;

const TEXT_COMPARISONS: Readonly<Record<CompareOperator, TextComparison>> = {
  eq: (actual, expected) => actual === expected,
  ne: (actual, expected) => actual !== expected,
  co: (actual, expected) => actual.includes(expected),
  sw: (actual, expected) => actual.startsWith(expected),
  ew: (actual, expected) => actual.endsWith(expected),
  gt: (actual, expected) => compareText(actual, expected) > 0,
  ge: (actual, expected) => compareText(actual, expected) >= 0,
  lt: (actual, expected) => compareText(actual, expected) < 0,
  le: (actual, expected) => compareText(actual, expected) <= 0,
};
