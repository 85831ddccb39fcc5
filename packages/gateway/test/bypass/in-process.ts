import type { Guard } from '@probity/pipeline';
import { BlockedError } from '@probity/pipeline';
import { createGuardedFetch } from '@probity/pipeline/openai';

/** What came of a call. */
export interface Called {
  readonly isBlocked: boolean;
  /** What the model was sent; undefined for nothing. */
  readonly sent: string | undefined;
  /** What the client was given. */
  readonly given: string;
}

/** What a model answers: JSON, or a stream in pieces. */
export type Answered = string | readonly Uint8Array[];

/** Calls a model in this process through the guarded `fetch`, at the speed of the pipeline. */
export async function callModel(
  guard: Guard,
  {
    path,
    body,
    answer,
  }: { readonly path: string; readonly body: string; readonly answer: Answered },
): Promise<Called> {
  let sent: string | undefined;
  const guarded = createGuardedFetch({
    guard,
    async fetch(_, init) {
      sent = String(init?.body);
      return toResponse(answer);
    },
  });
  const response = await guarded(`http://model.test${path}`, { method: 'POST', body });
  let given = '';
  const decoder = new TextDecoder();
  try {
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
      given += decoder.decode(part, { stream: true });
    }
  } catch (error) {
    if (!(error instanceof BlockedError)) throw error;
    return { isBlocked: true, sent, given };
  }
  return { isBlocked: response.status === 403, sent, given };
}

function toResponse(answer: Answered): Response {
  if (typeof answer === 'string') {
    return new Response(answer, { headers: { 'content-type': 'application/json' } });
  }
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of answer) controller.enqueue(piece);
      controller.close();
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}
