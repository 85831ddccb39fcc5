import { defineMemoryTable } from '@probity/core/internal';
import type { AttemptCount } from './types.ts';

/** A count as stored. */
interface StoredCount extends AttemptCount {
  readonly organizationId: string;
}

/** The table of counts, by `keyOf`. */
export const ATTEMPT_COUNTS = defineMemoryTable<StoredCount>(
  'webhook_attempt_counts',
  'organizationId',
);
