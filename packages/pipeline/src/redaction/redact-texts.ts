import { createGuard } from '../guard.ts';
import { createPipeline } from '../pipeline.ts';
import type { Policy } from '../policy-types.ts';
import { createRedactor } from './redactor.ts';

/** An address of a machine names a system, not a person. */
const POLICY: Policy = {
  id: 'pol_texts',
  name: 'Texts without personal data and secrets',
  rules: [
    { stage: 'pii_scanner', types: ['ip_address'], action: 'allow' },
    { stage: 'pii_scanner', action: 'redact' },
    { stage: 'secrets_scanner', action: 'redact' },
  ],
};

/**
 * Replaces personal data other than IP addresses, and secrets, in short texts such as names, each by a token
 * (`[EMAIL_KTQGHBNSDM]`). Under the same key a value always has the same token, and none is turned back.
 * @param options `key`: at least 16 bytes
 * @returns as many texts, in the same order
 * @throws Error when a stage did not finish, or a value cannot be replaced
 */
export async function redactTexts(
  texts: readonly string[],
  { key }: { readonly key: Uint8Array },
): Promise<string[]> {
  const stages = [{ name: 'pii_scanner' as const }, { name: 'secrets_scanner' as const }];
  const guard = createGuard({ pipeline: createPipeline({ stages }), policies: [POLICY] });
  const redactor = createRedactor({ style: 'token', key });
  const redacted: string[] = [];
  for (const response of texts) {
    const { text, failedStages } = await guard.check({ response }, { redactor });
    if (text === null || failedStages.length > 0) {
      const failed = failedStages.map(({ stage, status }) => `${stage} ${status}`).join(', ');
      throw new Error(
        `redactTexts: a text could not be scanned completely: ${failed || 'blocked'}.`,
      );
    }
    redacted.push(text);
  }
  return redacted;
}
