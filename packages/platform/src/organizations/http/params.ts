import { z } from 'zod';

/** Path parameters of endpoints below `/organizations/{org_id}`. */
export const organizationParams = z.strictObject({ org_id: z.string() });
