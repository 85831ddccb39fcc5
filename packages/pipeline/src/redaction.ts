import type { Redactor } from './redaction/redactor.ts';
import { createRedactor } from './redaction/redactor.ts';
import type { Field, Finding, ScanInput } from './types.ts';

/** The texts of an input with placeholders in place of what a policy redacts. */
export interface RedactedTexts {
  readonly prompt: string | null;
  readonly response: string;
  /** Present where the input has system text. */
  readonly system?: string;
}

/**
 * Puts placeholders such as `[CREDIT_CARD_1]` in place of the findings of prompt, response and system
 * text. The same value gets the same placeholder in all of them; overlapping findings become one, named after
 * the one with the highest score.
 *
 * @param redactor makes the replacements; by default one of its own, with placeholders
 */
export function redactInput(
  input: ScanInput,
  findings: readonly Finding[],
  redactor: Redactor = createRedactor(),
): RedactedTexts {
  const redact = (text: string, field: Field) =>
    redactor.redact(
      text,
      findings.filter((found) => found.field === field),
    );
  const { system, prompt, response } = input;
  return {
    prompt: prompt === undefined ? null : redact(prompt, 'prompt'),
    response: redact(response, 'response'),
    ...(system === undefined ? {} : { system: redact(system, 'system') }),
  };
}
