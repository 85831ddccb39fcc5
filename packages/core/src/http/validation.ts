import type { z } from 'zod';
import type { FieldError } from '../errors.ts';
import { validationError } from '../errors.ts';

/**
 * Parses the value by the schema.
 * @param whole names the value itself in errors
 * @throws ProbityError `validation_failed` with one detail for every invalid field
 */
export function validate<Value>(schema: z.ZodType<Value>, value: unknown, whole = 'body'): Value {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw validationError(...firstFieldErrors(result.error.issues, value, whole));
}

/** Maximum number of faults reported; a body may have a million. */
export const MAX_FIELD_ERRORS = 100;

function firstFieldErrors(
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
  whole: string,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const issue of issues) {
    for (const error of toFieldErrors(issue, value, whole)) {
      if (errors.length === MAX_FIELD_ERRORS) return errors;
      errors.push(error);
    }
  }
  return errors;
}

function toFieldErrors(issue: z.core.$ZodIssue, value: unknown, whole: string): FieldError[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, MAX_FIELD_ERRORS).map((key) => ({
      field: [...path, key].join('.'),
      message: 'is not a known field',
    }));
  }
  const message = isMissing(issue, value) ? 'is required' : uncapitalized(issue.message);
  return [{ field: path.join('.') || whole, message }];
}

function isMissing(issue: z.core.$ZodIssue, value: unknown): boolean {
  if (issue.code !== 'invalid_type' && issue.code !== 'invalid_value') return false;
  let at: unknown = value;
  for (const key of issue.path) at = (at as Record<PropertyKey, unknown> | null | undefined)?.[key];
  return at === undefined && issue.path.length > 0;
}

function uncapitalized(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}
