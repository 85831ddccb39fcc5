import { DAY_MS } from '@probity/core/internal';
import { z } from 'zod';

/** The longest overlap, in seconds. */
export const MAX_OVERLAP_SECONDS = (7 * DAY_MS) / 1_000;

/** The overlap of a call that names none. */
export const DEFAULT_OVERLAP_SECONDS = DAY_MS / 1_000;

const MESSAGE = `must be an integer from 0 to ${MAX_OVERLAP_SECONDS}`;

/** The overlap of a rotation. */
export const overlapSeconds = z
  .int(MESSAGE)
  .min(0, MESSAGE)
  .max(MAX_OVERLAP_SECONDS, MESSAGE)
  .optional()
  .describe(
    'Seconds for which former secrets sign beside the new one, ' +
      `0 to ${MAX_OVERLAP_SECONDS}; default ${DEFAULT_OVERLAP_SECONDS}.`,
  );

/** A rotation in code. */
export const rotationInput = z.strictObject({ overlapSeconds });
