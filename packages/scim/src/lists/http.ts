import { z } from 'zod';
import type { JsonObject } from '../schemas/types.ts';
import { DEFAULT_COUNT, MAX_COUNT } from './request.ts';

const text = z.string().optional();
const NAMES = 'Names of attributes, separated by commas.';

/** The query of lists; the values are checked by `parseListRequest`, whose errors have a scimType. */
export const listQuery = z.object({
  filter: text.meta({
    description: 'RFC 7644, section 3.4.2.2; at most 4,096 characters and 100 comparisons.',
    examples: ['externalId eq "00u1"'],
  }),
  sortBy: text.meta({ examples: ['meta.created'] }),
  sortOrder: text.meta({
    description: '`ascending` (the default) or `descending`.',
    examples: ['descending'],
  }),
  startIndex: text.meta({ description: 'Number of the first resource, from 1.', examples: ['1'] }),
  count: text.meta({
    description: `Resources of a page, at most ${MAX_COUNT}; default ${DEFAULT_COUNT}.`,
    examples: ['100'],
  }),
  cursor: text.meta({
    description: 'Empty for the first page, then `nextCursor` of the page before.',
    examples: [''],
  }),
  attributes: text.meta({ description: NAMES, examples: ['externalId'] }),
  excludedAttributes: text.meta({ description: NAMES, examples: ['meta'] }),
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
