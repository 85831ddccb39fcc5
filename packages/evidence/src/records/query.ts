import { instant, oneOf } from '@probity/core/koa';
import { z } from 'zod';
import { findObligation, obligationIdsOf } from '../obligations/catalogue.ts';
import { FRAMEWORKS } from '../obligations/types.ts';
import { aiSystemQuery } from './input.ts';
import { parseLabelFilter } from './label-filter.ts';
import type { EvidenceFilter } from './types.ts';

const label = z
  .string()
  .max(2_000)
  .meta({
    description:
      'Records with all of these labels: `name:value`, several separated by commas. A comma or a backslash of a label ' +
      'is written after a backslash, as is a colon of a name.',
    examples: ['team:assistants,env:prod'],
  })
  .transform((text, context) => {
    const pairs = parseLabelFilter(text);
    if (pairs) return pairs;
    context.addIssue({
      code: 'custom',
      message: 'must be name:value, several separated by commas',
    });
    return z.NEVER;
  });

/** What narrows a list or an export of records. */
export const evidenceFilterQuery = z.strictObject({
  aiSystemId: aiSystemQuery.optional(),
  evidenceType: z.string().min(1).max(100).optional(),
  framework: oneOf(FRAMEWORKS)
    .optional()
    .describe('Records that support an obligation of the framework.'),
  obligation: z
    .string()
    .refine((id) => findObligation(id) !== undefined, 'must be the id of an obligation')
    .meta({
      description: 'Records that support the obligation with this id.',
      examples: ['euaia-art-15-4'],
    })
    .optional(),
  label: label.optional(),
  since: instant.optional().describe('Records made at this time or later.'),
  until: instant.optional().describe('Records made before this time.'),
  q: z
    .string()
    .min(1, 'must not be empty')
    .max(200, 'must have at most 200 characters')
    .optional()
    .describe('Text in the title or the content, in any case of the letters A to Z.'),
});

type FilterQuery = z.infer<typeof evidenceFilterQuery>;

/** The filter that a query names. */
export function toFilter(query: FilterQuery): EvidenceFilter {
  const { aiSystemId, evidenceType, label: labels, since, until, q } = query;
  return { aiSystemId, evidenceType, labels, since, until, q, obligationIds: obligationsOf(query) };
}

/** The obligations of which a record must support one; undefined for no condition. */
function obligationsOf({ framework, obligation }: FilterQuery): string[] | undefined {
  if (framework === undefined) return obligation === undefined ? undefined : [obligation];
  const ids = obligationIdsOf(framework);
  return obligation === undefined ? ids : ids.filter((id) => id === obligation);
}
