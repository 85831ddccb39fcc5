import { z } from 'zod';
import { expiresInDays } from '../certificates/input.ts';

const CONTENT = 'must be a text';

/** What verifies a text, over HTTP and in code. How long it may be is for the knowledge base to say. */
export const verificationInput = z
  .strictObject({
    content: z
      .string(CONTENT)
      .min(1, 'must not be empty')
      .refine((text) => !/\p{Surrogate}/u.test(text), 'must not contain lone surrogates')
      .describe('1 to 20,000 UTF-16 code units with at most 200 claims; not stored.'),
    certify: z
      .boolean('must be true or false')
      .optional()
      .describe(
        'Issues a certificate if the knowledge base supports every claim; needs the permission `certificates:write`. ' +
          'Default false.',
      ),
    expiresInDays,
  })
  .meta({ id: 'VerificationRequest' });
