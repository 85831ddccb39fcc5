import { secretText, timestamp } from '@probity/core/koa';
import { z } from 'zod';
import { DEFAULT_OVERLAP_SECONDS, MAX_OVERLAP_SECONDS, OVERLAP_MESSAGE } from './rotation.ts';

/** A secret in the only response that has it. */
export const webhookSecret = secretText().describe(
  'Key of the delivery signatures; returned only in this response.',
);

/** The body of a rotation. */
export const secretRotation = z
  .strictObject({
    overlap_seconds: z
      .int(OVERLAP_MESSAGE)
      .min(0, OVERLAP_MESSAGE)
      .max(MAX_OVERLAP_SECONDS, OVERLAP_MESSAGE)
      .optional()
      .describe(
        'Seconds for which former secrets sign beside the new one, ' +
          `0 to ${MAX_OVERLAP_SECONDS}; default ${DEFAULT_OVERLAP_SECONDS}.`,
      ),
  })
  .meta({ id: 'SecretRotation' })
  .optional();

/** The members of a webhook after a rotation. */
export const rotatedSecret = {
  secret: webhookSecret,
  overlapEndsAt: timestamp
    .nullable()
    .describe('When the last former secret stops signing; null when none signs.'),
};
