/** The events of a streamed message of Anthropic's API, with what each block comes in. */
export function messageEvents(blocks: readonly (readonly [object, readonly object[]])[]): string[] {
  const head = { id: 'm1', type: 'message', role: 'assistant', model: 'm', content: [] };
  const usage = { input_tokens: 3, output_tokens: 1 };
  const message = { ...head, stop_reason: null, stop_sequence: null, usage };
  return [
    { type: 'message_start', message },
    { type: 'ping' },
    ...blocks.flatMap(([content_block, deltas], index) => [
      { type: 'content_block_start', index, content_block },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 9 },
    },
    { type: 'message_stop' },
  ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

/** A whole message. */
export function messageAnswer(...content: readonly object[]): object {
  const usage = { input_tokens: 3, output_tokens: 9 };
  const head = { id: 'm1', type: 'message', role: 'assistant', model: 'm', content };
  return { ...head, stop_reason: 'end_turn', stop_sequence: null, usage };
}

/** A text in parts of `length` units, each a delta of a type. */
export function deltasOf(type: string, name: string, text: string, length = 4): object[] {
  const count = Math.ceil(text.length / length);
  return Array.from({ length: count }, (_, at) => ({
    type,
    [name]: text.slice(at * length, (at + 1) * length),
  }));
}

export const TEXT_BLOCK = { type: 'text', text: '' };
export const TOOL_BLOCK = { type: 'tool_use', id: 't1', name: 'find', input: {} };
