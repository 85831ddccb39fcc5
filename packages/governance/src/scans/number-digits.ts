import { hasNotedNumbers, keepNumbers, noteNumbers, writeJson } from '@probity/pipeline/messages';

const UTF_8 = new TextDecoder();

/** Notes the digits of long numbers in a body, which the answer repeats. */
export async function noteDigits(value: unknown, bytes: Uint8Array): Promise<void> {
  await noteNumbers(value, UTF_8.decode(bytes));
}

/** The JSON of an answer with messages whose numbers keep their digits; nothing where none is long. */
export function withDigits(
  answer: object,
  messages: readonly object[],
): { readonly json?: string } | undefined {
  return messages.some(hasNotedNumbers) ? { json: writeJson(answer) } : undefined;
}

/**
 * The same for an answer that has a changed copy of the body.
 * @param like has the body in the place of its copy
 */
export function withDigitsOf(
  answer: object,
  body: object,
  like: object,
): { readonly json?: string } | undefined {
  return hasNotedNumbers(body) ? { json: writeJson(answer, keepNumbers(like, body)) } : undefined;
}
