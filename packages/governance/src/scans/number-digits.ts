import {
  hasNotedNumbers,
  keepNumbers,
  noteNumbers,
  writeJsonInTurns,
} from '@probity/pipeline/messages';

const UTF_8 = new TextDecoder();

/** Notes the digits of long numbers in a body, which the answer repeats. */
export async function noteDigits(value: unknown, bytes: Uint8Array): Promise<void> {
  await noteNumbers(value, UTF_8.decode(bytes));
}

/** The JSON of an answer with messages whose numbers keep their digits; nothing where none is long. */
export async function withDigits(
  answer: object,
  messages: readonly object[],
): Promise<{ readonly json?: string } | undefined> {
  return messages.some(hasNotedNumbers) ? { json: await writeJsonInTurns(answer) } : undefined;
}

/**
 * The same for an answer that has a changed copy of the body.
 * @param like has the body in the place of its copy
 */
export async function withDigitsOf(
  answer: object,
  body: object,
  like: object,
): Promise<{ readonly json?: string } | undefined> {
  if (!hasNotedNumbers(body)) return undefined;
  return { json: await writeJsonInTurns(answer, keepNumbers(like, body)) };
}
