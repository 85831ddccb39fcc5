import { z } from 'zod';
import { RISK_CLASSES } from './types.ts';

const NAME = 'must have 1 to 200 characters';
const OWNER = 'must have 1 to 200 characters, or be null';
const DESCRIPTION = 'must have at most 5,000 characters, or be null';

const name = z.string(NAME).trim().min(1, NAME).max(200, NAME);
const description = z.string(DESCRIPTION).max(5_000, DESCRIPTION).nullable();
const owner = z
  .string(OWNER)
  .trim()
  .min(1, OWNER)
  .max(200, OWNER)
  .nullable()
  .describe("Who is responsible for it, in the organization's own words; null for nobody named.");

/** The `riskClass` of an AI system. */
export const riskClass = z
  .enum(RISK_CLASSES, `must be one of ${RISK_CLASSES.join(', ')}, or null`)
  .nullable()
  .describe(
    'As the organization classifies it under Regulation (EU) 2024/1689: `prohibited` (Article 5), `high` (Article 6), ' +
      '`limited` (Article 50), `minimal`, `gpai` (a general-purpose model), `gpai_systemic` (one with systemic risk); ' +
      'null while it is not classified.',
  );

/** What creates an AI system, over HTTP and in code. */
export const newAiSystem = z
  .strictObject({
    name,
    description: description.optional(),
    riskClass: riskClass.optional(),
    owner: owner.optional(),
  })
  .meta({ id: 'NewAiSystem' });

/** What changes an AI system. */
export const aiSystemChanges = newAiSystem.partial().meta({ id: 'AiSystemChanges' });
