import { repeatsText } from '../messages/log-odds.ts';
import { isMembers } from '../messages/message-place.ts';
import type { Members } from './endpoint.ts';

/** The log odds of a choice, as far as they repeat its message; null where they do not. */
export function oddsOfMessage(logprobs: unknown, message: Members): unknown {
  if ((logprobs ?? null) === null) return logprobs;
  if (!isMembers(logprobs)) return null;
  const isRepeated = Object.entries(logprobs).every(
    ([name, odds]) =>
      odds === null ||
      ((name === 'content' || name === 'refusal') &&
        repeatsText(odds, String(message[name] ?? ''))),
  );
  return isRepeated ? logprobs : null;
}

/** A part of a response without log odds that say more than its text. */
export function withoutForeignOdds<Part>(part: Part): Part {
  const { logprobs, text } = (part ?? {}) as Members;
  if ((logprobs ?? null) === null) return part;
  if (repeatsText(logprobs, String(text ?? ''))) return part;
  return { ...part, logprobs: [] };
}

/** The same for an item with such parts. */
export function itemWithoutForeignOdds<Item extends object>(item: Item): Item {
  return withParts(item, withoutForeignOdds);
}

/** An item without the log odds of its parts, to check it with other texts than theirs. */
export function itemWithoutOdds<Item extends object>(item: Item): Item {
  return withParts(item, (part) => {
    const { logprobs, ...others } = (part ?? {}) as Members;
    return (logprobs ?? null) === null ? part : others;
  });
}

/** A checked item with the log odds of the item that came, as far as they say no more than its texts. */
export function itemWithOddsOf<Item extends object>(checked: Item, came: Item): Item {
  const parts = (came as Members).content as readonly unknown[];
  const whole = withParts(checked, (part, index) => {
    const { logprobs } = (parts[index] ?? {}) as Members;
    return (logprobs ?? null) === null ? part : { ...(part as Members), logprobs };
  });
  return itemWithoutForeignOdds(whole);
}

function withParts<Item extends object>(
  item: Item,
  map: (part: unknown, index: number) => unknown,
): Item {
  const { content } = item as Members;
  if (!Array.isArray(content)) return item;
  const mapped = content.map(map);
  return mapped.some((part, index) => part !== content[index])
    ? { ...item, content: mapped }
    : item;
}
