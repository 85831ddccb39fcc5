import type { ClientGuardOptions } from './answer-guard.ts';
import type { FetchingClient } from './guarded-client.ts';
import { guardClient } from './guarded-client.ts';

export type { ClientGuardOptions } from './answer-guard.ts';
export { createGuardedFetch, type GuardedFetchOptions } from './guarded-fetch.ts';

const NAMES = {
  owner: 'guardAnthropic',
  expected: 'a client of the package @anthropic-ai/sdk',
} as const;

/**
 * Makes a client of the package @anthropic-ai/sdk that checks what it sends and what it gets: messages, streamed or
 * not, with system text, tools and their calls, and the count of their tokens; other calls are as before. A blocked
 * request is not sent. Where a policy redacts, the redacted text is sent and given.
 *
 * Calls of the client reject with a `BlockedError` where a policy blocks; a stream ends with it.
 *
 * @throws TypeError for options that do not exist, or a client without `withOptions`
 * @example
 * const client = guardAnthropic(new Anthropic());
 */
export function guardAnthropic<Client extends FetchingClient>(
  client: Client,
  options: ClientGuardOptions = {},
): Client {
  return guardClient(NAMES, client, options);
}
