import type { Members } from './endpoint.ts';
import type { HeldAmount } from './held-amount.ts';
import { limitParts } from './held-amount.ts';

/** The arguments of the calls of a streamed response, as far as their deltas have come. */
export interface HeldArguments {
  /** Takes a delta. */
  add(kind: string, event: Members): void;
  /** Forgets the deltas that `event` ends and gives their text; empty where none came. */
  take(kind: string, event: Members): string;
  /** Gives one delta for all arguments whose end has not come, of one item or of all, and forgets them. */
  takeOpen(item?: Members): readonly Members[];
}

/** Holds the deltas back: a server may leave the event that ends them out, or send it without the arguments. */
export function createHeldArguments(amount: HeldAmount): HeldArguments {
  const held = new Map<string, Members>();
  const forget = (key: string): Members | undefined => {
    const found = held.get(key);
    amount.replace(found, undefined);
    held.delete(key);
    return found;
  };
  return {
    add(kind, event) {
      const key = keyOf(kind, event);
      const before = held.get(key);
      const text = typeof event.delta === 'string' ? event.delta : '';
      const next = { ...event, delta: `${before?.delta ?? ''}${text}` };
      amount.replace(before, next);
      held.set(key, next);
      limitParts(held.size);
    },
    take: (kind, event) => String(forget(keyOf(kind, event))?.delta ?? ''),
    takeOpen(item) {
      const open: Members[] = [];
      for (const [key, event] of [...held]) {
        if (item !== undefined && placeOf(event) !== placeOf(item)) continue;
        forget(key);
        if (event.delta !== '') open.push(event);
      }
      return open;
    },
  };
}

function keyOf(kind: string, event: Members): string {
  return `${kind} ${placeOf(event)}`;
}

/** The item that an event belongs to. */
function placeOf({ output_index: at, item_id: id }: Members): string {
  return JSON.stringify(at ?? id ?? null);
}
