import { restoreWith } from '../messages/restore-messages.ts';
import type { Redactor, ReversibleRedactor } from '../redaction/redactor.ts';
import type { RestoredText } from '../redaction/token-restorer.ts';

/** How values are replaced on their way to a model, and what comes back of them in its answer. */
export interface Restoration {
  /** Replaces what a policy redacts in a request. */
  readonly asked: Redactor;
  /** The same in the answer; what only the answer has never comes back. */
  readonly answered: Redactor;
  /** Whether the values of an answer are replaced at the next turn as they were, so that its reasoning is what was signed. */
  readonly isRepeatable: boolean;
  /** Puts back the values of the request; called when the request has been redacted. */
  restoreMessages<Message extends object>(
    messages: readonly Message[],
  ): Promise<readonly Message[]>;
  /** The same for a text that comes in parts. */
  openText(): RestoredText;
}

/** What is replaced stays replaced. */
export function keepReplaced(redactor: Redactor): Restoration {
  return {
    asked: redactor,
    answered: redactor,
    isRepeatable: false,
    restoreMessages: async (messages) => messages,
    openText: () => ({ feed: (text) => text, end: () => '' }),
  };
}

/**
 * Values of the request come back in the answer in place of their tokens.
 *
 * @param isRepeatable whether the redactor is that of the whole conversation, or has its key
 */
export function restoreReplaced(redactor: ReversibleRedactor, isRepeatable: boolean): Restoration {
  return {
    asked: redactor,
    answered: redactor.forAnswers(),
    isRepeatable,
    restoreMessages: (messages) => restoreWith(redactor.restorer(), messages),
    openText: () => redactor.restorer().open(),
  };
}
