import { timestamp } from '@probity/core/koa';
import { z } from 'zod';
import { RISK_CLASSES } from '../ai-systems/types.ts';
import { STANCES } from './stance.ts';
import { FRAMEWORKS } from './types.ts';

/** The name of a framework. */
export const frameworkName = z.enum(FRAMEWORKS);

const date = z.iso.date();

/** The stance of a record on an obligation. */
export const stance = z
  .enum(STANCES)
  .describe('`adverse` where a failure links the record to the obligation.');

/** An obligation with the evidence about it, as it is answered. */
export const obligationSchema = z
  .strictObject({
    id: z.string(),
    framework: frameworkName,
    source: z.string().describe('How the framework is cited.'),
    reference: z.string().describe('Article, clause or number in the framework.'),
    title: z.string().describe('The subject in our words, not the text of the framework.'),
    keywords: z.array(z.string()),
    appliesFrom: date
      .nullable()
      .describe('The date from which it applies; null where the framework sets none.'),
    transitions: z
      .array(z.strictObject({ scope: z.string(), appliesFrom: date }))
      .describe('Later dates for parts of what it is about.'),
    role: z
      .array(z.enum(['provider', 'deployer', 'importer', 'distributor', 'gpai']))
      .describe('Whose duty it is; empty where the framework does not say so in these terms.'),
    riskClasses: z
      .array(z.enum(RISK_CLASSES))
      .nullable()
      .describe('The classes of AI systems that it is about; null for all.'),
    amendedBy: z.string().nullable(),
    status: z
      .strictObject({ stage: z.enum(['draft', 'enquiry']), since: date.nullable() })
      .nullable()
      .describe('Set while the text is not final.'),
    checked: z
      .boolean()
      .describe(
        'Whether number and dates were held against the source, or a library made from it.',
      ),
    evidenceCount: z.int().nonnegative().describe('Records about it, supporting and adverse.'),
    supportingCount: z.int().nonnegative().describe('Records that support it.'),
    adverseCount: z
      .int()
      .nonnegative()
      .describe('Records of failures, such as a failed red-team test; they do not support it.'),
    newestEvidence: z
      .strictObject({ id: z.uuid(), title: z.string(), createdAt: timestamp, stance })
      .nullable(),
  })
  .meta({ id: 'Obligation' });
