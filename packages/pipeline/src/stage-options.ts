import { PipelineConfigError } from './errors.ts';

/** Checks that `value` is a list of strings. */
export function checkStrings(path: string, value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw new PipelineConfigError(path, 'expected a list of strings');
  [...value].forEach((item: unknown, index) => {
    if (typeof item !== 'string')
      throw new PipelineConfigError(`${path}[${index}]`, 'expected a string');
  });
  return Object.freeze([...value]);
}

/** Checks that `value` is true or false. */
export function checkFlag(path: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new PipelineConfigError(path, 'expected true or false');
}

/** Checks that `value` is a number from 0 to 1. */
export function checkFraction(path: string, value: unknown): number {
  if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  throw new PipelineConfigError(path, 'expected a number from 0 to 1');
}

/** Checks that `value` is a whole number from `least` to `most`. */
export function checkCount(path: string, value: unknown, least: number, most: number): number {
  const isCount = typeof value === 'number' && Number.isInteger(value);
  if (isCount && value >= least && value <= most) return value;
  throw new PipelineConfigError(path, `expected a whole number from ${least} to ${most}`);
}
