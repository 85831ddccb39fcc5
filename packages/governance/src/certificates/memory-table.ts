import { defineMemoryTable } from '@probity/core/internal';
import type { Certificate } from './types.ts';

/** The certificates in memory; whether one is valid also decides which keys are published. */
export const CERTIFICATES = defineMemoryTable<Certificate>('certificates', 'organizationId');
