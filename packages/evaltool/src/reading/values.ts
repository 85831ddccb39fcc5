import type { Kept, KeptObject } from '../json/shape.ts';
import { Texts } from '../json/shape.ts';

const NOTHING: KeptObject = new Map();

/** Whether the value is an object. */
export function isObject(value: Kept | undefined): value is KeptObject {
  return value instanceof Map;
}

/** The value when it is an object, else an empty one. */
export function objectOf(value: Kept | undefined): KeptObject {
  return isObject(value) ? value : NOTHING;
}

/** The value when it is an array, else an empty one. */
export function arrayOf(value: Kept | undefined): readonly Kept[] {
  return Array.isArray(value) ? value : [];
}

/** The value when it is a string, else null. */
export function textOf(value: Kept | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** The value when it is a finite number, else null. */
export function numberOf(value: Kept | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** More than any count or duration of a result is. */
const MAX_COUNT = 1e12;

/** The number when it is a count: from 0 to 10^12, rounded; else null. */
export function countOf(value: Kept | undefined): number | null {
  const number = numberOf(value);
  return number !== null && number >= 0 && number <= MAX_COUNT ? Math.round(number) : null;
}

/** Whether the value is a number from 0 to 1. */
export function isShare(value: Kept | undefined): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

/** The strings of a value; none when it is absent. */
export function stringsOf(value: Kept | undefined): readonly string[] {
  return value instanceof Texts ? value.list : [];
}
