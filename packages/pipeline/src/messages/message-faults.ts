import { mapMessages } from './map-messages.ts';
import { runAtOnce } from './steps.ts';
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
export function messageFaults(
  messages: unknown,
  { maxTexts = Number.POSITIVE_INFINITY }: { readonly maxTexts?: number | undefined } = {},
): MessageFault[] {
  const faults: MessageFault[] = [];
  let texts = 0;
  const done = new Error('enough');
  try {
    const steps = mapMessages(messages, {
      replace({ text }) {
        if (++texts > maxTexts) throw done;
        return text;
      },
      skip: () => {},
      weigh(values) {
        if (texts + values <= maxTexts) return;
        texts += values;
        throw done;
      },
      refuse(path, expected) {
        faults.push({ path: showPath(path), message: `must be ${expected}` });
        if (faults.length === MAX_FAULTS) throw done;
      },
    });
    runAtOnce(steps);
  } catch (error) {
    if (error !== done) throw error;
  }
  if (faults.length === 0 && texts > maxTexts) {
    faults.push({ path: 'messages', message: `must have at most ${maxTexts} texts` });
  }
  return faults;
}
