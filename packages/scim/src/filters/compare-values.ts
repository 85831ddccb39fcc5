import type { AttributeDefinition, JsonValue } from '../schemas/types.ts';
import type { CompareOperator, CompareValue } from './types.ts';

/**
 * The form in which texts are compared without case. Equal wherever in a text the letters stand, unlike
 * `toLowerCase`, which writes the Greek sigma in another way at the end of a word.
 */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
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

/** Whether a value of an attribute satisfies a comparison with a value other than null. */
export function satisfies(
  definition: AttributeDefinition,
  actual: JsonValue,
  operator: CompareOperator,
  expected: Exclude<CompareValue, null>,
): boolean {
  if (typeof actual !== typeof expected) return operator === 'ne';
  if (operator === 'co' || operator === 'sw' || operator === 'ew') {
    return satisfiesText(definition, String(actual), operator, String(expected));
  }
  return ORDERS[operator](compareValues(definition, actual, expected));
}

const ORDERS: Readonly<
  Record<Exclude<CompareOperator, 'co' | 'sw' | 'ew'>, (order: number) => boolean>
> = {
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
  lt: (order) => order < 0,
  le: (order) => order <= 0,
};

function satisfiesText(
  { caseExact }: AttributeDefinition,
  actual: string,
  operator: 'co' | 'sw' | 'ew',
  expected: string,
): boolean {
  const text = caseExact ? actual : foldCase(actual);
  const part = caseExact ? expected : foldCase(expected);
  if (operator === 'co') return text.includes(part);
  return operator === 'sw' ? text.startsWith(part) : text.endsWith(part);
}
