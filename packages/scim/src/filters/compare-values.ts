import { domainToUnicode } from 'node:url';
import { mailboxKey } from '@probity/core/internal';
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

/**
 * The form in which userNames and e-mail addresses are compared: without case, with letters composed (Unicode NFC), and
 * with the domain in letters rather than in Punycode.
 */
export function foldMailbox(text: string): string {
  return foldCase(mailboxKey(text));
}

/** The form of a part of a userName or an e-mail address, to be looked for in what `foldMailbox` makes of the whole. */
function foldMailboxPart(text: string): string {
  const folded = foldCase(text.toLowerCase().normalize('NFC'));
  return folded.replace(PUNYCODE_LABEL, (label) => foldCase(domainToUnicode(label) || label));
}

/** Longest label of a domain: 63 characters. */
const PUNYCODE_LABEL = /(?<![a-z0-9-])xn--[a-z0-9-]{1,59}(?![a-z0-9-])/g;

/** Characteristics that decide on the form in which values are compared. */
type Comparable = Pick<AttributeDefinition, 'caseExact' | 'isMailbox'>;

/** A value of an attribute in the form in which it is compared. */
export function foldValue({ caseExact, isMailbox }: Comparable, text: string): string {
  if (caseExact) return text;
  return isMailbox ? foldMailbox(text) : foldCase(text);
}

/** A text in the form of the values of an attribute that an operator compares with it. */
export function foldExpected(
  definition: Comparable,
  operator: CompareOperator,
  text: string,
): string {
  const isPart = definition.isMailbox && isPartOperator(operator);
  return isPart ? foldMailboxPart(text) : foldValue(definition, text);
}

function isPartOperator(operator: CompareOperator): boolean {
  return operator === 'co' || operator === 'sw' || operator === 'ew';
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
  definition: AttributeDefinition,
  left: JsonValue,
  right: JsonValue,
): number {
  if (typeof left === 'string' && typeof right === 'string') {
    if (definition.type === 'dateTime') return Date.parse(left) - Date.parse(right);
    return compareText(foldValue(definition, left), foldValue(definition, right));
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
  const isTime = definition.type === 'dateTime' && !isPartOperator(operator);
  const isText = typeof expected === 'string' && !isTime;
  if (!isText) {
    const accepts = ORDERS[operator as keyof typeof ORDERS];
    return (actual) =>
      typeof actual === typeof expected
        ? accepts(compareValues(definition, actual, expected))
        : operator === 'ne';
  }
  const accepts = TEXT_COMPARISONS[operator];
  const wanted = foldExpected(definition, operator, expected);
  return (actual) =>
    typeof actual === 'string' ? accepts(foldValue(definition, actual), wanted) : operator === 'ne';
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
