import { REACH } from '../messages/borders.ts';
import { runInTurns } from '../messages/steps.ts';
import type { TextPath } from '../messages/text-path.ts';
import { below, keysOf } from '../messages/text-path.ts';
import { kept, mapUnknown } from '../messages/unknown-parts.ts';
import type { CheckAnswer } from './endpoint.ts';
import { checkMessage } from './endpoint.ts';
import { limitParts, MAX_TEXTS } from './held-amount.ts';

/** A place in the events of a stream, and what they have had there. */
interface HeldPlace {
  /** The end of all texts of the place, one behind the other. */
  tail: string;
  /** The last of them. */
  last: string;
}

/** One word: two of them make no value. */
const WORD = /^[A-Za-z_.]{0,64}$/;
const ROOT = below(undefined, 'members');

/**
 * Checks what stands beside the texts of a stream, event by event, together with what stood in the same places before:
 * a client may put texts of one place together. What an event repeats is nothing new.
 *
 * @returns the value with what may be passed on of it; what has been passed on before stays
 */
export function createPlacesCheck(check: CheckAnswer): (value: unknown) => Promise<unknown> {
  const places = new Map<string, HeldPlace>();
  return async (value) => {
    const fresh: { readonly before: string; readonly text: string }[] = [];
    await eachText(value, (text, path) => {
      const key = JSON.stringify(keysOf(path));
      const place = places.get(key) ?? { tail: '', last: '' };
      places.set(key, place);
      limitParts(places.size, MAX_TEXTS);
      if (text === place.last) return text;
      const isWord = WORD.test(text) && WORD.test(place.tail);
      if (place.tail !== '' && !isWord) fresh.push({ before: place.tail, text });
      place.tail = (place.tail + text).slice(-REACH);
      place.last = text;
      return text;
    });
    if (fresh.length === 0) return value;
    const passed = new Map<string, string>();
    for (const { before, text } of fresh) {
      // Read as no part of the answer: with the question of the user it would be a new turn each time.
      const content = [before, text].map((each) => ({ type: 'reasoning', text: each }));
      const checked = await checkMessage(check, { role: 'assistant', content });
      passed.set(text, checked.content[1]?.text ?? text);
    }
    return eachText(value, (text) => passed.get(text) ?? text);
  };
}

function eachText(
  value: unknown,
  replace: (text: string, path: TextPath) => string,
): Promise<unknown> {
  const steps = mapUnknown(value, ROOT, {
    replace: (text, path, kind) => kept(kind === 'name' ? text : replace(text, path)),
    // What is nested too deep is refused by the check of the event.
    refuse: () => {},
  });
  return runInTurns(steps);
}
