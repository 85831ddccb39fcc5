import { z } from 'zod';
import { normalizeClaim } from '../nuggets/content-key.ts';
import { newNugget } from '../nuggets/input.ts';

const { claim: statement, source_url: sourceUrl } = newNugget.shape;
const NUGGET_ID = 'must be the id of a nugget';

const members = {
  nuggetId: z
    .string(NUGGET_ID)
    .min(1, NUGGET_ID)
    .max(200, NUGGET_ID)
    .optional()
    .describe(
      'The nugget that stated the claim; default: the nugget of this claim and source, if there is one.',
    ),
  claim: statement.describe('The statement that is wrong.'),
  correction: statement.describe('What is taken for true in its place.'),
};

const SAME = 'must say something else than claim';
const differs = ({ claim, correction }: { claim: string; correction: string }) =>
  normalizeClaim(claim) !== normalizeClaim(correction);
const refused = { path: ['correction'], error: SAME };

/** What publishes a correction over HTTP. */
export const newCorrection = z
  .strictObject({ ...members, source_url: sourceUrl })
  .refine(differs, refused)
  .meta({ id: 'NewCorrection' });

/** What publishes a correction in code. */
export const newCorrectionInput = z
  .strictObject({ ...members, sourceUrl })
  .refine(differs, refused);
