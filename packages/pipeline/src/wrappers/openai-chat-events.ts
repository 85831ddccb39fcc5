import { isMembers } from '../messages/message-place.ts';
import type { GuardedCall, TextGate } from './answer-guard.ts';
import type { DeltaGates, DeltaTexts } from './delta-texts.ts';
import { createDeltaGates, takeTexts } from './delta-texts.ts';
import type { AnswerEvents, CheckAnswer, Members } from './endpoint.ts';
import { checkMessage } from './endpoint.ts';
import { createHeldAmount, limitParts } from './held-amount.ts';
import type { HeldCalls } from './held-calls.ts';
import { createHeldCalls } from './held-calls.ts';
import { createKeptSources } from './kept-sources.ts';
import { createPaddingCheck } from './padding.ts';
import type { ServerSentEvent } from './server-sent-events.ts';
import type { EventText, TextName, TextsOfEvent } from './text-borders.ts';
import { createBorderedEvents } from './text-borders.ts';
import { CHUNK_SHAPE, createEventCheck, listOf, UNREAD_SHAPE } from './unread-members.ts';

/** One of the answers of a stream. */
interface Choice {
  readonly content: TextGate;
  readonly refusal: TextGate;
  readonly reasoning_content: TextGate;
  readonly reasoning: TextGate;
  /** Texts of members that the interface does not have. */
  readonly unknown: DeltaGates;
  readonly calls: HeldCalls;
  /** The last event, whose other members the rest is sent with. */
  last: Members;
  isOver: boolean;
}

/**
 * The texts of a delta. Servers send the model's reasoning in one of the last two or, under its old and its new name, in
 * both: each is a text of its own.
 */
const TEXTS = ['content', 'refusal', 'reasoning_content', 'reasoning'] as const;

/** Whether a member that is known holds something else than in the interface. */
function isOdd(name: string, value: unknown): boolean {
  if ((value ?? null) === null) return false;
  if (name === 'tool_calls') return !Array.isArray(value);
  if (name === 'function_call') return !isMembers(value);
  return (TEXTS as readonly string[]).includes(name) && typeof value !== 'string';
}

/** Chunks have none; what else a server sends has a word. */
const EVENT_NAME = /^[A-Za-z_.]{0,64}$/;

/** Guards the chunks of chat completions. Tool calls are held back until they are whole. */
export function createChatEvents(call: GuardedCall): AnswerEvents {
  const choices = new Map<number, Choice>();
  const amount = createHeldAmount(call);
  const check: CheckAnswer = (messages) => call.checkAnswer(messages);
  const checkUnread = createEventCheck(check);
  const checkPadding = createPaddingCheck();
  const sources = createKeptSources();
  const toSent = ({ event, given }: Chunk) => ({ event, data: sources.dataOf(given) });
  const choiceOf = (index: number): Choice => {
    const held = choices.get(index) ?? {
      content: amount.countGate(call.openText()),
      refusal: amount.countGate(call.openText()),
      reasoning_content: amount.countGate(call.openAside()),
      reasoning: amount.countGate(call.openAside()),
      unknown: createDeltaGates(() => amount.countGate(call.openAside()), limitParts),
      calls: createHeldCalls(amount),
      last: {},
      isOver: false,
    };
    choices.set(index, held);
    limitParts(choices.size);
    return held;
  };
  const choiceAt = (index: number, last: Members): Choice => {
    const held = choiceOf(index);
    amount.replace(held.last, last);
    held.last = last;
    return held;
  };

  /** Members that are known in another form than theirs, such as a content of parts. */
  async function passOdd(delta: Members) {
    const odd = Object.entries(delta).filter(([name, value]) => isOdd(name, value));
    return odd.length === 0 ? {} : checkUnread(Object.fromEntries(odd), UNREAD_SHAPE);
  }

  async function passDelta(choice: Choice, delta: Members): Promise<Members> {
    const passed: Record<string, unknown> = { ...delta, ...(await passOdd(delta)) };
    for (const name of TEXTS) {
      if (typeof delta[name] === 'string') passed[name] = await choice[name].feed(delta[name]);
    }
    if (Array.isArray(delta.tool_calls) && delta.tool_calls.length > 0) {
      choice.calls.add(delta.tool_calls);
      delete passed.tool_calls;
    }
    if (isMembers(delta.function_call)) {
      choice.calls.addFunction(delta.function_call);
      delete passed.function_call;
    }
    return passed;
  }

  async function restOf(choice: Choice): Promise<Members> {
    choice.isOver = true;
    const rest: Record<string, unknown> = { ...(await choice.unknown.end()) };
    for (const name of TEXTS) {
      const text = await choice[name].end();
      if (text !== '') rest[name] = text;
    }
    const called = choice.calls.take();
    if (Object.keys(called).length === 0) return rest;
    const message = { role: 'assistant', content: null, ...called };
    const { role: _, content: __, ...passed } = await checkMessage(check, message);
    return { ...rest, ...passed };
  }

  async function passChoice(
    chunk: Members,
    choice: Members,
    texts: DeltaTexts['texts'],
  ): Promise<Members[]> {
    const { index = 0, delta, finish_reason: reason } = choice;
    if ((delta ?? null) !== null && !isMembers(delta)) {
      throw new TypeError('messages: expected a delta to be an object');
    }
    const state = choiceAt(index as number, { chunk, choice });
    const known = await passDelta(state, (delta ?? {}) as Members);
    const passed = await state.unknown.pass(known, texts);
    const isEnd = isReason(reason);
    const others = withoutOdds(choice);
    const hadContent = isMembers(delta) && hasContent(delta);
    if (!isEnd) return hasContent(passed) || !hadContent ? [{ ...others, delta: passed }] : [];
    const rest = await restOf(state);
    // A server may send the whole answer with the reason of its end.
    if (!hasContent(rest) || (hadContent && !overlaps(passed, rest))) {
      return [{ ...others, delta: { ...passed, ...rest } }];
    }
    const begun = { ...others, finish_reason: null };
    const first = hasContent(passed) ? [{ ...begun, delta: passed }] : [];
    return [...first, { ...begun, delta: rest }, { ...others, delta: {} }];
  }

  async function endAll(): Promise<ServerSentEvent[]> {
    const events: ServerSentEvent[] = [];
    for (const state of choices.values()) {
      if (state.isOver) continue;
      const { chunk, choice } = state.last as { readonly chunk: Members; readonly choice: Members };
      const delta = await restOf(state);
      if (!hasContent(delta)) continue;
      const given = { ...chunk, choices: [{ ...withoutOdds(choice), delta }] };
      events.push(toSent({ event: '', given }));
    }
    return events;
  }

  /** Gives the chunks to send for one that came, the given one itself where nothing changes. */
  async function passChunk(given: Members): Promise<Members[]> {
    const { rest, texts } = takeUnknown(checkPadding(given));
    const chunk = await checkUnread(rest, CHUNK_SHAPE);
    const choices = listOf(chunk, 'choices') as readonly Members[] | undefined;
    if (choices === undefined || choices.length === 0) return [chunk];
    const { usage, ...others } = chunk;
    // Some servers send the usage with the last choice, others after it.
    const hasUsage = (usage ?? null) !== null;
    const plain = hasUsage ? others : chunk;
    const chunks: Members[] = [];
    for (const [at, choice] of choices.entries()) {
      for (const out of await passChoice(plain, choice, texts[at] ?? [])) {
        chunks.push({ ...plain, choices: [out] });
      }
    }
    if (!hasUsage) return chunks;
    return [...chunks.slice(0, -1), { ...plain, choices: [], ...chunks.at(-1), usage }];
  }

  async function pass({ event, given }: Chunk): Promise<Chunk[]> {
    const passed = sources.unchanged(given, await passChunk(given));
    return passed.map((each) => ({ event: each === given ? event : '', given: each }));
  }

  const bordered = createBorderedEvents<Chunk>(call, amount, {
    read: ({ given }) => textsOfChunk(given),
    redact: ({ run, key }, marks) =>
      choiceOf(JSON.parse(key) as number)[run as (typeof TEXTS)[number]].redact(marks),
    pass,
  });
  const end = async () => [...(await bordered.end()).map(toSent), ...(await endAll())];
  return {
    async take(came) {
      const event = EVENT_NAME.test(came.event) ? came.event : '';
      if (came.data.trim() === '[DONE]') return [...(await end()), { event, data: came.data }];
      const given = sources.read(came);
      if (given === undefined) throw new TypeError('messages: expected a chunk to be an object');
      return (await bordered.take({ event, given })).map(toSent);
    },
    end,
  };
}

/** A chunk, and the name of its event. */
interface Chunk {
  readonly event: string;
  readonly given: Members;
}

/** Whether a choice ends: some servers send an empty reason in each chunk. */
function isReason(reason: unknown): boolean {
  return (reason ?? '') !== '';
}

/** Log odds name the tokens that are held back. */
function withoutOdds(choice: Members): Members {
  if ((choice.logprobs ?? null) === null) return choice;
  const { logprobs: _, ...others } = choice;
  return others;
}

/** Whether both deltas have a text of one member, which a client joins. */
function overlaps(first: Members, second: Members): boolean {
  return Object.keys(second).some((name) => (first[name] ?? '') !== '');
}

/** The texts of the choices of a chunk. Choices come at the same time as a rule, and are read one after the other. */
function textsOfChunk(chunk: Members): TextsOfEvent {
  const texts: EventText[] = [];
  const ended: TextName[] = [];
  for (const choice of (listOf(chunk, 'choices') ?? []) as readonly (Members | null)[]) {
    const { index = 0, delta, finish_reason: reason } = choice ?? {};
    const key = JSON.stringify(index);
    for (const run of TEXTS) {
      const text = isMembers(delta) ? delta[run] : undefined;
      if (typeof text === 'string') texts.push({ run, key, order: Number(index), text });
      if (isReason(reason)) ended.push({ run, key });
    }
  }
  return { texts, ended };
}

const KNOWN: ReadonlySet<string> = new Set([...['role', 'tool_calls', 'function_call'], ...TEXTS]);

/** Takes the texts of unknown members out of the deltas of a chunk, by choice. */
function takeUnknown(chunk: Members) {
  const texts: DeltaTexts['texts'][] = [];
  const choices = listOf(chunk, 'choices')?.map((choice: object | null) => {
    const { delta } = (choice ?? {}) as Members;
    const taken = isMembers(delta) ? takeTexts(delta, KNOWN) : undefined;
    texts.push(taken?.texts ?? []);
    return taken === undefined || taken.rest === delta ? choice : { ...choice, delta: taken.rest };
  });
  return { rest: texts.some(({ length }) => length > 0) ? { ...chunk, choices } : chunk, texts };
}

/** A text of no length is nothing new; everything else of a delta is. */
function hasContent(delta: Members): boolean {
  return Object.values(delta).some((value) => value !== '' && (value ?? null) !== null);
}
