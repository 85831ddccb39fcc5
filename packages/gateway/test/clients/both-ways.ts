import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { TestLifetime } from '@probity/test-support';
import type { ModelAnswer, SentCall } from '../proxy/model-server.ts';
import { providerText, startProxy } from '../proxy/proxy-world.ts';

/** Where a client finds a provider, or the gateway in front of it. */
export interface Address {
  /** Without `/v1`. */
  readonly url: string;
  readonly key: string;
}

/** The models that the tests ask for, by the names that clients look at. */
const MODELS = ['gpt-5', 'gpt-4o', 'claude-sonnet-4-5', 'deepseek-chat'];

/**
 * Runs the same client straight at a provider and through a gateway in its default configuration. Compares the
 * messages that the client makes of the answers, and the requests that the provider gets.
 *
 * @param answers makes the provider's answers of one run
 * @param settings lines of the section `models`
 * @returns the messages of the client
 */
export async function runBothWays<Made>(
  t: TestLifetime,
  answers: () => (call: SentCall) => ModelAnswer,
  run: (address: Address) => Promise<Made>,
  settings = '',
): Promise<Made> {
  const models = (url: string) =>
    providerText(url) +
    MODELS.map((name) => `        ${name}: {enabled: true}\n`).join('') +
    settings;
  const { world, model } = await startProxy(t, { models });
  const runAt = async (address: Address) => {
    model.answer(answers());
    const from = model.calls.length;
    const made = plain(await run(address));
    const sent = model.calls.slice(from).map(({ method, path, body }) => ({ method, path, body }));
    return { made, sent };
  };
  const direct = await runAt({ url: model.url.replace(/\/v1$/, ''), key: 'sk-test' });
  const guarded = await runAt({ url: world.url, key: world.token });
  assert.deepEqual(guarded.made, direct.made);
  assert.deepEqual(guarded.sent, direct.sent);
  assert.ok(direct.sent.length > 0);
  return direct.made as Made;
}

/** The value without methods and undefined members. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** An event with the members of its type. */
export type TypedEvent = Readonly<Record<string, unknown>> & { readonly type: string };

/** Server-sent events that name their types. */
export function withTypes(events: readonly TypedEvent[]): string[] {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

/** A text in parts of `length` units. */
export function parts(text: string, length = 5): string[] {
  return text.match(new RegExp(`[\\s\\S]{1,${length}}`, 'g')) ?? [];
}

/** Bytes in base 64 that look as random as signatures and encrypted texts do, the same ones for the same seed. */
export function sealed(seed: string): string {
  return createHash('shake256', { outputLength: 420 }).update(seed).digest('base64');
}

/** The places that a tool loop asks for, one in each of its steps. */
export const PLACES = ['Rome', 'Oslo "north"', 'Łódź 😀', 'C:\\maps\\x', 'a\nb'] as const;
