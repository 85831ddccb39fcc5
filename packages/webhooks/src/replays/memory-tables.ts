import { defineMemoryTable } from '@probity/core/internal';
import type { Replay } from './types.ts';

/** The table of replays. */
export const REPLAYS = defineMemoryTable<Replay>('webhook_replays', 'organizationId');
