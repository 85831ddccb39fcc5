import type { TokenRestorer } from '../redaction/token-restorer.ts';
import { createRestorer } from '../redaction/tokens.ts';
import { mapMessages } from './map-messages.ts';
import { runInTurns } from './steps.ts';
import { refuseForm } from './text-path.ts';

/**
 * Puts the values back in place of their tokens in all texts of messages, within the arguments of tool calls as well;
 * see `restoreTokens`.
 *
 * @param sealed what `Redactor.seal` gave
 * @param key the 32 bytes that it was sealed with
 * @returns the messages, those without a token themselves
 * @throws RedactionError when the key is not the one, or the map is damaged
 * @throws TypeError that names the member at fault: `messages.3.content.0.text`
 */
export async function restoreMessages<Message extends object>(
  messages: readonly Message[],
  sealed: string,
  key: Uint8Array,
): Promise<readonly Message[]> {
  return restoreWith(createRestorer(sealed, key), messages);
}

/** The same with values that are known already. */
export async function restoreWith<Message extends object>(
  { restore }: TokenRestorer,
  messages: readonly Message[],
): Promise<readonly Message[]> {
  const steps = mapMessages(messages, {
    replace: ({ text }) => restore(text),
    skip: () => {},
    refuse: refuseForm,
  });
  return (await runInTurns(steps)) as Message[];
}
