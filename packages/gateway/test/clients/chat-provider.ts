import { parts } from './both-ways.ts';

/** A message of the chat interface, with what some providers add to it. */
export interface ChatMessage {
  readonly content: string | null;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly type: 'function';
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

const USAGE = {
  ...{ prompt_tokens: 81, completion_tokens: 40, total_tokens: 121 },
  prompt_tokens_details: { cached_tokens: 64, audio_tokens: 0 },
  completion_tokens_details: {
    ...{ reasoning_tokens: 12, audio_tokens: 0 },
    ...{ accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 },
  },
};
const HEAD = {
  created: 1_760_000_000,
  model: 'gpt-4o-2024-08-06',
  service_tier: 'default',
  system_fingerprint: 'fp_c064fdde7c',
};

const reasonOf = ({ tool_calls }: ChatMessage) =>
  tool_calls === undefined ? 'stop' : 'tool_calls';

/** A whole chat completion. */
export function chatCompletion(id: string, message: ChatMessage): object {
  const whole = { role: 'assistant', refusal: null, annotations: [], ...message };
  const choices = [{ index: 0, message: whole, logprobs: null, finish_reason: reasonOf(message) }];
  return { id: `chatcmpl-${id}`, object: 'chat.completion', ...HEAD, choices, usage: USAGE };
}

/** The events in which it comes, as OpenAI sends them. */
export function chatChunks(id: string, message: ChatMessage): string[] {
  const chunk = (choices: readonly object[], usage: object | null = null) =>
    `data: ${JSON.stringify({ id: `chatcmpl-${id}`, object: 'chat.completion.chunk', ...HEAD, choices, usage, obfuscation: 'Zk1' })}\n\n`;
  const choice = (delta: object, finish_reason: string | null = null) =>
    chunk([{ index: 0, delta, logprobs: null, finish_reason }]);
  return [
    choice({ role: 'assistant', content: message.tool_calls ? null : '', refusal: null }),
    ...parts(message.reasoning_content ?? '').map((reasoning_content) =>
      choice({ content: null, reasoning_content }),
    ),
    ...parts(message.content ?? '').map((content) => choice({ content })),
    ...(message.tool_calls ?? []).flatMap(
      ({ function: { name, arguments: given }, ...call }, index) => [
        choice({ tool_calls: [{ index, ...call, function: { name, arguments: '' } }] }),
        ...parts(given).map((some) =>
          choice({ tool_calls: [{ index, function: { arguments: some } }] }),
        ),
      ],
    ),
    choice({}, reasonOf(message)),
    chunk([], USAGE),
    'data: [DONE]\n\n',
  ];
}

/** A call of a function. */
export function chatCall(
  id: string,
  name: string,
  input: object,
): NonNullable<ChatMessage['tool_calls']>[number] {
  return {
    id: `call_${id}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  };
}
