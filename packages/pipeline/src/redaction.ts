import { createRedactor, type Redactor } from './redaction/redactor.ts';
import type { Finding, ScanInput } from './types.ts';

/**
 * Puts placeholders such as `[CREDIT_CARD_1]` in place of the findings of prompt and response. The
 * same value gets the same placeholder in both texts; overlapping findings become one, named after
 * the one with the highest score.
 *
 * @param redactor makes the replacements; by default one of its own, with placeholders
 */
export function redactInput(
  input: ScanInput,
  findings: readonly Finding[],
  redactor: Redactor = createRedactor(),
): { readonly prompt: string | null; readonly response: string } {
  const ofField = (field: 'prompt' | 'response') => findings.filter((f) => f.field === field);
  const prompt =
    input.prompt === undefined ? null : redactor.redact(input.prompt, ofField('prompt'));
  return { prompt, response: redactor.redact(input.response, ofField('response')) };
}
