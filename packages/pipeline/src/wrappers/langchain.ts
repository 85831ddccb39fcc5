import type { AnswerGuard, ClientGuardOptions, GuardedCall, StoredCall } from './answer-guard.ts';
import { createAnswerGuard } from './answer-guard.ts';
import { checkMessage } from './endpoint.ts';
import { createHeldAmount } from './held-amount.ts';

export type { ClientGuardOptions } from './answer-guard.ts';

/** A message of LangChain, as far as the wrapper reads it. */
interface BaseMessage {
  readonly content: unknown;
  readonly tool_calls?: readonly object[];
  readonly tool_call_chunks?: readonly ToolCallChunk[];
  readonly additional_kwargs?: Readonly<Record<string, unknown>>;
  readonly lc_kwargs?: object;
  readonly role?: string;
  getType?(): string;
  _getType?(): string;
}

interface ToolCallChunk {
  readonly index?: number;
  readonly name?: string;
  readonly args?: string;
}

interface Generation {
  readonly text: string;
  readonly message: BaseMessage;
}

interface Callbacks {
  handleLLMNewToken?(text: string, ...rest: unknown[]): Promise<unknown>;
}

/** The methods that a chat model of LangChain has for those who write one. */
interface ModelParts {
  _generate(
    messages: readonly BaseMessage[],
    options: CallOptions,
    callbacks?: Callbacks,
  ): Promise<{ readonly generations: readonly Generation[] }>;
  _streamResponseChunks?(
    messages: readonly BaseMessage[],
    options: CallOptions,
    callbacks?: Callbacks,
  ): AsyncGenerator<Generation>;
  readonly _streamChatModelEvents?: unknown;
}

interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

const ROLES: Readonly<Record<string, string>> = {
  human: 'user',
  ai: 'assistant',
  system: 'system',
  developer: 'developer',
  tool: 'tool',
  function: 'function',
};

/** Models that check already. */
const guardedModels = new WeakSet<object>();

/**
 * Makes a chat model of LangChain.js that checks what it is given and what it answers: `invoke`,
 * `stream` and `batch`. Models that its methods make, such as `bindTools`, `withConfig` and
 * `withStructuredOutput`, are guarded in the same way. Where a policy redacts, the redacted text is sent
 * and given. Calls reject with a BlockedError where a policy blocks; a stream ends with it.
 *
 * The model itself is not changed. Callbacks of the start of a call get the messages as they were given,
 * those of new tokens what is passed on.
 *
 * @throws TypeError for options that do not exist, or what is no chat model
 * @example
 * const model = guardChatModel(new ChatOpenAI());
 */
export function guardChatModel<Model extends object>(
  model: Model,
  options: ClientGuardOptions = {},
): Model {
  if (!isChatModel(model)) {
    throw new TypeError('guardChatModel: expected a chat model of LangChain.js.');
  }
  return guardWith(createAnswerGuard('guardChatModel', options), model);
}

function guardWith<Model extends object>(answers: AnswerGuard, model: Model): Model {
  const parts = model as unknown as ModelParts;
  const base = baseOf(model);
  const guarded = Object.create(model) as Model & Record<string, unknown>;
  const hide = (name: string, value: unknown) =>
    Object.defineProperty(guarded, name, { value, configurable: true, writable: true });
  guardedModels.add(guarded);
  // Some integrations make another model of the same class where the base class binds this one.
  for (const [name, method] of methodsBelow(base, model)) {
    hide(name, function (this: unknown, ...given: unknown[]) {
      return guardMade(answers, method.apply(this, given));
    });
  }
  // Callbacks of the model would receive tokens before they are checked.
  hide('_generate', async (messages: readonly BaseMessage[], options: CallOptions) => {
    const call = answers.open(messages.map(toPlain), options.signal);
    const sent = await checkMessages(call, messages);
    const result = await parts._generate(sent, options);
    const generations: Generation[] = [];
    for (const generation of result.generations) {
      const plain = toPlain(generation.message);
      const checked = await checkMessage((answer) => call.checkAnswer(answer), plain);
      const message = toMessage(generation.message, plain, checked);
      const text = message === generation.message ? generation.text : textOf(message.content);
      generations.push({ ...generation, message, text });
    }
    await call.finish();
    return { ...result, generations };
  });
  const stream = parts._streamResponseChunks;
  if (stream === undefined || stream === base?._streamResponseChunks) return guarded;
  // What a model has for events of its own would go past the chunks.
  hide('_streamChatModelEvents', base?._streamChatModelEvents);
  hide(
    '_streamResponseChunks',
    (messages: readonly BaseMessage[], options: CallOptions, callbacks?: Callbacks) => {
      const call = answers.open(messages.map(toPlain), options.signal);
      const start = (sent: readonly BaseMessage[]) => stream.call(parts, sent, options);
      return streamChecked(call, messages, callbacks, start);
    },
  );
  return guarded;
}

/** The class of all chat models, whose own methods say that a model has none. */
function baseOf(model: object): ModelParts | undefined {
  let at: object | null = model;
  while (at !== null && !Object.hasOwn(at, '_streamIterator')) at = Object.getPrototypeOf(at);
  return (at as ModelParts | null) ?? undefined;
}

type Method = (this: unknown, ...given: unknown[]) => unknown;

/** The methods of a model by name that it does not have from the class of all chat models. */
function methodsBelow(base: object | undefined, model: object): Map<string, Method> {
  const methods = new Map<string, Method>();
  for (
    let at: object | null = model;
    at !== null && at !== base && at !== Object.prototype;
    at = Object.getPrototypeOf(at)
  ) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (name === 'constructor' || typeof value !== 'function' || methods.has(name)) continue;
      methods.set(name, value as Method);
    }
  }
  return methods;
}

/** What a method of a guarded model gives, guarded where it is a chat model. */
function guardMade(answers: AnswerGuard, made: unknown): unknown {
  if (made instanceof Promise) return made.then((settled) => guardMade(answers, settled));
  return isChatModel(made) && !guardedModels.has(made) ? guardWith(answers, made) : made;
}

function isChatModel(value: unknown): value is object {
  return typeof (value as ModelParts | null | undefined)?._generate === 'function';
}

/** @param call one about the plain form of `messages` */
async function checkMessages(
  call: GuardedCall<PlainMessage>,
  messages: readonly BaseMessage[],
): Promise<BaseMessage[]> {
  const checked = await call.checkRequest();
  return messages.map((message, index) =>
    toMessage(message, call.asked[index] as PlainMessage, checked[index] as PlainMessage),
  );
}

async function* streamChecked(
  call: StoredCall<PlainMessage>,
  messages: readonly BaseMessage[],
  callbacks: Callbacks | undefined,
  start: (sent: readonly BaseMessage[]) => AsyncGenerator<Generation>,
): AsyncGenerator<Generation> {
  const gate = call.openText();
  const sent = await checkMessages(call, messages);
  const amount = createHeldAmount(call);
  const calls: Generation[] = [];
  let last: Generation | undefined;
  const pass = async (generation: Generation) => {
    await callbacks?.handleLLMNewToken?.(
      generation.text,
      undefined,
      undefined,
      undefined,
      undefined,
      {
        chunk: generation,
      },
    );
    return generation;
  };
  try {
    for await (const generation of start(sent)) {
      const { message } = generation;
      const isCall = (message.tool_call_chunks ?? []).length > 0;
      if (isCall) {
        amount.replace(undefined, message.tool_call_chunks);
        calls.push(generation);
      }
      const given = textOf(message.content);
      const text = given === '' ? '' : await gate.feed(given);
      if (given !== '') last = generation;
      if (isCall || (given !== '' && text === '')) continue;
      yield await pass(given === '' ? generation : withText(generation, text));
    }
    const rest = await gate.end();
    if (rest !== '' && last !== undefined) yield await pass(withText(last, rest));
    for (const generation of await checkCalls(call, calls)) yield await pass(generation);
  } finally {
    // Also where the reader stops or the model fails.
    await call.finish();
  }
}

/** Tool calls come in parts of JSON, which say nothing before they are whole. */
async function checkCalls(
  call: GuardedCall,
  generations: readonly Generation[],
): Promise<readonly Generation[]> {
  if (generations.length === 0) return [];
  const whole = new Map<unknown, string>();
  const chunks = generations.flatMap(({ message }) => message.tool_call_chunks ?? []);
  for (const chunk of chunks) {
    const key = keyOf(chunk);
    whole.set(key, `${whole.get(key) ?? ''}${chunk.args ?? ''}`);
  }
  const keys = [...whole.keys()];
  const calls = [...whole.values()].map((args) => ({ args }));
  const answer = { role: 'assistant', content: null, tool_calls: calls };
  const checked = await checkMessage((messages) => call.checkAnswer(messages), answer);
  const rest = new Map(checked.tool_calls.map(({ args }, index) => [keys[index], args]));
  return generations.map((generation) => {
    const { message } = generation;
    // The first part of a call gets its arguments, the others none.
    const parts = (message.tool_call_chunks ?? []).map((chunk) => {
      const args = rest.get(keyOf(chunk)) ?? '';
      rest.delete(keyOf(chunk));
      return { ...chunk, args };
    });
    const next = copyOf(message, { content: '', tool_call_chunks: parts, tool_calls: [] });
    return copyOf({ ...generation, text: '' }, { message: next });
  });
}

/** Parts of one call have its index; a part without an index is a whole call. */
function keyOf(chunk: ToolCallChunk): unknown {
  return chunk.index ?? chunk;
}

/** A message as a guard reads it. */
interface PlainMessage {
  readonly role: string | undefined;
  readonly content: unknown;
  readonly tool_calls?: readonly object[];
}

function toPlain(message: BaseMessage): PlainMessage {
  const type = message.getType?.() ?? message._getType?.() ?? '';
  const { content, tool_calls: calls } = message;
  const role = ROLES[type] ?? message.role;
  return { role, content, ...(calls === undefined ? {} : { tool_calls: calls }) };
}

function toMessage(message: BaseMessage, plain: PlainMessage, checked: PlainMessage): BaseMessage {
  if (plain === checked) return message;
  const { content, tool_calls: calls } = checked;
  return copyOf(message, { content, ...(calls === undefined ? {} : { tool_calls: calls }) });
}

/** The raw tool calls beside the read ones would say what is redacted. */
function copyOf<Value extends object>(value: Value, next: object): Value {
  const copy = Object.assign(Object.create(Object.getPrototypeOf(value)), value, next);
  const { additional_kwargs: raw, lc_kwargs: made } = copy as BaseMessage;
  if (raw !== undefined) {
    const { tool_calls: _, function_call: __, ...others } = raw;
    copy.additional_kwargs = others;
  }
  if (made !== undefined) {
    copy.lc_kwargs = { ...made, ...next, additional_kwargs: copy.additional_kwargs };
  }
  return copy;
}

function withText(generation: Generation, text: string): Generation {
  const message = copyOf(generation.message, { content: text });
  return copyOf(generation, { text, message });
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: { readonly type?: unknown; readonly text?: unknown }) =>
      part.type === 'text' && typeof part.text === 'string' ? part.text : '',
    )
    .join('');
}
