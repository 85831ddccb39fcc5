import { createIds } from '@probity/core';
import type { Nugget } from './nuggets/types.ts';

/** Creation time of the fixtures. */
export const CREATED_AT = new Date('2026-01-01T00:00:00.000Z');
/** A day after {@link CREATED_AT}. */
export const LATER = new Date('2026-01-02T00:00:00.000Z');

const ids = createIds();

/** A nugget with a claim of its own; `facts` override members. */
export function newNugget(organizationId: string, facts: Partial<Nugget> = {}): Nugget {
  const id = ids.next('nug');
  return {
    id,
    organizationId,
    claim: `The statement of ${id}`,
    sourceUrl: 'https://facts.example/page',
    category: null,
    confidence: null,
    createdAt: CREATED_AT,
    updatedAt: CREATED_AT,
    sequence: 1,
    ...facts,
  };
}
