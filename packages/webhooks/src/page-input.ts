import { z } from 'zod';

const INTEGER = 'must be a whole number from';

/** The page of a call in code; one of an HTTP request is the text of its query. */
export const pageInput = z.strictObject({
  limit: z.int(`${INTEGER} 1`).min(1, `${INTEGER} 1`),
  offset: z.int(`${INTEGER} 0`).min(0, `${INTEGER} 0`),
});
