import type { TypedEvent } from './both-ways.ts';
import { parts, sealed, withTypes } from './both-ways.ts';

type Item = TypedEvent & { readonly id: string };

/** A response of OpenAI's Responses interface with all members that the provider sends. */
export function responseOf(id: string, output: readonly object[], status = 'completed'): object {
  return {
    ...{
      id,
      object: 'response',
      created_at: 1_760_000_000,
      status,
      background: false,
      error: null,
    },
    ...{
      incomplete_details: null,
      instructions: null,
      max_output_tokens: null,
      max_tool_calls: null,
    },
    ...{ model: 'gpt-5-2025-08-07', output, parallel_tool_calls: true, previous_response_id: null },
    ...{ prompt_cache_key: null, reasoning: { effort: 'medium', summary: 'auto' } },
    ...{ safety_identifier: null, service_tier: 'default', store: true, temperature: 1 },
    text: { format: { type: 'text' }, verbosity: 'medium' },
    ...{ tool_choice: 'auto', tools: [], top_logprobs: 0, top_p: 1, truncation: 'disabled' },
    usage: {
      ...{ input_tokens: 36, input_tokens_details: { cached_tokens: 0 }, output_tokens: 87 },
      ...{ output_tokens_details: { reasoning_tokens: 64 }, total_tokens: 123 },
    },
    ...{ user: null, metadata: {} },
  };
}

/** The reasoning of a model, as a summary and encrypted. */
export function reasoningItem(id: string, summary: string): Item {
  const encrypted_content = sealed(id);
  return {
    id,
    type: 'reasoning',
    encrypted_content,
    summary: [{ type: 'summary_text', text: summary }],
  };
}

/** A call of a function. */
export function callItem(id: string, name: string, input: object): Item {
  const call = { call_id: `call_${id}`, name, arguments: JSON.stringify(input) };
  return { id: `fc_${id}`, type: 'function_call', status: 'completed', ...call };
}

/** A message with a text and a citation. */
export function messageItem(id: string, text: string): Item {
  const annotations = [
    {
      type: 'url_citation',
      start_index: 0,
      end_index: 8,
      url: 'https://maps.example/rome?q=a%20b',
      title: 'Rome',
    },
  ];
  const content = [{ type: 'output_text', annotations, logprobs: [], text }];
  return { id, type: 'message', status: 'completed', content, role: 'assistant' };
}

/** The events in which a response comes. */
export function responseEvents(id: string, output: readonly Item[]): string[] {
  const begun = responseOf(id, [], 'in_progress');
  return withTypes(
    [
      { type: 'response.created', response: begun },
      { type: 'response.in_progress', response: begun },
      ...output.flatMap((item, at) => eventsOfItem(item, at)),
      { type: 'response.completed', response: responseOf(id, output) },
    ].map((event, sequence_number) => ({ ...event, sequence_number })),
  );
}

function eventsOfItem(item: Item, output_index: number): TypedEvent[] {
  const at = { item_id: item.id, output_index };
  const begun = { ...item, ...(item.status === undefined ? {} : { status: 'in_progress' }) };
  const added = (empty: object) => ({
    type: 'response.output_item.added',
    output_index,
    item: { ...begun, ...empty },
  });
  const done = { type: 'response.output_item.done', output_index, item };
  if (item.type === 'function_call') {
    const given = String(item.arguments);
    const of = 'response.function_call_arguments';
    return [
      added({ arguments: '' }),
      ...parts(given).map((delta) => ({ type: `${of}.delta`, ...at, delta, obfuscation: 'x7Kp' })),
      { type: `${of}.done`, ...at, arguments: given },
      done,
    ];
  }
  if (item.type === 'reasoning') {
    const [{ text }] = item.summary as [{ text: string }];
    const place = { ...at, summary_index: 0 };
    const of = 'response.reasoning_summary';
    return [
      added({ summary: [] }),
      { type: `${of}_part.added`, ...place, part: { type: 'summary_text', text: '' } },
      ...parts(text).map((delta) => ({
        type: `${of}_text.delta`,
        ...place,
        delta,
        obfuscation: 'aB3',
      })),
      { type: `${of}_text.done`, ...place, text },
      { type: `${of}_part.done`, ...place, part: { type: 'summary_text', text } },
      done,
    ];
  }
  const [part] = item.content as [{ text: string; annotations: object[] }];
  const place = { ...at, content_index: 0 };
  return [
    added({ content: [] }),
    { type: 'response.content_part.added', ...place, part: { ...part, text: '', annotations: [] } },
    ...parts(part.text).map((delta) => ({
      ...{ type: 'response.output_text.delta', ...place, delta, logprobs: [], obfuscation: 'q' },
    })),
    ...part.annotations.map((annotation, annotation_index) => ({
      ...{ type: 'response.output_text.annotation.added', ...place, annotation_index, annotation },
    })),
    { type: 'response.output_text.done', ...place, text: part.text, logprobs: [] },
    { type: 'response.content_part.done', ...place, part },
    done,
  ];
}
