import { z } from 'zod';

/** Largest number of alerts that one call changes. */
const MAX_ALERTS = 500;

/** Free text of a member, on one or several lines. */
function freeText(maxLength: number, examples: string[]) {
  return z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(maxLength, `must have at most ${maxLength} characters`)
    .refine((text) => text.isWellFormed() && !text.includes('\0'), 'must not contain U+0000')
    .meta({ examples });
}

const memberId = z
  .string('must be the id of a member, or null')
  .min(1, 'must not be empty')
  .max(200, 'must have at most 200 characters')
  .refine((text) => text.isWellFormed() && !text.includes('\0'), 'must not contain U+0000')
  .nullable()
  .describe('An active member of the organization; null assigns the alert to nobody.');

const ids = z
  .array(z.string().min(1, 'must not be empty').max(100, 'must have at most 100 characters'))
  .min(1, 'must name at least one alert')
  .max(MAX_ALERTS, `must name at most ${MAX_ALERTS} alerts`)
  .describe('The ids of 1 to 500 alerts; one that is given twice counts once.');

/** The body of a resolution. */
export const resolutionBody = z
  .strictObject({ resolution: freeText(2_000, ['A test number, no customer’s.']) })
  .meta({ id: 'AlertResolution' });

/** The body of an assignment. */
export const assignmentBody = z.strictObject({ memberId }).meta({ id: 'AlertAssignment' });

/** The body of a comment. */
export const commentBody = z
  .strictObject({ text: freeText(5_000, ['Asked the team of the chat assistant.']) })
  .meta({ id: 'NewAlertComment' });

/** The body of the resolution of several alerts. */
export const resolutionsBody = resolutionBody.extend({ ids }).meta({ id: 'AlertResolutions' });

/** The body of the acknowledgment of several alerts. */
export const acknowledgmentsBody = z.strictObject({ ids }).meta({ id: 'AlertAcknowledgments' });

/** The body of the assignment of several alerts. */
export const assignmentsBody = assignmentBody.extend({ ids }).meta({ id: 'AlertAssignments' });
