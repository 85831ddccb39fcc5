/** A chat completion with one choice for each message. */
export function chatAnswer(...messages: (string | object)[]): object {
  const choices = messages.map((message, index) => ({
    index,
    message: {
      role: 'assistant',
      ...(typeof message === 'string' ? { content: message } : message),
    },
    finish_reason: 'stop',
  }));
  const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
  return { id: 'c', object: 'chat.completion', created: 1, model: 'm', choices, usage };
}

/** The events of a streamed chat completion. */
export function chatEvents(deltas: readonly object[], reason = 'stop'): string[] {
  const chunk = (delta: object, finish: string | null) => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    const rest = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' };
    return `data: ${JSON.stringify({ ...rest, choices })}\n\n`;
  };
  const first = chunk({ role: 'assistant', content: '' }, null);
  const all = deltas.map((delta) => chunk(delta, null));
  return [first, ...all, chunk({}, reason), 'data: [DONE]\n\n'];
}

/** A text in deltas of some letters, cut anywhere, within surrogate pairs as well. */
export function inDeltas(text: string, length = 4): object[] {
  const count = Math.ceil(text.length / length);
  return Array.from({ length: count }, (_, at) => ({
    content: text.slice(at * length, (at + 1) * length),
  }));
}
