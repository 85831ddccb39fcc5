import { z } from 'zod';
import { isEmailAddress, MAX_EMAIL_LENGTH } from '../email-address.ts';
import { isPrintableName } from '../names.ts';
import { DEFAULT_PAGE_LIMIT, MAX_PAGE_LIMIT } from '../paging.ts';

/** A timestamp on the wire: ISO 8601 in UTC. */
export const timestamp = z.iso.datetime();

/** A time that a caller gives, with any offset. */
export const instant = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 time with an offset' })
  .transform((text) => new Date(text));

/** A display name: 1 to `maxLength` characters on one line. */
export function nameText(maxLength: number) {
  return z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(maxLength, `must have at most ${maxLength} characters`)
    .refine(isPrintableName, 'must not contain control characters');
}

/** One of a closed list of values; the error message for any other lists them all. */
export function oneOf<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, `must be one of ${values.join(', ')}`);
}

/** An e-mail address without a display name. */
export const emailText = z
  .string('must be an e-mail address')
  .max(MAX_EMAIL_LENGTH, `must have at most ${MAX_EMAIL_LENGTH} characters`)
  .refine(
    (text) => text.length > MAX_EMAIL_LENGTH || isEmailAddress(text),
    'must be an e-mail address',
  )
  .meta({ format: 'idn-email' });

/** An integer in a query string; documents describe it as the integer that its text states. */
function integerText({ min, max, fallback }: { min: number; max: number; fallback: number }) {
  return requiredInteger({ min, max, default: fallback }).default(fallback);
}

function requiredInteger({ min, max, ...more }: { min: number; max: number; default?: number }) {
  const message = `must be an integer from ${min} to ${max}`;
  const documented = { type: 'integer', minimum: min, maximum: max, ...more } as const;
  return z
    .string(message)
    .regex(/^\d{1,16}$/, message)
    .meta({ ...documented, pattern: undefined })
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** The query of every list: `limit` 1 to 200, default 50, and `offset` from 0 (contract, section 3). */
export const pageQuery = z.strictObject({
  limit: integerText({ min: 1, max: MAX_PAGE_LIMIT, fallback: DEFAULT_PAGE_LIMIT }),
  offset: integerText({ min: 0, max: Number.MAX_SAFE_INTEGER, fallback: 0 }),
});

/** `limit` as version 2 will have it: without a default. */
export const requiredLimit = requiredInteger({ min: 1, max: MAX_PAGE_LIMIT });

/** Members of a list response besides its array. */
export const pageInfo = {
  total: z.int().nonnegative(),
  limit: z.int().nonnegative(),
  offset: z.int().nonnegative(),
  has_more: z.boolean(),
};

/** A list of the general API: `{data: […], total, limit, offset, has_more}` (contract, section 5). */
export function dataList<Item extends z.ZodType>(item: Item) {
  return z.strictObject({ data: z.array(item), ...pageInfo });
}

/** A single object of the general API. */
export function dataObject<Item extends z.ZodType>(item: Item) {
  return z.strictObject({ data: item });
}
