import { defineMemoryTable } from '@probity/core/internal';
import type { Webhook } from './types.ts';

/** A webhook as stored. */
export interface StoredWebhook extends Webhook {
  readonly sealedSecret: string;
  /** Whether it was deleted; the row stays until its deliveries are deleted. */
  readonly isDeleted: boolean;
  /** The activation in which its owners were last warned; -1 when never. */
  readonly warnedActivation: number;
}

/** The table of webhooks. */
export const WEBHOOKS = defineMemoryTable<StoredWebhook>('webhooks', 'organizationId');
