import { BlockedError, builtInPolicyRules, createGuard } from '@probity/pipeline';

/** Redacts e-mail addresses and telephone numbers; otherwise decides as the built-in policy. */
export const guard = createGuard({
  policies: [
    {
      id: 'support',
      name: 'Support assistant',
      rules: [
        { stage: 'pii_scanner', types: ['email', 'phone_number'], action: 'redact' },
        ...builtInPolicyRules(),
      ],
    },
  ],
});

/** What the assistant is told. */
export const INSTRUCTIONS = 'You answer questions about orders, in a sentence or two.';

/** What a user reads in place of what a policy blocks. */
export const REFUSAL = 'I cannot help with that.';

/** Gives the refusal for a request or an answer that a policy blocks; every other error is thrown on. */
export function refuse(error: unknown): string {
  if (error instanceof BlockedError) return REFUSAL;
  throw error;
}

/** An assistant, with whichever SDK. */
export interface Assistant {
  /** The whole answer, or the refusal. */
  answer(question: string): Promise<string>;
  /** The answer in parts; where a policy blocks, the refusal comes last. */
  stream(question: string): AsyncIterable<string>;
}
