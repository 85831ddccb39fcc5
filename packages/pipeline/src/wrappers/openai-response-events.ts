import { isMembers } from '../messages/message-place.ts';
import type { GuardedCall, TextGate } from './answer-guard.ts';
import type { AnswerEvents, CheckAnswer, Members } from './endpoint.ts';
import { checkMessage } from './endpoint.ts';
import { createHeldAmount, limitParts, MAX_TEXTS } from './held-amount.ts';
import { createHeldArguments } from './held-arguments.ts';
import { createKeptSources } from './kept-sources.ts';
import { itemWithOddsOf, itemWithoutForeignOdds, itemWithoutOdds } from './log-odds.ts';
import { createPaddingCheck } from './padding.ts';
import {
  isAnswer,
  isLastEvent,
  keyOf,
  placedTextsOf,
  TEXTS,
  textsOfResponseEvent,
  withoutTexts,
  withTexts,
} from './response-texts.ts';
import { createBorderedEvents } from './text-borders.ts';
import { createEventCheck, listOf, responseEventShape } from './unread-members.ts';

const ARGUMENTS: Readonly<Record<string, string>> = {
  'response.function_call_arguments': 'arguments',
  'response.mcp_call_arguments': 'arguments',
  'response.custom_tool_call_input': 'input',
  'response.code_interpreter_call_code': 'code',
  'response.shell_call_command': 'command',
};
const ANSWER_TEXT = 'response.output_text';
/** What a hosted shell has written, a list of objects. */
const SHELL_OUTPUT = 'response.shell_call_output_content';

/**
 * Guards the events of a streamed response. Arguments of tool calls are held back until they are
 * whole; items and the response at the end are checked again as they are sent.
 */
export function createResponseEvents(call: GuardedCall): AnswerEvents {
  const gates = new Map<string, HeldGate>();
  const amount = createHeldAmount(call);
  const check: CheckAnswer = (items) => call.checkAnswer(items);
  const checkUnread = createEventCheck(check, call.isAsked);
  const checkPadding = createPaddingCheck();
  const held = createHeldArguments(amount);
  const sources = createKeptSources();

  function gateAt(key: string): HeldGate {
    const held = gates.get(key);
    if (held !== undefined) return held;
    const open = () => (isAnswer(kindOf(key)) ? call.openText() : call.openAside());
    const made = { gate: amount.countGate(open()), last: {}, isFed: false, fed: 0, waiting: [] };
    gates.set(key, made);
    limitParts(gates.size, MAX_TEXTS);
    return made;
  }

  function gateOf(kind: string, event: Members): TextGate {
    const held = gateAt(keyOf(kind, event));
    amount.replace(held.last, event);
    held.last = event;
    held.isFed = true;
    return held.gate;
  }

  async function passDelta(kind: string, event: Members): Promise<Members[]> {
    const gate = gateOf(kind, event);
    const held = gateAt(keyOf(kind, event));
    held.fed += String(event.delta).length;
    const delta = await gate.feed(String(event.delta));
    if (delta === '') return [];
    return [withoutOdds({ ...event, delta }), ...takeWaiting(held, gate.passed().length)];
  }

  async function passDone(kind: string, event: Members): Promise<Members[]> {
    const held = gateAt(keyOf(kind, event));
    const name = TEXTS[kind] as string;
    const { [name]: _, ...others } = event;
    const last = held.isFed ? held.last : others;
    const gate = gateOf(kind, event);
    const delta = await gate.end();
    const rest = { ...last, type: `${kind}.delta`, delta };
    const done = withoutOdds({ ...event, [name]: gate.passed() });
    return [...(delta === '' ? [] : [withoutOdds(rest)]), ...takeWaiting(held), done];
  }

  /** Keeps what says something about a text, such as a citation, until the text before it is passed on. */
  function passBehindText(event: Members, passed: readonly Members[]): readonly Members[] {
    const held = gates.get(keyOf(ANSWER_TEXT, event));
    if (held === undefined || held.gate.passed().length >= held.fed) return passed;
    for (const each of passed) {
      amount.replace(undefined, each);
      held.waiting.push({ event: each, behind: held.fed });
    }
    return [];
  }

  /** The events that have waited for so many units of a text, or for all of it. */
  function takeWaiting({ waiting }: HeldGate, passed = Number.POSITIVE_INFINITY): Members[] {
    const next = waiting.findIndex(({ behind }) => behind > passed);
    const taken = waiting.splice(0, next < 0 ? waiting.length : next).map(({ event }) => event);
    for (const each of taken) amount.replace(each, undefined);
    return taken;
  }

  async function passArguments(kind: string, event: Members): Promise<Members[]> {
    const name = ARGUMENTS[kind] as string;
    const { [name]: ended, ...others } = event;
    const gathered = held.take(kind, event);
    const whole = await checkArguments((ended ?? '') === '' ? gathered : ended);
    return [
      { ...others, type: `${kind}.delta`, delta: whole },
      { ...event, [name]: whole },
    ];
  }

  async function checkArguments(given: unknown): Promise<unknown> {
    return (await checkMessage(check, { type: 'function_call', arguments: given })).arguments;
  }

  /** Sends arguments whose end has not come: of the item that ends, or of all items. */
  async function passOpen(item?: Members): Promise<Members[]> {
    const passed: Members[] = [];
    for (const event of held.takeOpen(item)) {
      passed.push({ ...event, delta: await checkArguments(event.delta) });
    }
    return passed;
  }

  async function passShellOutput(event: Members): Promise<Members[]> {
    const { output } = event;
    const checked = await checkMessage(check, { type: 'shell_call_output', output });
    return [{ ...event, output: checked.output }];
  }

  /** What begins a part or an item may have some of its text, as a delta has. */
  async function passAdded(event: Members): Promise<Members[]> {
    const texts = placedTextsOf(event);
    const first: Members[] = [];
    for (const { kind, place, text } of texts) {
      if (text === '') continue;
      const delta = { type: `${kind}.delta`, ...place, delta: text };
      first.push(...(await passDelta(kind, delta)));
    }
    return [...(await passOther(withoutTexts(event))), ...first];
  }

  /** What ends a part or an item repeats its texts, which have been passed on. */
  async function passEnded(event: Members): Promise<Members[]> {
    const rest: Members[] = [];
    const passed: string[] = [];
    for (const { kind, place, text } of placedTextsOf(event)) {
      const held = gateAt(keyOf(kind, place));
      const { isFed, gate } = held;
      if (!isFed) await gateOf(kind, place).feed(text);
      const delta = await gate.end();
      if (isFed && delta !== '') rest.push({ ...held.last, delta });
      rest.push(...takeWaiting(held));
      passed.push(gate.passed());
    }
    return [...rest, ...(await passOther(event, passed))];
  }

  /** @param texts those of its part or item, which are not checked again */
  async function passOther(event: Members, texts: readonly string[] = []): Promise<Members[]> {
    const { part, item, response } = event;
    if ([part, item, response].some(Array.isArray)) {
      throw new TypeError('messages: expected parts, items and responses to be objects');
    }
    const blank = texts.length === 0 ? event : withoutTexts(event);
    const checked: Record<string, unknown> = { ...blank };
    // Log odds name the tokens of the whole text.
    if (isMembers(part)) {
      // The part of a summary has no text of another kind.
      const message = itemWithoutOdds({ role: 'assistant', content: [blank.part] });
      [checked.part] = (await checkMessage(check, message)).content;
    }
    if (isMembers(item)) {
      checked.item = await checkMessage(check, itemWithoutOdds(blank.item as object));
    }
    const passed: Record<string, unknown> =
      texts.length === 0 ? checked : { ...withTexts(checked, texts) };
    if (isMembers(part)) {
      [passed.part] = itemWithOddsOf({ content: [passed.part] }, { content: [part] }).content;
    }
    if (isMembers(item)) passed.item = itemWithOddsOf(passed.item as object, item);
    const output = isMembers(response) ? listOf(response, 'output') : undefined;
    if (output !== undefined) {
      const own = output.map(itemWithoutForeignOdds);
      const checked = (await check(own)).map(itemWithoutForeignOdds);
      passed.response = { ...(response as Members), output: checked };
    }
    return [withoutOdds(passed)];
  }

  /** What an unknown event has left, before the one that ends it. */
  async function passUnknownDone(kind: string, event: Members): Promise<Members[]> {
    const held = gates.get(keyOf(kind, event));
    const delta = await held?.gate.end();
    const rest = delta ? [{ ...held?.last, delta }] : [];
    return [...rest, ...(await passEnded(event))];
  }

  async function pass(given: Members): Promise<Members[]> {
    const [, kind = '', step] = String(given.type).match(/^(.*)\.(delta|done)$/) ?? [];
    // The event that begins a command may have some of it; the whole comes with the one that ends it.
    const begun = typeof given.command === 'string' && kind === '' ? { command: '' } : {};
    const isUnknown = isUnknownText(kind, step, given);
    const shape = responseEventShape(isUnknown ? ['delta'] : textsOf(kind, step));
    const event = withoutOdds(await checkUnread({ ...checkPadding(given), ...begun }, shape));
    if (Object.hasOwn(TEXTS, kind))
      return step === 'delta' ? passDelta(kind, event) : passDone(kind, event);
    if (kind === SHELL_OUTPUT) return step === 'delta' ? [] : passShellOutput(event);
    if (Object.hasOwn(ARGUMENTS, kind)) {
      if (step === 'done') return passArguments(kind, event);
      held.add(kind, event);
      return [];
    }
    if (isUnknown) return passDelta(kind, event);
    if (kind === 'response.output_item' && step === 'done') {
      return [...(await passOpen(event)), ...(await passUnknownDone(kind, event))];
    }
    if (step === 'done') return passUnknownDone(kind, event);
    if (isLastEvent(event)) return [...(await passOpen()), ...(await passOther(event))];
    const begins = isMembers(event.part) || isMembers(event.item);
    if (begins && /\.added$/.test(String(event.type))) return passAdded(event);
    return [...passBehindText(event, await passOther(event))];
  }

  const known = new Set<string>();
  const bordered = createBorderedEvents<Members>(call, amount, {
    read(event) {
      const read = textsOfResponseEvent(event, (key) => known.has(key));
      for (const { key } of read.texts ?? []) known.add(key);
      return read;
    },
    redact: ({ key }, marks) => gateAt(key).gate.redact(marks),
    pass: async (event) => sources.unchanged(event, await pass(event)),
  });
  const toSent = (event: Members) => ({
    event: String(event.type),
    data: sources.dataOf(event),
  });
  return {
    async take(came) {
      if (came.data.trim() === '[DONE]') return [...(await bordered.end()).map(toSent), came];
      const event = sources.read(came);
      if (event === undefined) throw new TypeError('messages: expected an event to be an object');
      return (await bordered.take(event)).map(toSent);
    },
    async end() {
      const events = [...(await bordered.end()), ...(await passOpen())].map(toSent);
      for (const [key, held] of gates) {
        const { gate, last } = held;
        const delta = await gate.end();
        if (delta !== '') events.push(toSent({ ...last, type: `${kindOf(key)}.delta`, delta }));
        events.push(...takeWaiting(held).map(toSent));
      }
      return events;
    },
  };
}

/** A text, and the event that it came with last. */
interface HeldGate {
  readonly gate: TextGate;
  last: Members;
  /** Whether some of it has come. */
  isFed: boolean;
  /** How many units have come in deltas. */
  fed: number;
  /** Events about the text, and how many of its units come before each. */
  readonly waiting: { readonly event: Members; readonly behind: number }[];
}

function kindOf(key: string): string {
  return key.slice(0, key.indexOf(' '));
}

const ALL_TEXTS: ReadonlyMap<string, string> = new Map([
  ...Object.entries({ ...TEXTS, ...ARGUMENTS }),
  [SHELL_OUTPUT, 'output'],
]);

/** The members of an event that are read as what its kind has. */
function textsOf(kind: string, step: string | undefined): readonly string[] {
  const name = ALL_TEXTS.get(kind);
  if (name === undefined) return [];
  return [step === 'delta' ? 'delta' : name];
}

/** Whether an event has a part of a text of another kind than the known ones, such as the transcript of a spoken answer. */
function isUnknownText(kind: string, step: string | undefined, { delta }: Members): boolean {
  // Sound is bytes in base 64.
  return (
    step === 'delta' && !ALL_TEXTS.has(kind) && typeof delta === 'string' && !/audio$/.test(kind)
  );
}

/** Log odds name the tokens that are held back. */
function withoutOdds(event: Members): Members {
  return 'logprobs' in event ? { ...event, logprobs: [] } : event;
}
