import { defineMemoryTable } from '@probity/core/internal';
import type { Evidence } from './types.ts';

/** The records that are kept, by id. */
export const RECORDS = defineMemoryTable<Evidence>('evidence_records', 'organizationId');
