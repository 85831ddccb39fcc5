import { isMembers } from '../messages/message-place.ts';
import { isNameOfText } from '../messages/unknown-parts.ts';

/** Whether a text is one of the request that an answer is to. */
export type IsAsked = (text: string) => boolean;

/** Shorter numbers are settings. */
const LONG_NUMBER = 1e6;

/** @param request the sent body in any form; read at the first question */
export function createIsAsked(request: () => unknown): IsAsked {
  let texts: Set<string> | undefined;
  return (text) => {
    if (texts === undefined) {
      texts = new Set();
      gather(request(), texts);
    }
    return texts.has(text);
  };
}

function gather(value: unknown, texts: Set<string>): void {
  if (typeof value === 'string' || typeof value === 'number') texts.add(String(value));
  else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value)) {
      texts.add(name);
      gather(each, texts);
    }
  }
}

/** The rest of a member that repeats the request, without the texts of the request; null where nothing is left. */
export function withoutAsked(value: unknown, isAsked: IsAsked): unknown {
  if (typeof value === 'string') return isAsked(value) ? null : value;
  if (typeof value === 'number') {
    return Math.abs(value) < LONG_NUMBER || isAsked(String(value)) ? null : value;
  }
  if (Array.isArray(value)) {
    const list = value.map((each) => withoutAsked(each, isAsked));
    return list.every((each) => each === null) ? null : list;
  }
  if (!isMembers(value)) return null;
  const members = Object.entries(value).map(
    ([name, each]) => [name, withoutAsked(each, isAsked)] as const,
  );
  const isRest = ([name, each]: readonly [string, unknown]) =>
    each !== null || (isNameOfText(name) && !isAsked(name));
  return members.some(isRest) ? Object.fromEntries(members) : null;
}
