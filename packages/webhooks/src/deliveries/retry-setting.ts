import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { WebhookRetryProfile } from './retry.ts';
import { checkWebhookRetryProfile, RETRY_PROFILES } from './retry.ts';

const profileSchema = z.strictObject({
  delaysMs: z.array(z.number()),
  maxAttempts: z.number(),
  jitter: z.number().optional(),
  disableAfterFailures: z.number(),
  maxAgeMs: z.number(),
  maxRetryAfterMs: z.number().optional(),
});

const isName = (text: string): text is keyof typeof RETRY_PROFILES =>
  Object.hasOwn(RETRY_PROFILES, text);

/**
 * Reads a setting: the name of a built-in profile, or the path of a JSON file with the members of
 * {@link WebhookRetryProfile}.
 *
 * @throws Error that says what the text should be, or names the member at fault
 */
export function readWebhookRetry(text: string): WebhookRetryProfile {
  if (isName(text)) return RETRY_PROFILES[text];
  const result = profileSchema.safeParse(readJson(text));
  if (!result.success) throw new Error(`${text}: ${z.prettifyError(result.error)}`);
  const { jitter = 0, ...profile } = result.data;
  try {
    return checkWebhookRetryProfile({ ...profile, jitter });
  } catch (error) {
    throw new Error(`${text}: ${(error as Error).message}`);
  }
}

function readJson(path: string): unknown {
  const names = Object.keys(RETRY_PROFILES).join(', ');
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`must be ${names} or the path of a JSON file; cannot read ${path} (${code})`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not valid JSON: ${(error as Error).message}`);
  }
}
