import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Applicable } from '@probity/governance';
import { createRedactor } from '@probity/pipeline';
import type { Restoration } from '@probity/pipeline/protocols';
import { keepReplaced, restoreReplaced } from '@probity/pipeline/protocols';
import type { GatewaySnapshot } from '../snapshot/snapshot.ts';

/** By what a call is judged, and what becomes of personal data in it. One for each call. */
export interface CallTreatment extends Restoration {
  readonly policies: readonly Applicable[];
}

/** Who called, and with what. */
export interface RestorationRequest {
  /** The API key as it was sent; null for a request without one. */
  readonly token: string | null;
  /** The messages of the request. */
  readonly asked: readonly object[];
}

/** The bearer token of a request as it was sent. */
export function tokenIn({ authorization = '' }: IncomingHttpHeaders): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1];
}

/** Separates the key of tokens from everything else that is made of an API key. */
const PURPOSE = 'probity-gateway tokens 1';

/** Chooses how personal data of a call is treated, by `models.redact`: it blocks, or it is replaced. */
export function chooseRestoration(
  { config, policies }: GatewaySnapshot,
  request: RestorationRequest,
): CallTreatment {
  switch (config.models.redact) {
    case 'off':
      return { policies: policies.blocking, ...keepReplaced(createRedactor()) };
    case 'mask':
      return { policies: policies.redacting, ...keepReplaced(createRedactor()) };
    case 'reversible': {
      const key = tokenKey(request);
      return {
        policies: policies.redacting,
        ...restoreReplaced(createRedactor({ style: 'token', key }), key !== undefined),
      };
    }
  }
}

/**
 * The secret that the tokens of a conversation are made with: of the caller's API key, which no model knows and
 * every worker is sent, and of what the conversation begins with. Nothing is kept, and a conversation has the same
 * tokens at each of its turns. Without an API key tokens are chance, other ones for each request.
 */
function tokenKey({ token, asked }: RestorationRequest): Uint8Array | undefined {
  if (token === null) return undefined;
  const first = asked.find((message) => (message as { readonly role?: unknown }).role === 'user');
  const beginning = createHash('sha256')
    .update(JSON.stringify(first ?? null))
    .digest();
  return createHmac('sha256', token).update(PURPOSE).update(beginning).digest();
}
