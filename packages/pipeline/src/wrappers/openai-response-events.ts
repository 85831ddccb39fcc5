import type { GuardedCall, TextGate } from './answer-guard.ts';
import type { AnswerEvents, Members } from './endpoint.ts';
import { createHeldAmount, limitParts, MAX_TEXTS } from './held-amount.ts';
import { itemWithoutForeignOdds, withoutForeignOdds } from './log-odds.ts';
import type { ServerSentEvent } from './server-sent-events.ts';
import { createUnreadCheck, listOf, responseEventShape } from './unread-members.ts';

/** The member of a `done` event that has the whole text, by the kind of text. */
const TEXTS: Readonly<Record<string, string>> = {
  'response.output_text': 'text',
  'response.refusal': 'refusal',
  'response.reasoning_text': 'text',
  'response.reasoning_summary_text': 'text',
};
const ARGUMENTS: Readonly<Record<string, string>> = {
  'response.function_call_arguments': 'arguments',
  'response.mcp_call_arguments': 'arguments',
  'response.custom_tool_call_input': 'input',
  'response.code_interpreter_call_code': 'code',
  'response.shell_call_command': 'command',
};
/** What a hosted shell has written, a list of objects. */
const SHELL_OUTPUT = 'response.shell_call_output_content';

/**
 * Guards the events of a streamed response. Arguments of tool calls are held back until they are
 * whole; items and the response at the end are checked again as they are sent.
 */
export function createResponseEvents(call: GuardedCall): AnswerEvents {
  const gates = new Map<string, { readonly gate: TextGate; readonly last: Members }>();
  const amount = createHeldAmount(call);
  const check = (items: readonly object[]) => call.checkAnswer(items);
  const checkUnread = createUnreadCheck(check);

  function keyOf(kind: string, event: Members): string {
    const { output_index: at, content_index: part, summary_index: summary } = event;
    return `${kind} ${at} ${part} ${summary}`;
  }

  function gateOf(kind: string, event: Members): TextGate {
    const key = keyOf(kind, event);
    const isAnswer = kind === 'response.output_text' || kind === 'response.refusal';
    const open = () => (isAnswer ? call.openText() : call.openAside());
    const held = gates.get(key);
    const gate = held?.gate ?? amount.countGate(open());
    amount.replace(held?.last, event);
    gates.set(key, { gate, last: event });
    limitParts(gates.size, MAX_TEXTS);
    return gate;
  }

  async function passDelta(kind: string, event: Members): Promise<Members[]> {
    const delta = await gateOf(kind, event).feed(String(event.delta));
    return delta === '' ? [] : [withoutOdds({ ...event, delta })];
  }

  async function passDone(kind: string, event: Members): Promise<Members[]> {
    const gate = gateOf(kind, event);
    const name = TEXTS[kind] as string;
    const { [name]: _, ...others } = event;
    const delta = await gate.end();
    const rest = { ...others, type: `${kind}.delta`, delta };
    const done = withoutOdds({ ...event, [name]: gate.passed() });
    return delta === '' ? [done] : [withoutOdds(rest), done];
  }

  async function passArguments(kind: string, event: Members): Promise<Members[]> {
    const name = ARGUMENTS[kind] as string;
    const { [name]: given, ...others } = event;
    const call = { type: 'function_call', arguments: given };
    const [{ arguments: whole } = call] = (await check([call])) as [typeof call];
    return [
      { ...others, type: `${kind}.delta`, delta: whole },
      { ...event, [name]: whole },
    ];
  }

  async function passShellOutput(event: Members): Promise<Members[]> {
    const [checked = {}] = await check([{ type: 'shell_call_output', output: event.output }]);
    return [{ ...event, output: (checked as Members).output }];
  }

  async function passOther(event: Members): Promise<Members[]> {
    const { part, item, response } = event;
    if ([part, item, response].some(Array.isArray)) {
      throw new TypeError('messages: expected parts, items and responses to be objects');
    }
    const passed: Record<string, unknown> = { ...event };
    if (isMembers(part)) {
      // The part of a summary has no text of another kind.
      const [message] = await check([{ role: 'assistant', content: [part] }]);
      passed.part = withoutForeignOdds(((message as Members).content as unknown[])[0]);
    }
    if (isMembers(item)) passed.item = (await check([item])).map(itemWithoutForeignOdds)[0];
    const output = isMembers(response) ? listOf(response, 'output') : undefined;
    if (output !== undefined) {
      const checked = (await check(output)).map(itemWithoutForeignOdds);
      passed.response = { ...(response as Members), output: checked };
    }
    return [withoutOdds(passed)];
  }

  /** What an unknown event has left, before the one that ends it. */
  async function passUnknownDone(kind: string, event: Members): Promise<Members[]> {
    const held = gates.get(keyOf(kind, event));
    const delta = await held?.gate.end();
    const rest = delta ? [{ ...held?.last, delta }] : [];
    return [...rest, ...(await passOther(event))];
  }

  async function pass(given: Members): Promise<Members[]> {
    const [, kind = '', step] = String(given.type).match(/^(.*)\.(delta|done)$/) ?? [];
    // The event that begins a command may have some of it; the whole comes with the one that ends it.
    const begun = typeof given.command === 'string' && kind === '' ? { command: '' } : {};
    const isUnknown = isUnknownText(kind, step, given);
    const shape = responseEventShape(isUnknown ? ['delta'] : textsOf(kind, step));
    const event = await checkUnread({ ...given, ...begun }, shape);
    if (Object.hasOwn(TEXTS, kind))
      return step === 'delta' ? passDelta(kind, event) : passDone(kind, event);
    if (kind === SHELL_OUTPUT) return step === 'delta' ? [] : passShellOutput(event);
    if (Object.hasOwn(ARGUMENTS, kind)) return step === 'delta' ? [] : passArguments(kind, event);
    if (isUnknown) return passDelta(kind, event);
    return step === 'done' ? passUnknownDone(kind, event) : passOther(event);
  }

  return {
    async take(came) {
      if (came.data.trim() === '[DONE]') return [came];
      const event: unknown = JSON.parse(came.data);
      if (!isMembers(event)) throw new TypeError('messages: expected an event to be an object');
      const events = await pass(event);
      return events.map((event) => toEvent(event));
    },
    async end() {
      const events: ServerSentEvent[] = [];
      for (const [key, { gate, last }] of gates) {
        const delta = await gate.end();
        const [kind] = key.split(' ');
        if (delta !== '') events.push(toEvent({ ...last, type: `${kind}.delta`, delta }));
      }
      return events;
    },
  };
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

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toEvent(event: Members): ServerSentEvent {
  return { event: String(event.type), data: JSON.stringify(event) };
}
