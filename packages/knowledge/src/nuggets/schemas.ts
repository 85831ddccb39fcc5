import { timestamp } from '@probity/core/koa';
import { z } from 'zod';
import type { Nugget } from './types.ts';

/** A nugget as the API shows it, in the names of the specification. */
export const nuggetSchema = z
  .strictObject({
    id: z.string(),
    claim: z.string(),
    source_url: z.string(),
    category: z.string().nullable(),
    confidence: z.number().min(0).max(1).nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Nugget' });

/** A nugget in the form of {@link nuggetSchema}. */
export function toWire(nugget: Nugget): z.infer<typeof nuggetSchema> {
  return {
    id: nugget.id,
    claim: nugget.claim,
    source_url: nugget.sourceUrl,
    category: nugget.category,
    confidence: nugget.confidence,
    created_at: nugget.createdAt.toISOString(),
    updated_at: nugget.updatedAt.toISOString(),
  };
}
