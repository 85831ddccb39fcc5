import { contextOf } from '@probity/core';
import { guardStream } from '@probity/pipeline';
import { ask } from '../../lib/model';
import { probity } from '../../lib/probity';
import { callerOf } from '../../lib/sessions';

export async function POST(request: Request): Promise<Response> {
  const caller = callerOf(request.headers.get('cookie') ?? '');
  if (!caller) return new Response(null, { status: 401 });
  const { prompt } = await request.json();
  const guard = probity.services.governance.guard(contextOf(caller)); // stores the exchange
  const replacement = '\nI cannot help with that.';
  const options = { guard, prompt, latency: 'chat', replacement } as const;
  const answer = guardStream(ask(prompt), options)[Symbol.asyncIterator]();
  const body = new ReadableStream<string>({
    async pull(controller) {
      const { done, value } = await answer.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await answer.return?.()),
  });
  return new Response(body.pipeThrough(new TextEncoderStream()));
}
