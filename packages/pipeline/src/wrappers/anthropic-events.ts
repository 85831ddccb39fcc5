import { isPlainIdentifier } from '../messages/identifiers.ts';
import { isMembers } from '../messages/message-place.ts';
import { isSignature } from '../messages/unknown-parts.ts';
import type { GuardedCall, TextGate } from './answer-guard.ts';
import type { DeltaGates } from './delta-texts.ts';
import { createDeltaGates, takeTexts } from './delta-texts.ts';
import type { AnswerEvents, CheckAnswer, Members } from './endpoint.ts';
import { checkMessage } from './endpoint.ts';
import { createHeldAmount, limitParts } from './held-amount.ts';
import { createKeptSources } from './kept-sources.ts';
import { withoutForeignOdds } from './log-odds.ts';
import { createPlacesCheck } from './repeated-places.ts';
import type { TextName, TextsOfEvent } from './text-borders.ts';
import { createBorderedEvents } from './text-borders.ts';
import { createEventCheck, MESSAGE_EVENT_SHAPE } from './unread-members.ts';

/** Where the text of a delta is passed on as it is settled: its member, and the gate that it needs. */
const TEXTS: Readonly<Record<string, { readonly name: string; readonly isAnswer: boolean }>> = {
  text_delta: { name: 'text', isAnswer: true },
  thinking_delta: { name: 'thinking', isAnswer: false },
};
/** What a block begins with, by its type: no text, since its deltas have it all then. */
const KIND_OF_BLOCK: Readonly<Record<string, string>> = {
  text: 'text_delta',
  thinking: 'thinking_delta',
};
const TYPE: ReadonlySet<string> = new Set(['type']);
/** Members of the event that ends a message, which are words as a rule. */
const WORDS = new Set(['stop_reason', 'stop_sequence', 'container']);

/** One of the blocks of a streamed message. */
interface Block {
  readonly index: unknown;
  /** By the type of their deltas. */
  readonly gates: Map<string, TextGate>;
  /** What has come of the input of a tool call. */
  json: string | undefined;
  /** The event that signs the reasoning, which is for its whole text. */
  signed: Members | undefined;
  /** Texts of deltas of other types. */
  unknown?: DeltaGates;
  /** The last of these deltas, without its texts. */
  last?: Members | undefined;
}

/**
 * Guards the events of a message that Anthropic's API streams. The input of a tool call is held back until it is
 * whole. Reasoning that is redacted has no signature.
 */
export function createMessageEvents(call: GuardedCall): AnswerEvents {
  const blocks = new Map<string, Block>();
  const amount = createHeldAmount(call);
  const sources = createKeptSources();
  const check: CheckAnswer = (messages) => call.checkAnswer(messages);
  const checkUnread = createEventCheck(check);
  const checkPlaces = createPlacesCheck(check);
  /** Blocks that the end of the message has ended. */
  const cut = new Set<string>();
  const blockAt = (index: unknown): Block => {
    const key = keyOf(index);
    // It would be scanned without its beginning.
    if (cut.has(key)) throw new TypeError('messages: expected no content after the message');
    const held = blocks.get(key);
    if (held !== undefined) return held;
    const made: Block = { index, gates: new Map(), json: undefined, signed: undefined };
    blocks.set(key, made);
    limitParts(blocks.size);
    return made;
  };
  const gateOf = ({ gates }: Block, kind: string): TextGate => {
    const held = gates.get(kind);
    if (held !== undefined) return held;
    const gate = amount.countGate(TEXTS[kind]?.isAnswer ? call.openText() : call.openAside());
    gates.set(kind, gate);
    return gate;
  };

  /** What is passed on of a JSON value of whichever form. */
  async function checkValue(given: unknown): Promise<unknown> {
    const value = await checkPlaces(given);
    return (await checkMessage(check, { type: 'function_call', arguments: value })).arguments;
  }

  async function checkContent(content: readonly object[]): Promise<unknown> {
    return (await checkMessage(check, { role: 'assistant', content })).content;
  }

  async function passStart(event: Members): Promise<Members[]> {
    const given = withoutForeignOdds(event.content_block);
    if (!isMembers(given)) return [{ ...event, content_block: await checkValue(given) }];
    const block = blockAt(event.index);
    const kind = KIND_OF_BLOCK[String(given.type)];
    if (kind === undefined) {
      const [passed] = (await checkContent([given])) as object[];
      return [{ ...event, content_block: passed }];
    }
    const { name } = TEXTS[kind] as { readonly name: string };
    const text = given[name];
    const [content_block] = (await checkContent([{ ...given, [name]: '' }])) as object[];
    const begun = { ...event, content_block };
    const first = typeof text === 'string' ? await passText(block, kind, text) : [];
    return [begun, ...first];
  }

  async function passText(block: Block, kind: string, text: string): Promise<Members[]> {
    return toDelta(block, kind, await gateOf(block, kind).feed(text));
  }

  async function passDelta(event: Members): Promise<Members[]> {
    const { index, delta } = event;
    if (!isMembers(delta)) return [{ ...event, delta: await checkValue(delta) }];
    const block = blockAt(index);
    const kind = String(delta.type);
    const text = TEXTS[kind];
    if (text !== undefined) return passText(block, kind, String(delta[text.name] ?? ''));
    if (kind === 'input_json_delta' && typeof (delta.partial_json ?? '') === 'string') {
      const json = `${block.json ?? ''}${delta.partial_json ?? ''}`;
      amount.replace(block.json, json);
      block.json = json;
      return [];
    }
    if (kind === 'signature_delta' && isSignature(String(delta.signature ?? ''))) {
      const { type, signature, ...others } = delta;
      const isPlain = Object.keys(others).length === 0;
      const signed = isPlain
        ? event
        : { ...event, delta: { ...((await checkValue(others)) as Members), type, signature } };
      amount.replace(block.signed, signed);
      block.signed = signed;
      return [];
    }
    const { rest, texts } = takeTexts(delta, TYPE);
    block.unknown ??= createDeltaGates(() => amount.countGate(call.openAside()), limitParts);
    block.last = texts.length > 0 ? { ...event, delta: { type: kind } } : block.last;
    const checked = (await checkValue(rest)) as Members;
    return [{ ...event, delta: await block.unknown.pass(checked, texts) }];
  }

  /** The rest of a block, before the event that ends it. */
  async function restOf(block: Block): Promise<Members[]> {
    const { json, signed } = block;
    blocks.delete(keyOf(block.index));
    amount.replace(json, undefined);
    amount.replace(signed, undefined);
    const rest: Members[] = [];
    for (const [kind, gate] of block.gates) rest.push(...toDelta(block, kind, await gate.end()));
    if (json !== undefined) {
      const partial_json = await checkValue(json);
      const delta = { type: 'input_json_delta', partial_json };
      rest.push({ type: 'content_block_delta', index: block.index, delta });
    }
    const left = (await block.unknown?.end()) ?? {};
    if (Object.keys(left).length > 0) {
      const delta = { ...(block.last?.delta as Members), ...left };
      rest.push({ ...block.last, delta });
    }
    const isRedacted = [...block.gates.values()].some((gate) => gate.isRedacted());
    if (signed !== undefined && !isRedacted) rest.push(signed);
    return rest;
  }

  async function endAll(): Promise<Members[]> {
    const events: Members[] = [];
    for (const block of [...blocks.values()]) {
      events.push(...(await restOf(block)));
      cut.add(keyOf(block.index));
    }
    return events;
  }

  async function passMessage(event: Members): Promise<Members[]> {
    const { message } = event;
    if (!isMembers(message) || !Array.isArray(message.content)) return [event];
    if (message.content.length === 0) return [event];
    const content = await checkContent(message.content as object[]);
    return [{ ...event, message: { ...message, content } }];
  }

  async function passEnd(event: Members): Promise<Members[]> {
    const { delta } = event;
    const hasMore = isMembers(delta)
      ? Object.entries(delta).some(([name, value]) => value && !(WORDS.has(name) && isWord(value)))
      : (delta ?? null) !== null;
    const passed = hasMore ? { ...event, delta: await checkValue(delta) } : event;
    return [...(await endAll()), passed];
  }

  async function pass(given: Members): Promise<Members[]> {
    const isKnown = KNOWN_EVENTS.has(String(given.type));
    const event = isKnown ? await checkUnread(given, MESSAGE_EVENT_SHAPE) : given;
    switch (event.type) {
      case 'message_start':
        return passMessage(event);
      case 'content_block_start':
        return passStart(event);
      case 'content_block_delta':
        return passDelta(event);
      case 'content_block_stop':
        return cut.has(keyOf(event.index))
          ? [event]
          : [...(await restOf(blockAt(event.index))), event];
      case 'message_delta':
        return passEnd(event);
      case 'message_stop':
        return [...(await endAll()), event];
      case 'ping':
        return [event];
      default:
        return [(await checkValue(event)) as Members];
    }
  }

  const bordered = createBorderedEvents<Members>(call, amount, {
    read: textsOfEvent,
    redact({ key }, marks) {
      const [index, kind] = JSON.parse(key) as [unknown, string];
      return gateOf(blockAt(index), kind).redact(marks);
    },
    pass: async (event) => sources.unchanged(event, await pass(event)),
  });
  const toSent = (event: Members) => ({
    event: String(event.type),
    data: sources.dataOf(event),
  });
  return {
    async take(came) {
      const event = sources.read(came);
      // Every event is an object; another value has no known text.
      return event === undefined ? [] : (await bordered.take(event)).map(toSent);
    },
    end: async () => [...(await bordered.end()), ...(await endAll())].map(toSent),
  };
}

const KNOWN_EVENTS = new Set([
  ...['message_start', 'content_block_start', 'content_block_delta', 'content_block_stop'],
  ...['message_delta', 'message_stop', 'ping'],
]);

function isWord(value: unknown): boolean {
  return typeof value === 'string' && isPlainIdentifier(value);
}

const IDLE: TextsOfEvent = { isIdle: true };
const NOTHING: TextsOfEvent = {};
const LAST: TextsOfEvent = { isLast: true };

function textsOfEvent({ type, index, content_block: block, delta }: Members): TextsOfEvent {
  switch (type) {
    case 'content_block_start':
      return textOf(index, KIND_OF_BLOCK[String((block as Members | undefined)?.type)], block);
    case 'content_block_delta':
      return textOf(index, String((delta as Members | undefined)?.type), delta);
    case 'content_block_stop':
      return { ended: Object.keys(TEXTS).map((kind) => nameOf(index, kind)) };
    case 'message_stop':
      return LAST;
    case 'ping':
      return IDLE;
    default:
      return NOTHING;
  }
}

function textOf(index: unknown, kind: string | undefined, given: unknown): TextsOfEvent {
  const text = TEXTS[kind ?? '']?.name;
  if (text === undefined || !isMembers(given)) return NOTHING;
  return { texts: [{ ...nameOf(index, kind as string), text: String(given[text] ?? '') }] };
}

/** An index is a number; whatever else a server sends is told apart all the same. */
function keyOf(index: unknown): string {
  return JSON.stringify(index ?? null);
}

/** Blocks of one kind are read in one go. */
function nameOf(index: unknown, kind: string): TextName {
  return { run: kind, key: JSON.stringify([index ?? null, kind]) };
}

function toDelta({ index }: Block, kind: string, text: string): Members[] {
  const { name } = TEXTS[kind] as { readonly name: string };
  if (text === '') return [];
  return [{ type: 'content_block_delta', index, delta: { type: kind, [name]: text } }];
}
