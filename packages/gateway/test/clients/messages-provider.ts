import type { TypedEvent } from './both-ways.ts';
import { parts, withTypes } from './both-ways.ts';

const USAGE = {
  ...{ input_tokens: 2095, cache_creation_input_tokens: 0, cache_read_input_tokens: 1408 },
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  ...{ output_tokens: 503, service_tier: 'standard' },
};

const reasonOf = (content: readonly TypedEvent[]) =>
  content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';

/** A whole message of Anthropic's interface. */
export function wholeMessage(id: string, content: readonly TypedEvent[]): object {
  return {
    ...{
      id: `msg_${id}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5-20250929',
      content,
    },
    ...{ stop_reason: reasonOf(content), stop_sequence: null, usage: USAGE },
  };
}

/** The events in which it comes. */
export function messageStream(id: string, content: readonly TypedEvent[]): string[] {
  const begun = {
    ...wholeMessage(id, []),
    stop_reason: null,
    usage: { ...USAGE, output_tokens: 1 },
  };
  return withTypes([
    { type: 'message_start', message: begun },
    ...content.flatMap((block, index) => {
      const { start, deltas } = deltasOf(block);
      return [
        { type: 'content_block_start', index, content_block: start },
        ...(index === 0 ? [{ type: 'ping' }] : []),
        ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ];
    }),
    {
      type: 'message_delta',
      delta: { stop_reason: reasonOf(content), stop_sequence: null },
      usage: { output_tokens: 503 },
    },
    { type: 'message_stop' },
  ]);
}

function deltasOf(block: TypedEvent): {
  readonly start: object;
  readonly deltas: readonly object[];
} {
  const each = (type: string, name: string, text: unknown) =>
    parts(String(text)).map((part) => ({ type, [name]: part }));
  switch (block.type) {
    case 'thinking':
      return {
        start: { ...block, thinking: '', signature: '' },
        deltas: [
          ...each('thinking_delta', 'thinking', block.thinking),
          { type: 'signature_delta', signature: block.signature },
        ],
      };
    case 'text': {
      const citations = (block.citations ?? []) as readonly object[];
      return {
        start: { type: 'text', text: '', ...(block.citations ? { citations: [] } : {}) },
        deltas: [
          ...citations.map((citation) => ({ type: 'citations_delta', citation })),
          ...each('text_delta', 'text', block.text),
        ],
      };
    }
    case 'tool_use':
    case 'server_tool_use':
      return {
        start: { ...block, input: {} },
        deltas: [
          { type: 'input_json_delta', partial_json: '' },
          ...each('input_json_delta', 'partial_json', JSON.stringify(block.input)),
        ],
      };
    default:
      return { start: block, deltas: [] };
  }
}
