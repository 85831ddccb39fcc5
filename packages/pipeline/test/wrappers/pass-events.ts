import type { Guard } from '../../src/index.ts';
import { createGuard } from '../../src/index.ts';
import type { Endpoint } from '../../src/protocols.ts';
import { createAnswerGuard } from '../../src/wrappers/answer-guard.ts';

/** The data of an event. */
export type Event = Readonly<Record<string, unknown>>;

/** Gives the data of the events that are passed on of a stream. Rejects where a policy blocks. */
export async function passEvents(
  endpoint: Endpoint,
  events: readonly Event[],
  guard?: Guard,
): Promise<Event[]> {
  const passed = await passData(
    endpoint,
    events.map((event) => JSON.stringify(event)),
    guard,
  );
  return passed.map((data) => JSON.parse(data) as Event);
}

/** The same for data as it is written. */
export async function passData(
  endpoint: Endpoint,
  all: readonly string[],
  guard: Guard = createGuard(),
): Promise<string[]> {
  const call = createAnswerGuard('test', { guard }).open([{ role: 'user', content: 'Hi.' }]);
  const guarded = endpoint.createEvents(call);
  const passed = [];
  for (const data of all) passed.push(...(await guarded.take({ event: '', data })));
  passed.push(...(await guarded.end()));
  return passed.map(({ data }) => data);
}

/** A chunk of a streamed chat completion. */
export const chunkOf = (delta: object, reason: string | null = null): Event => ({
  ...{ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'm' },
  choices: [{ index: 0, delta, finish_reason: reason }],
});
