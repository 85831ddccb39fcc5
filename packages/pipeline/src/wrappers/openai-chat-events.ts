import { isMembers } from '../messages/message-place.ts';
import type { GuardedCall, TextGate } from './answer-guard.ts';
import type { DeltaGates, DeltaTexts } from './delta-texts.ts';
import { createDeltaGates, takeTexts } from './delta-texts.ts';
import type { AnswerEvents, CheckAnswer, Members } from './endpoint.ts';
import { checkMessage } from './endpoint.ts';
import type { HeldAmount } from './held-amount.ts';
import { createHeldAmount, limitParts } from './held-amount.ts';
import type { ServerSentEvent } from './server-sent-events.ts';
import type { EventText, TextName, TextsOfEvent } from './text-borders.ts';
import { createBorderedEvents } from './text-borders.ts';
import { CHUNK_SHAPE, createUnreadCheck, listOf, UNREAD_SHAPE } from './unread-members.ts';

interface ToolCall {
  readonly index: number;
  readonly function?: Members;
  readonly custom?: Members;
}

/** One of the answers of a stream. */
interface Choice {
  readonly content: TextGate;
  readonly refusal: TextGate;
  readonly reasoning_content: TextGate;
  readonly reasoning: TextGate;
  /** Texts of members that the interface does not have. */
  readonly unknown: DeltaGates;
  readonly calls: Map<number, ToolCall>;
  /** The call in the form from before tools. */
  functionCall: Members | undefined;
  /** The last event, whose other members the rest is sent with. */
  last: Members;
  isOver: boolean;
}

/**
 * The texts of a delta. Servers send the model's reasoning in one of the last two or, under its old and its new name, in
 * both: each is a text of its own.
 */
const TEXTS = ['content', 'refusal', 'reasoning_content', 'reasoning'] as const;

/** Chunks have none; what else a server sends has a word. */
const EVENT_NAME = /^[A-Za-z_.]{0,64}$/;

/** Guards the chunks of chat completions. Tool calls are held back until they are whole. */
export function createChatEvents(call: GuardedCall): AnswerEvents {
  const choices = new Map<number, Choice>();
  const amount = createHeldAmount(call);
  const check: CheckAnswer = (messages) => call.checkAnswer(messages);
  const checkUnread = createUnreadCheck(check);
  const choiceOf = (index: number): Choice => {
    const held = choices.get(index) ?? {
      content: amount.countGate(call.openText()),
      refusal: amount.countGate(call.openText()),
      reasoning_content: amount.countGate(call.openAside()),
      reasoning: amount.countGate(call.openAside()),
      unknown: createDeltaGates(() => amount.countGate(call.openAside()), limitParts),
      calls: new Map(),
      functionCall: undefined,
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
  async function passOdd({ tool_calls: calls, function_call: called, ...delta }: Members) {
    const odd: Record<string, unknown> = {};
    for (const name of TEXTS) if (typeof delta[name] === 'object') odd[name] = delta[name];
    if (typeof calls === 'object' && !Array.isArray(calls)) odd.tool_calls = calls;
    if (Array.isArray(called)) odd.function_call = called;
    return checkUnread(odd, UNREAD_SHAPE);
  }

  async function passDelta(choice: Choice, delta: Members): Promise<Members> {
    const passed: Record<string, unknown> = { ...delta, ...(await passOdd(delta)) };
    for (const name of TEXTS) {
      if (typeof delta[name] === 'string') passed[name] = await choice[name].feed(delta[name]);
    }
    if (Array.isArray(delta.tool_calls)) {
      for (const part of delta.tool_calls as ToolCall[]) addCall(choice.calls, part, amount);
      delete passed.tool_calls;
    }
    if (isMembers(delta.function_call)) {
      const next = joined(choice.functionCall, delta.function_call, 'arguments');
      amount.replace(choice.functionCall, next);
      choice.functionCall = next;
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
    const { calls, functionCall } = choice;
    const called = {
      ...(calls.size === 0 ? {} : { tool_calls: [...calls.values()] }),
      ...(functionCall === undefined ? {} : { function_call: functionCall }),
    };
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
    const isEnd = (reason ?? null) !== null;
    const { logprobs: _, ...others } = choice;
    const out = hasContent(passed) ? [{ ...others, delta: passed, finish_reason: null }] : [];
    if (!isEnd) return out;
    const rest = await restOf(state);
    const last = { ...others, delta: {}, finish_reason: reason };
    return hasContent(rest)
      ? [...out, { ...last, delta: rest, finish_reason: null }, last]
      : [...out, last];
  }

  async function endAll(): Promise<ServerSentEvent[]> {
    const events: ServerSentEvent[] = [];
    for (const state of choices.values()) {
      if (state.isOver) continue;
      const { chunk, choice } = state.last as { readonly chunk: Members; readonly choice: Members };
      const delta = await restOf(state);
      if (!hasContent(delta)) continue;
      events.push(toSent({ event: '', given: { ...chunk, choices: [{ ...choice, delta }] } }));
    }
    return events;
  }

  async function pass({ event, data, given }: Chunk): Promise<Chunk[]> {
    const { rest, texts } = takeUnknown(given);
    const chunk = await checkUnread(rest, CHUNK_SHAPE);
    const choices = listOf(chunk, 'choices') as readonly Members[] | undefined;
    if (choices === undefined || choices.length === 0) {
      return [chunk === given ? { event, data, given } : { event, given: chunk }];
    }
    const chunks: Chunk[] = [];
    const { usage, ...plain } = chunk;
    for (const [at, choice] of choices.entries()) {
      for (const out of await passChoice(plain, choice, texts[at] ?? [])) {
        chunks.push({ event: '', given: { ...plain, choices: [out] } });
      }
    }
    // Some servers send the usage with the last choice, others after it.
    if ((usage ?? null) !== null) {
      chunks.push({ event: '', given: { ...plain, choices: [], usage } });
    }
    return chunks;
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
      const { data } = came;
      if (data.trim() === '[DONE]') return [...(await end()), { event, data }];
      const given: unknown = JSON.parse(data);
      if (!isMembers(given)) throw new TypeError('messages: expected a chunk to be an object');
      return (await bordered.take({ event, data, given })).map(toSent);
    },
    end,
  };
}

/** A chunk, and as it was written where it has not changed. */
interface Chunk {
  readonly event: string;
  readonly given: Members;
  readonly data?: string | undefined;
}

function toSent({ event, given, data }: Chunk): ServerSentEvent {
  return { event, data: data ?? JSON.stringify(given) };
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
      if ((reason ?? null) !== null) ended.push({ run, key });
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

function addCall(calls: Map<number, ToolCall>, part: ToolCall, amount: HeldAmount): void {
  const { index } = part;
  const held = calls.get(index);
  const call = joined(held?.function, part.function, 'arguments');
  const custom = joined(held?.custom, part.custom, 'input');
  const next = {
    ...held,
    ...part,
    ...(call === undefined ? {} : { function: call }),
    ...(custom === undefined ? {} : { custom }),
  };
  limitParts(Object.keys(next).length);
  amount.replace(held, next);
  calls.set(index, next);
  limitParts(calls.size);
}

/** The members of both parts of a call, with the text `name` of the one after that of the other. */
function joined(
  held: Members | undefined,
  part: Members | undefined,
  name: string,
): Members | undefined {
  if (held === undefined && part === undefined) return undefined;
  const whole = { ...held, ...part, [name]: `${held?.[name] ?? ''}${part?.[name] ?? ''}` };
  limitParts(Object.keys(whole).length);
  return whole;
}
