import { secretText, timestamp } from '@probity/core/koa';
import { z } from 'zod';
import { overlapSeconds } from './input.ts';

/** A secret in the only response that has it. */
export const webhookSecret = secretText().describe(
  'Key of the delivery signatures; returned only in this response.',
);

/** The body of a rotation. */
export const secretRotation = z
  .strictObject({
    overlap_seconds: overlapSeconds,
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
