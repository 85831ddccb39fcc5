import { BlockedError } from '../errors.ts';
import type { Violation } from '../policy-types.ts';
import type { ClientGuardOptions } from './answer-guard.ts';
import { createAnswerGuard } from './answer-guard.ts';
import type { Fetch } from './guarded-fetch.ts';
import { ERROR_TYPE, guardFetch } from './guarded-fetch.ts';

/** What the wrappers need of a client of the packages openai and @anthropic-ai/sdk. */
export interface FetchingClient {
  withOptions(options: { readonly fetch: Fetch }): unknown;
}

type MakeError = (status: number, body: unknown, ...rest: unknown[]) => unknown;

/**
 * The same client with a guarded `fetch`, whose calls reject with a BlockedError where a policy blocks.
 *
 * @param owner who is named in errors
 * @param expected what the client must be
 * @throws TypeError for options that do not exist, or a client without `withOptions`
 */
export function guardClient<Client extends FetchingClient>(
  { owner, expected }: { readonly owner: string; readonly expected: string },
  client: Client,
  options: ClientGuardOptions,
): Client {
  if (typeof client?.withOptions !== 'function') {
    throw new TypeError(`${owner}: expected ${expected}.`);
  }
  const { fetch } = client as { readonly fetch?: Fetch };
  const guarded = client.withOptions({
    fetch: guardFetch(createAnswerGuard(owner, options), fetch),
  });
  const { makeStatusError } = guarded as { readonly makeStatusError?: MakeError };
  // Without the method, which is none of the public ones, calls reject with a PermissionDeniedError.
  if (typeof makeStatusError !== 'function') return guarded as Client;
  return Object.assign(guarded as Client, {
    makeStatusError(...[status, body, ...rest]: Parameters<MakeError>) {
      const violation = violationOf(body);
      if (violation !== undefined) return new BlockedError(violation);
      return makeStatusError.call(guarded, status, body, ...rest);
    },
  });
}

function violationOf(body: unknown): Violation | undefined {
  const { error = body } = (body ?? {}) as { readonly error?: unknown };
  const { type, violation } = (error ?? {}) as { readonly type?: unknown; violation?: Violation };
  return type === ERROR_TYPE ? violation : undefined;
}
