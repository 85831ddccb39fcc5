import { z } from 'zod';

/** The most labels of a record. */
const MAX_LABELS = 64;

const NAME = 'names of labels must have 1 to 128 characters';
const VALUE = 'must be a text of at most 512 characters';

/** Labels of records, over HTTP and in code; an import checks its labels by it too. */
export const labels = z
  .record(
    z.string().min(1, NAME).max(128, NAME),
    z.string(VALUE).max(512, VALUE),
    'must be an object of texts',
  )
  .refine(
    (given) => Object.keys(given).length <= MAX_LABELS,
    `must be at most ${MAX_LABELS} labels`,
  );

/** The id of an AI system. */
export const aiSystemId = z.uuid('must be the UUID of an AI system');

/** What changes a record. */
export const evidenceChanges = z
  .strictObject({
    aiSystemId: aiSystemId
      .nullable()
      .optional()
      .describe('The AI system that the record is about; null for none.'),
    labels: labels.optional().describe('Replaces all labels.'),
  })
  .meta({ id: 'EvidenceChanges' });

/** An AI system that a list is narrowed to. */
export const aiSystemQuery = aiSystemId.meta({
  examples: ['01940000-0000-7000-8000-000000000000'],
});
