import { z } from 'zod';

/** Lengths of the columns of ServiceNow's incident table. */
const MAX_SHORT_DESCRIPTION = 160;
const MAX_DESCRIPTION = 4_000;
const MAX_CHOICE = 40;

function text(maxLength: number) {
  return z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(maxLength, `must have at most ${maxLength} characters`);
}

function level(max: number, description: string) {
  const message = `must be a whole number from 1 to ${max}`;
  return z.int(message).min(1, message).max(max, message).optional().describe(description);
}

/** A category or subcategory of incidents. */
export const choice = text(MAX_CHOICE);

/** What creates an incident. */
export const newIncident = z
  .strictObject({
    short_description: text(MAX_SHORT_DESCRIPTION),
    description: text(MAX_DESCRIPTION).optional(),
    category: choice.optional().describe('A value of the category field of the instance.'),
    subcategory: choice.optional(),
    priority: level(
      5,
      '1 (critical) to 5 (planning); instances may compute it from urgency and impact.',
    ),
    urgency: level(3, '1 (high) to 3 (low).'),
    impact: level(3, '1 (high) to 3 (low).'),
  })
  .meta({ id: 'NewIncident' });
