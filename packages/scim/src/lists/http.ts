import { z } from 'zod';
import type { JsonObject } from '../schemas/types.ts';
import { DEFAULT_COUNT, MAX_COUNT } from './request.ts';

const text = z.string().optional();

/** The query of lists; the values are checked by `parseListRequest`, whose errors have a scimType. */
export const listQuery = z.object({
  filter: text.describe('RFC 7644, section 3.4.2.2; at most 4,096 characters and 100 comparisons.'),
  sortBy: text,
  sortOrder: text.describe('`ascending` (the default) or `descending`.'),
  startIndex: text.describe('Number of the first resource, from 1.'),
  count: text.describe(`Resources of a page, at most ${MAX_COUNT}; default ${DEFAULT_COUNT}.`),
  cursor: text.describe('Empty for the first page, then `nextCursor` of the page before.'),
  attributes: text.describe('Names of attributes, separated by commas.'),
  excludedAttributes: text.describe('Names of attributes, separated by commas.'),
});

/** The body of a search request; its members are checked by `parseSearchRequest`. */
export const searchRequest = z.looseObject({}).meta({
  id: 'ScimSearchRequest',
  description: 'The parameters of a list in a body (RFC 7644, section 3.4.3).',
}) as unknown as z.ZodType<JsonObject>;

/** A list response. */
export const listResponse = z
  .strictObject({
    schemas: z.array(z.string()),
    totalResults: z.int().nonnegative(),
    itemsPerPage: z.int().nonnegative(),
    startIndex: z.int().positive().optional(),
    nextCursor: z.string().optional(),
    Resources: z.array(z.looseObject({}) as unknown as z.ZodType<JsonObject>).optional(),
  })
  .meta({ id: 'ScimListResponse' });
