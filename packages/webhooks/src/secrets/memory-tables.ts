import { defineMemoryTable } from '@probity/core/internal';
import type { FormerSecret } from './types.ts';

/** A former secret as stored. */
interface StoredSecret extends FormerSecret {
  readonly organizationId: string;
}

/** The table of former secrets. */
export const FORMER_SECRETS = defineMemoryTable<StoredSecret>(
  'webhook_former_secrets',
  'organizationId',
);
