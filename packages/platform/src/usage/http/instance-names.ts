import { oneOf } from '@probity/core/koa';
import { z } from 'zod';
import { INSTANCE_KINDS } from '../types.ts';

/** Visible ASCII characters. */
export const VISIBLE = /^[\x21-\x7e]+$/;

/** The members by which an instance names itself. */
export const instanceNames = {
  kind: oneOf(INSTANCE_KINDS),
  instance_id: z
    .string()
    .max(200, 'must have at most 200 characters')
    .regex(VISIBLE, 'must be visible ASCII characters without spaces')
    .describe('Chosen by the instance; must stay the same across restarts.'),
};
