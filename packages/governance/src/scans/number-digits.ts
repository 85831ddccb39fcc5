import { hasNotedNumbers, noteNumbers, writeJson } from '@probity/pipeline/messages';

const UTF_8 = new TextDecoder();

/** Notes the digits of long numbers in a body, which the answer repeats. */
export function noteDigits(value: unknown, bytes: Uint8Array): void {
  noteNumbers(value, UTF_8.decode(bytes));
}

/** The JSON of an answer with messages whose numbers keep their digits; nothing where none is long. */
export function withDigits(
  answer: object,
  messages: readonly object[],
): { readonly json?: string } | undefined {
  return messages.some(hasNotedNumbers) ? { json: writeJson(answer) } : undefined;
}
