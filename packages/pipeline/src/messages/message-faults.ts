import { mapMessages } from './map-messages.ts';
import type { Steps } from './steps.ts';
import { runInTurns } from './steps.ts';
import { showPath } from './text-path.ts';

/** The most faults that are named. */
const MAX_FAULTS = 100;

/** What of messages has another form than messages have. */
export interface MessageFault {
  /** By the names of members: `messages.3.content.0.text`. */
  readonly path: string;
  /** `must be a text`. */
  readonly message: string;
}

/**
 * Checks the form of messages, and that they are not too many texts: each name, number and text of a tool call's
 * arguments counts as one; and of JSON as text each value, which is not parsed where they are too many.
 *
 * @param limits `maxTexts`: the most texts, unless there are faults before
 * @returns the first hundred faults; none for what `scanMessages` takes
 */
export async function messageFaults(
  messages: unknown,
  { maxTexts = Number.POSITIVE_INFINITY }: { readonly maxTexts?: number | undefined } = {},
): Promise<MessageFault[]> {
  const faults: MessageFault[] = [];
  const counted = { texts: 0 };
  try {
    await runInTurns(faultSteps(messages, maxTexts, faults, counted));
  } catch (error) {
    if (error !== ENOUGH) throw error;
  }
  if (faults.length === 0 && counted.texts > maxTexts) {
    faults.push({ path: 'messages', message: `must have at most ${maxTexts} texts` });
  }
  return faults;
}

/** Steps that end with whether a message has the form of one; for a message that is a part of a larger body. */
export function* isMessage(message: unknown): Steps<boolean> {
  const faults: MessageFault[] = [];
  yield* faultSteps([message], Number.POSITIVE_INFINITY, faults, { texts: 0 });
  return faults.length === 0;
}

const ENOUGH = new Error('enough');

function faultSteps(
  messages: unknown,
  maxTexts: number,
  faults: MessageFault[],
  counted: { texts: number },
): Steps<unknown> {
  return mapMessages(messages, {
    replace({ text }) {
      if (++counted.texts > maxTexts) throw ENOUGH;
      return text;
    },
    skip: () => {},
    weigh(values) {
      if (counted.texts + values <= maxTexts) return;
      counted.texts += values;
      throw ENOUGH;
    },
    refuse(path, expected) {
      faults.push({ path: showPath(path), message: `must be ${expected}` });
      if (faults.length === MAX_FAULTS) throw ENOUGH;
    },
  });
}
