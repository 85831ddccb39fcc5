import { whenOver } from '../guard-session.ts';
import type { ClientGuardOptions, GuardedCall, StoredCall, TextGate } from './answer-guard.ts';
import { createAnswerGuard } from './answer-guard.ts';
import { checkMessage } from './endpoint.ts';
import { createHeldAmount, limitParts, MAX_TEXTS } from './held-amount.ts';
import type { TextName, TextsOfEvent } from './text-borders.ts';
import { createBorderedEvents } from './text-borders.ts';

export type { ClientGuardOptions } from './answer-guard.ts';

/** What a call of a model is given; `prompt` is the conversation. */
interface CallParams {
  readonly prompt: readonly object[];
  readonly abortSignal?: AbortSignal | undefined;
}

/** A part of a streamed answer. */
interface StreamPart {
  readonly type: string;
  readonly id?: string;
  readonly delta?: string;
}

interface CallOf<Params> {
  readonly params: Params;
}

/** A middleware for `wrapLanguageModel` of the AI SDK, versions 5 to 7. */
export interface GuardMiddleware {
  readonly specificationVersion: 'v3';
  transformParams<Params extends CallParams>(call: CallOf<Params>): Promise<Params>;
  wrapGenerate<Result extends { readonly content: readonly object[] }>(
    call: CallOf<CallParams> & { readonly doGenerate: () => PromiseLike<Result> },
  ): Promise<Result>;
  wrapStream<Part extends StreamPart, Result extends { readonly stream: ReadableStream<Part> }>(
    call: CallOf<CallParams> & {
      readonly doStream: () => PromiseLike<Result & { readonly stream: ReadableStream<Part> }>;
    },
  ): Promise<Result>;
}

/**
 * Makes a middleware of the AI SDK that checks the conversation before it goes to the model, and the
 * model's answer, streamed or not, tool calls included. Where a policy redacts, the redacted text is
 * sent and given. `generateText` rejects with a BlockedError where a policy blocks; a stream has it as
 * its error part. Raw chunks are left out.
 *
 * @throws TypeError for options that do not exist
 * @example
 * const model = wrapLanguageModel({ model: openai('gpt-5'), middleware: guardMiddleware() });
 */
export function guardMiddleware(options: ClientGuardOptions = {}): GuardMiddleware {
  const answers = createAnswerGuard('guardMiddleware', options);
  // Begun with the conversation as it was before redaction, so that answers get the same placeholders.
  const calls = new WeakMap<object, StoredCall>();
  const callOf = (params: CallParams) =>
    calls.get(params) ?? answers.open(params.prompt, params.abortSignal);
  return {
    specificationVersion: 'v3',
    async transformParams({ params }) {
      const call = answers.open(params.prompt, params.abortSignal);
      const checked = { ...params, prompt: await call.checkRequest() };
      calls.set(checked, call);
      return checked;
    },
    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate();
      const call = callOf(params);
      const content = await checkContent(call, result.content);
      await call.finish();
      return { ...result, content };
    },
    async wrapStream({ doStream, params }) {
      const result = await doStream();
      const call = callOf(params);
      const parts = result.stream.pipeThrough(createPartTransform(call));
      return { ...result, stream: whenOver(parts, () => call.finish()) };
    },
  };
}

async function checkContent(
  call: GuardedCall,
  content: readonly object[],
): Promise<readonly object[]> {
  const answer = { role: 'assistant', content };
  return (await checkMessage((messages) => call.checkAnswer(messages), answer)).content;
}

function createPartTransform<Part extends StreamPart>(
  call: GuardedCall,
): TransformStream<Part, Part> {
  const gates = new Map<string, { readonly gate: TextGate; last?: Part }>();
  const inputs = new Map<string, Part[]>();
  const amount = createHeldAmount(call);
  type Controller = TransformStreamDefaultController<Part>;
  type Sink = Pick<Controller, 'enqueue'>;

  function gateAt({ run, key }: TextName) {
    const name = `${run} ${key}`;
    const held = gates.get(name);
    if (held !== undefined) return held;
    const gate = run === 'text' ? call.openText() : call.openAside();
    const made: { readonly gate: TextGate; last?: Part } = { gate: amount.countGate(gate) };
    gates.set(name, made);
    limitParts(gates.size, MAX_TEXTS);
    return made;
  }

  function gateOf(part: Part): TextGate {
    const held = gateAt(nameOf(part));
    amount.replace(held.last, part);
    held.last = part;
    return held.gate;
  }

  function holdInput(part: Part): void {
    const { id = '' } = part;
    const held = inputs.get(id) ?? [];
    amount.replace(undefined, part);
    held.push(part);
    inputs.set(id, held);
    limitParts(inputs.size);
  }

  async function check(part: object): Promise<object> {
    const [checked = part] = await checkContent(call, [part]);
    return checked;
  }

  /** What arrived of a tool call's arguments before they were complete. */
  async function releaseInput(id: string, controller: Sink): Promise<void> {
    const parts = inputs.get(id) ?? [];
    inputs.delete(id);
    for (const part of parts) amount.replace(part, undefined);
    const text = parts.map(({ delta = '' }) => delta).join('');
    const { input } = (await check({ type: 'tool-call', input: text })) as {
      readonly input: string;
    };
    const whole = parts.find(({ type }) => type === 'tool-input-delta');
    for (const part of parts) {
      if (part.type !== 'tool-input-delta') controller.enqueue(part);
      else if (part === whole) controller.enqueue({ ...part, delta: input });
    }
  }

  /** What a model left open at the end. */
  async function releaseTexts(controller: Sink): Promise<void> {
    for (const { gate, last } of gates.values()) {
      const delta = await gate.end();
      if (delta !== '') controller.enqueue({ ...(last as Part), delta });
    }
  }

  async function passTo(part: Part, controller: Sink): Promise<void> {
    switch (part.type) {
      case 'text-delta':
      case 'reasoning-delta': {
        const delta = await gateOf(part).feed(part.delta ?? '');
        if (delta !== '') controller.enqueue({ ...part, delta });
        return;
      }
      case 'text-end':
      case 'reasoning-end': {
        const delta = await gateOf(part).end();
        const type = part.type.replace('end', 'delta');
        if (delta !== '') controller.enqueue({ ...part, type, delta });
        return controller.enqueue(part);
      }
      case 'tool-input-start':
      case 'tool-input-delta':
        return holdInput(part);
      case 'tool-input-end':
        inputs.get(part.id ?? '')?.push(part);
        return releaseInput(part.id ?? '', controller);
      case 'tool-call':
      case 'tool-result':
        return controller.enqueue((await check(part)) as Part);
      case 'raw':
        return;
      case 'finish':
        await releaseTexts(controller);
        return controller.enqueue(part);
      default:
        controller.enqueue(part);
    }
  }

  const bordered = createBorderedEvents<Part>(call, amount, {
    read: textsOfPart,
    redact: (name, marks) => gateAt(name).gate.redact(marks),
    async pass(part) {
      const passed: Part[] = [];
      await passTo(part, { enqueue: (each) => passed.push(each as Part) });
      return passed;
    },
  });
  const guarded = async (work: () => Promise<void>, controller: Controller) => {
    try {
      await work();
    } catch (error) {
      controller.enqueue({ type: 'error', error } as unknown as Part);
      controller.terminate();
    }
  };
  return new TransformStream<Part, Part>({
    transform: (part, controller) =>
      guarded(async () => {
        for (const each of await bordered.take(part)) controller.enqueue(each);
      }, controller),
    // A model may end without saying so.
    flush: (controller) =>
      guarded(async () => {
        for (const part of await bordered.end()) controller.enqueue(part);
        await releaseTexts(controller);
        for (const id of [...inputs.keys()]) await releaseInput(id, controller);
      }, controller),
  });
}

/** Texts of one kind are read in one go. */
function nameOf({ type, id }: StreamPart): TextName {
  return { run: type.startsWith('text') ? 'text' : 'reasoning', key: String(id) };
}

function textsOfPart(part: StreamPart): TextsOfEvent {
  switch (part.type) {
    case 'text-delta':
    case 'reasoning-delta':
      return { texts: [{ ...nameOf(part), text: part.delta ?? '' }] };
    case 'text-end':
    case 'reasoning-end':
      return { ended: [nameOf(part)] };
    default:
      return { isLast: part.type === 'finish' };
  }
}
