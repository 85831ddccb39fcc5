import { timestamp } from '@probity/core/koa';
import { z } from 'zod';
import { findObligation } from '../obligations/catalogue.ts';
import { frameworkName, stance } from '../obligations/schemas.ts';
import { stancesOf } from '../obligations/stance.ts';
import type { Evidence } from './types.ts';

const obligationLink = z
  .strictObject({
    obligationId: z.string(),
    framework: frameworkName,
    reference: z.string(),
    title: z.string(),
    stance,
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
    links: z
      .array(obligationLink)
      .describe('The obligations that the record supports or speaks against.'),
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
    links: linksOf(record),
    occurredAt: record.occurredAt?.toISOString() ?? null,
    createdAt: record.createdAt.toISOString(),
    sequence: record.sequence,
    hash: record.hash,
  };
}

function linksOf(record: Evidence): Array<z.infer<typeof obligationLink>> {
  return [...stancesOf(record)].flatMap(([obligationId, own]) => {
    const found = findObligation(obligationId);
    if (!found) return [];
    const { framework, reference, title } = found;
    return [{ obligationId, framework, reference, title, stance: own }];
  });
}
