import type { Endpoint, Members, ServerSentEvent } from '@probity/pipeline/protocols';
import { CHAT } from '@probity/pipeline/protocols';
import type { ProxyFault } from './proxy-error.ts';

/** An interface of models that the proxy speaks. */
export interface ProxyProtocol {
  readonly operationId: string;
  readonly summary: string;
  /** Below `/v1`, and below the base address of the provider. */
  readonly path: string;
  readonly endpoint: Endpoint;
  /** How the provider is given its API key. */
  readonly credential: 'bearer' | 'x-api-key';
  /** A header in which clients send their key where they send no Authorization. */
  readonly tokenHeader: string;
  /** Headers of the request that are passed on, in lower case. */
  readonly headers: readonly string[];
  /** For whom the request is, as it says. */
  userOf(body: Members): string | undefined;
  /** The body of an error. */
  errorBody(fault: ProxyFault, requestId: string): Members;
  /** The event that ends a stream with an error. */
  errorEvent(fault: ProxyFault, requestId: string): ServerSentEvent;
}

/** Errors of OpenAI's interfaces; of blocks, what governance says as well. */
function openAiError({ message, type, param, code, violation }: ProxyFault, requestId: string) {
  return {
    error: { message, type, param, code, request_id: requestId },
    ...(violation && {
      governance: {
        verdict: 'blocked',
        policy_id: violation.policyId,
        violation_reason: violation.reason,
      },
    }),
  };
}

const OPENAI = {
  credential: 'bearer',
  tokenHeader: 'api-key',
  headers: ['openai-organization', 'openai-project', 'openai-beta'],
  userOf: ({ user }: Members) => (typeof user === 'string' ? user : undefined),
  errorBody: openAiError,
} as const;

/** The interfaces that the proxy speaks. */
export const PROTOCOLS: readonly ProxyProtocol[] = [
  {
    ...OPENAI,
    operationId: 'createChatCompletion',
    summary: 'Create a chat completion',
    path: '/chat/completions',
    endpoint: CHAT,
    errorEvent: (fault, requestId) => ({
      event: '',
      data: JSON.stringify(openAiError(fault, requestId)),
    }),
  },
];
