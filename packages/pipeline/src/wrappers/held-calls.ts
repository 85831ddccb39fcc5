import { isMembers } from '../messages/message-place.ts';
import type { Members } from './endpoint.ts';
import type { HeldAmount } from './held-amount.ts';
import { limitParts } from './held-amount.ts';

/** The parts of the tool calls of one streamed answer, put together. */
export interface HeldCalls {
  /** Takes the parts that one delta has. @throws TypeError for a part that is not an object */
  add(parts: readonly unknown[]): void;
  /** Takes a part of a call in the form from before tools. */
  addFunction(part: Members): void;
  /** Gives the members of a message for all that has come, and forgets it. */
  take(): Members;
}

/** One call, and how the stream names it. */
interface HeldCall {
  members: Members;
  readonly index: unknown;
}

/** The text of a call that comes in pieces, by the member that has it. */
const PIECES: Readonly<Record<string, string>> = { function: 'arguments', custom: 'input' };

/**
 * Puts the parts of tool calls together by the rules of the interface: a part belongs to the last call with its index,
 * a new id begins a new call, and null and empty values are ignored. Servers also send calls without an index, or
 * several calls under one index: these are numbered in the order in which they came.
 */
export function createHeldCalls(amount: HeldAmount): HeldCalls {
  let calls: HeldCall[] = [];
  let last: HeldCall | undefined;
  let called: Members | undefined;

  function callOf(part: Members, isFresh: (call: HeldCall) => boolean): HeldCall | undefined {
    const { index, id } = part;
    const hasId = !saysNothing(id);
    if (hasIndex(part)) {
      const held = calls.findLast((call) => call.index === index);
      const isOther = hasId && !saysNothing(held?.members.id) && held?.members.id !== id;
      return held === undefined || isOther || beginsCall(held.members, part) ? undefined : held;
    }
    if (hasId) return calls.findLast((call) => call.members.id === id);
    if (last === undefined || beginsCall(last.members, part)) return undefined;
    return nameIn(part) !== undefined && isFresh(last) ? undefined : last;
  }

  return {
    add(parts) {
      const seen = new Set<HeldCall>();
      for (const given of parts) {
        const part = requireMembers(given);
        const found = callOf(part, (call) => seen.has(call));
        const call = found ?? { members: {}, index: hasIndex(part) ? part.index : undefined };
        if (found === undefined) calls.push(call);
        limitParts(calls.length);
        const next = mergedCall(call.members, part);
        amount.replace(found?.members, next);
        call.members = next;
        last = call;
        seen.add(call);
      }
    },
    addFunction(part) {
      const next = merged(called ?? {}, part, 'arguments');
      amount.replace(called, next);
      called = next;
    },
    take() {
      const indexes = new Set(calls.map(({ index }) => index));
      const isNumbered = indexes.size === calls.length && !indexes.has(undefined);
      const whole = calls.map(({ members }, at) =>
        isNumbered ? members : { ...members, index: at },
      );
      const taken = {
        ...(whole.length === 0 ? {} : { tool_calls: whole }),
        ...(called === undefined ? {} : { function_call: called }),
      };
      for (const { members } of calls) amount.replace(members, undefined);
      amount.replace(called, undefined);
      calls = [];
      last = undefined;
      called = undefined;
      return taken;
    },
  };
}

/**
 * The members of both parts: the first of each that is neither null nor empty, and all pieces of the text `pieces`.
 *
 * @throws StreamTooLongError for more members than an interface has
 */
function merged(held: Members, part: Members, pieces: string): Members {
  const whole: Record<string, unknown> = { ...held };
  for (const [name, value] of Object.entries(part)) {
    const before = whole[name];
    if (name === pieces && typeof before === 'string' && typeof value === 'string') {
      whole[name] = before + value;
    } else if (!Object.hasOwn(whole, name) || (saysNothing(before) && (value ?? null) !== null)) {
      whole[name] = value;
    }
  }
  limitParts(Object.keys(whole).length);
  return whole;
}

function mergedCall(held: Members, part: Members): Members {
  const inner: Record<string, Members> = {};
  for (const [name, pieces] of Object.entries(PIECES)) {
    const [before, after] = [held[name], part[name]];
    if (!isMembers(after)) continue;
    inner[name] = merged(isMembers(before) ? before : {}, after, pieces);
  }
  return { ...merged(held, part, ''), ...inner };
}

/** Whether a part that names its tool comes behind a whole call: some servers give all calls one index, or none, and no ids. */
function beginsCall(held: Members, part: Members): boolean {
  const name = nameIn(part);
  if (name === undefined) return false;
  for (const [member, pieces] of Object.entries(PIECES)) {
    const { [pieces]: text } = isMembers(held[member]) ? held[member] : {};
    const { [pieces]: more } = isMembers(part[member]) ? part[member] : {};
    if (typeof text !== 'string' || !isWholeJson(text)) continue;
    if (name !== nameIn(held) || !saysNothing(more)) return true;
  }
  return false;
}

function nameIn(part: Members): unknown {
  for (const member of Object.keys(PIECES)) {
    const inner = part[member];
    if (isMembers(inner) && !saysNothing(inner.name)) return inner.name;
  }
  return undefined;
}

function isWholeJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text) || !/[\]}]\s*$/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function hasIndex({ index }: Members): boolean {
  return typeof index === 'number' || typeof index === 'string';
}

function saysNothing(value: unknown): boolean {
  return (value ?? null) === null || value === '';
}

function requireMembers(part: unknown): Members {
  if (isMembers(part)) return part;
  throw new TypeError('messages: expected a tool call of a delta to be an object');
}
