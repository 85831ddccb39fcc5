import { z } from 'zod';

const time = z.date('must be a valid Date');

/** A recovery in code. */
export const recoveryInput = z.strictObject({ since: time, until: time.optional() });

/** A replay in code. The service checks the types against those of the webhook. */
export const replayInput = recoveryInput.extend({
  types: z.array(z.string()).min(1, 'must name at least one event type').optional(),
});
