import { z } from 'zod';

/**
 * A schema behind a check of size: a list or an object with more than `max` members is refused
 * without a look at any of them, as a body has room for millions.
 *
 * @param members what they are called in the message
 */
export function withinSize<Schema extends z.ZodType>(max: number, members: string, schema: Schema) {
  return z.preprocess((value, context) => {
    if (sizeOf(value) > max) {
      const message = `must have at most ${max} ${members}`;
      context.addIssue({ code: 'custom', message, input: value });
    }
    return value;
  }, schema);
}

function sizeOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}
