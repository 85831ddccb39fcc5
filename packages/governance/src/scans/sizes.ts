import { z } from 'zod';

/**
 * Checks the size before the schema: a list or an object with more than `max` members is rejected
 * without validating any of them, since a body can hold millions.
 *
 * @param members name of the members in the message
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
