import { isMembers } from '../messages/message-place.ts';
import type { Members } from './endpoint.ts';
import type { HeldAmount } from './held-amount.ts';
import { limitParts } from './held-amount.ts';

/** The parts of the tool calls of one streamed answer, put together. */
export interface HeldCalls {
  /** Takes the parts that one delta has. @throws TypeError for a part that is not an object, or that continues a call that was given */
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
  /** Calls that were given, without their texts. */
  let given: readonly HeldCall[] = [];
  let isFunctionGiven = false;

  function callOf(part: Members, isFresh: (call: HeldCall) => boolean): HeldCall | undefined {
    return callAmong({ calls, last }, part, isFresh);
  }

  /** Whether a part continues a call that was given: its pieces were scanned without this one. */
  function isLate(part: Members): boolean {
    return callAmong({ calls: given, last: given.at(-1) }, part, () => true) !== undefined;
  }

  function callAmong(
    { calls, last }: { readonly calls: readonly HeldCall[]; readonly last: HeldCall | undefined },
    part: Members,
    isFresh: (call: HeldCall) => boolean,
  ): HeldCall | undefined {
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
      for (const each of parts) {
        const part = requireMembers(each);
        const found = callOf(part, (call) => seen.has(call));
        if (found === undefined && isLate(part)) {
          if (hasPiece(part)) throw tooLate();
          continue;
        }
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
      if (called === undefined && isFunctionGiven && saysNothing(part.name)) {
        if (!saysNothing(part.arguments)) throw tooLate();
        return;
      }
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
      given = [...given, ...calls.map(withoutText)];
      isFunctionGiven ||= called !== undefined;
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

/** Keeps of a call what tells whether a later part is of it. */
function withoutText({ members, index }: HeldCall): HeldCall {
  const inner = Object.entries(PIECES).flatMap(([member, pieces]) => {
    const { [member]: held } = members;
    if (!isMembers(held)) return [];
    const { [pieces]: text } = held;
    const isWhole = typeof text === 'string' && isWholeJson(text);
    return [[member, { name: held.name, [pieces]: isWhole ? '{}' : '' }] as const];
  });
  return { members: { id: members.id, ...Object.fromEntries(inner) }, index };
}

function hasPiece(part: Members): boolean {
  return Object.entries(PIECES).some(([member, pieces]) => {
    const { [member]: inner } = part;
    return inner !== undefined && !(isMembers(inner) && saysNothing(inner[pieces]));
  });
}

function tooLate(): TypeError {
  return new TypeError('messages: expected no part of a tool call after its end');
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
