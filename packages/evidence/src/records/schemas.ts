import { instant, oneOf, pageQuery, timestamp } from '@probity/core/koa';
import { z } from 'zod';
import { findObligation } from '../obligations/catalogue.ts';
import { frameworkName } from '../obligations/schemas.ts';
import { FRAMEWORKS } from '../obligations/types.ts';
import { aiSystemQuery } from './input.ts';
import { parseLabelFilter } from './label-filter.ts';
import type { Evidence } from './types.ts';

const obligationLink = z
  .strictObject({
    obligationId: z.string(),
    framework: frameworkName,
    reference: z.string(),
    title: z.string(),
  })
  .meta({ id: 'ObligationLink' });

/** A record as it is answered. */
export const evidenceSchema = z
  .strictObject({
    id: z.uuid(),
    evidenceType: z.string(),
    source: z.string().describe('What made the record.'),
    title: z.string(),
    content: z.string(),
    metadata: z.record(z.string(), z.unknown()),
    aiSystemId: z.uuid().nullable(),
    labels: z.record(z.string(), z.string()),
    links: z.array(obligationLink).describe('The obligations that the record supports.'),
    occurredAt: timestamp
      .nullable()
      .describe('When what it reports happened; null where the source does not say.'),
    createdAt: timestamp,
    sequence: z.int().positive().describe("The record's place in the chain of the organization."),
    hash: z
      .string()
      .describe('SHA-256 of the record and of what precedes it in the chain, in hex.'),
  })
  .meta({ id: 'Evidence' });

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

/** The query of the list of records. */
export const evidenceQuery = pageQuery.extend({
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

/** A record as it is answered. */
export function toWire(record: Evidence): z.infer<typeof evidenceSchema> {
  return {
    id: record.id,
    evidenceType: record.evidenceType,
    source: record.source,
    title: record.title,
    content: record.content,
    metadata: record.metadata,
    aiSystemId: record.aiSystemId,
    labels: record.labels,
    links: linksOf(record.obligationIds),
    occurredAt: record.occurredAt?.toISOString() ?? null,
    createdAt: record.createdAt.toISOString(),
    sequence: record.sequence,
    hash: record.hash,
  };
}

function linksOf(ids: readonly string[]): Array<z.infer<typeof obligationLink>> {
  return ids.flatMap((obligationId) => {
    const found = findObligation(obligationId);
    if (!found) return [];
    const { framework, reference, title } = found;
    return [{ obligationId, framework, reference, title }];
  });
}
