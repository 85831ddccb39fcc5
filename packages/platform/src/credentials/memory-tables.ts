import { defineMemoryTable } from '@probity/core/internal';
import type { ApiKey, ScimToken } from './types.ts';

/** The table of API keys. */
export const API_KEYS = defineMemoryTable<ApiKey>('api_keys', 'organizationId');

/** The table of SCIM tokens. */
export const SCIM_TOKENS = defineMemoryTable<ScimToken>('scim_tokens', 'organizationId');
