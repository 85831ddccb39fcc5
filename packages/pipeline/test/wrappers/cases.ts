import { createGuard, createPipeline } from '../../src/index.ts';
import { inTokens } from './vendor-server.ts';

const FILLER = 'The parcel left the warehouse this morning and will arrive in two or three days. ';

/** The suite of a wrapper takes a few seconds; a client that waits for a broken stream waits without end. */
export const LIMIT = { timeout: 45_000 } as const;

/** Redacted by the policy of {@link guard}. */
export const MAIL = 'jane@example.org';
export const ANSWER = `${FILLER.repeat(12)}Write to ${MAIL} about it. ${FILLER.repeat(12)}`;
export const REDACTED = ANSWER.replace(MAIL, '[EMAIL_1]');
/** Blocked by the policy of {@link guard}. */
export const BLOCKING = `${FILLER.repeat(12)}Her SSN is 536-22-8145. ${FILLER.repeat(12)}`;
/** Two addresses in a request, and an answer with a third one before the second of them. */
export const TWO_MAILS = `I am ${MAIL}, and my brother is bob@example.net.`;
export const THIRD_MAIL = `Write to carl@example.com, and to bob@example.net. ${FILLER}`;
export const THIRD_REDACTED = THIRD_MAIL.replace('carl@example.com', '[EMAIL_3]').replace(
  'bob@example.net',
  '[EMAIL_2]',
);

/** A tool call in the shape of OpenAI's chat completions. */
export const CALL = {
  id: 'c1',
  type: 'function',
  function: { name: 'find', arguments: `{"to":"${MAIL}"}` },
};

/** A guard that redacts e-mail addresses and blocks social security numbers. */
export const guard = createGuard({
  pipeline: createPipeline({ stages: [{ name: 'pii_scanner' }] }),
  policies: [
    {
      id: 'p',
      name: 'p',
      rules: [
        { stage: 'pii_scanner', types: ['email'], action: 'redact' },
        { stage: 'pii_scanner', types: ['ssn'], action: 'block' },
      ],
    },
  ],
});

/** The deltas of a streamed chat completion with {@link CALL}, its arguments token by token. */
export function callDeltas() {
  return inTokens(CALL.function.arguments).map((text, at) => ({
    tool_calls: [
      at === 0
        ? { index: 0, ...CALL, function: { name: 'find', arguments: text } }
        : { index: 0, function: { arguments: text } },
    ],
  }));
}
