import type { Endpoint, Members, ServerSentEvent } from '@probity/pipeline/protocols';
import { CHAT, createEventReader, MESSAGES, RESPONSES } from '@probity/pipeline/protocols';
import { EMBEDDINGS } from './embeddings.ts';
import { ANTHROPIC_PROVIDER } from './model-routes.ts';
import type { ProxyFault } from './proxy-error.ts';
import { MOST_TOKENS } from './usage.ts';

/** A place at which an interface is served. */
export interface ProxyMount {
  readonly prefix: string;
  readonly path: string;
}

/** How much a request lets a model answer. */
interface AnswerLimit {
  readonly answers: number;
  /** Most tokens of an answer, as the request says; 0 where it does not. */
  readonly tokens: number;
  /** Whether the request leaves it open. */
  readonly isOpen: boolean;
}

/** An interface of models that the proxy speaks. */
export interface ProxyProtocol {
  readonly operationId: string;
  readonly summary: string;
  /** Where clients call it. The parameter `deployment` of a path stands for the model. */
  readonly mounts: readonly ProxyMount[];
  /** Below the base address of the provider. */
  readonly path: string;
  readonly endpoint: Endpoint;
  /** The provider that made the interface: it gets the models that no provider lists, if all of its models are on. */
  readonly home?: string;
  /** How the provider is given its API key. */
  readonly credential: 'bearer' | 'x-api-key';
  /** A header in which clients send their key where they send no Authorization. */
  readonly tokenHeader: string;
  /** Headers of the request that are passed on, in lower case: none that choose a use of the gateway's account. */
  readonly headers: readonly string[];
  /** For whom the request is, as it says. */
  userOf(body: Members): string | undefined;
  /** Whether providers store the answers, which clients may ask for by their ids. */
  readonly isStored?: boolean;
  /** How much the request lets the model answer; absent where an interface uses no tokens. */
  answerLimit?(body: Members): AnswerLimit;
  /** The request with the wish that a stream names its tokens; the request itself where it has it, or needs none. */
  askForUsage?(body: Members): Members;
  /** The body of an error. */
  errorBody(fault: ProxyFault, requestId: string): Members;
  /**
   * The event that ends a stream with an error.
   *
   * @param passed what was passed on last: whole events; empty where nothing was
   */
  errorEvent(fault: ProxyFault, requestId: string, passed: string): ServerSentEvent;
}

/** The numbers that a request names, those within texts as well, which lenient servers read. */
function numbersIn(body: Members, names: readonly string[]): number[] {
  return names
    .map((name) => body[name])
    .filter((each) => typeof each === 'number' || typeof each === 'string')
    .map((each) => Math.min(MOST_TOKENS, Number(each)))
    .filter((each) => !Number.isNaN(each));
}

/** The largest of the limits that a request names counts. Servers take 0 and -1 for no limit. */
function limitOf(
  body: Members,
  names: readonly string[],
  answerNames: readonly string[] = [],
): AnswerLimit {
  const given = numbersIn(body, names);
  return {
    answers: Math.max(1, ...numbersIn(body, answerNames)),
    tokens: Math.max(0, ...given),
    isOpen: given.length === 0 || given.some((each) => each <= 0),
  };
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

/** What the interfaces of OpenAI have in common. */
export const OPENAI = {
  credential: 'bearer',
  tokenHeader: 'api-key',
  headers: [],
  userOf: ({ user }: Members) => (typeof user === 'string' ? user : undefined),
  errorBody: openAiError,
} as const satisfies Partial<ProxyProtocol>;

/** Errors of Anthropic's interface, by their status. */
const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

/** The type of a block stays, so that clients can tell it apart. */
function anthropicError(fault: ProxyFault, requestId: string) {
  const { status, violation } = fault;
  const { error, ...rest } = openAiError(fault, requestId);
  const { request_id, ...said } = error;
  const own = status >= 500 ? 'api_error' : 'invalid_request_error';
  const type = violation === undefined ? (ANTHROPIC_TYPES[status] ?? own) : fault.type;
  return { type: 'error', error: { ...said, type }, request_id, ...rest };
}

/** What the interfaces of Anthropic have in common. */
export const ANTHROPIC = {
  credential: 'x-api-key',
  tokenHeader: 'x-api-key',
  headers: ['anthropic-version'],
  endpoint: MESSAGES,
  home: ANTHROPIC_PROVIDER,
  userOf({ metadata }: Members) {
    const userId = (metadata as Members | null | undefined)?.user_id;
    return typeof userId === 'string' ? userId : undefined;
  },
  errorBody: anthropicError,
  errorEvent: (fault, requestId) => ({
    event: 'error',
    data: JSON.stringify(anthropicError(fault, requestId)),
  }),
} as const satisfies Partial<ProxyProtocol>;

/** The number after that of the last event that has one: those of responses are counted from 0. */
function nextNumber(passed: string): number {
  const reader = createEventReader(passed.length);
  for (const { data } of [...reader.feed(passed), ...reader.end()].reverse()) {
    const number = data === '[DONE]' ? undefined : (JSON.parse(data) as Members).sequence_number;
    if (typeof number === 'number') return number + 1;
  }
  return 0;
}

/** The interfaces that the proxy speaks. */
export const PROTOCOLS: readonly ProxyProtocol[] = [
  {
    ...OPENAI,
    operationId: 'createChatCompletion',
    summary: 'Create a chat completion',
    path: '/chat/completions',
    mounts: [
      { prefix: '/v1', path: '/chat/completions' },
      { prefix: '/openai', path: '/v1/chat/completions' },
      { prefix: '/openai', path: '/deployments/{deployment}/chat/completions' },
    ],
    endpoint: CHAT,
    answerLimit: (body) => limitOf(body, ['max_completion_tokens', 'max_tokens'], ['n', 'best_of']),
    askForUsage(body) {
      const options = body.stream_options as Members | undefined;
      if (body.stream !== true || options?.include_usage === true) return body;
      return { ...body, stream_options: { ...options, include_usage: true } };
    },
    errorEvent: (fault, requestId) => ({
      event: '',
      data: JSON.stringify(openAiError(fault, requestId)),
    }),
  },
  {
    ...OPENAI,
    operationId: 'createResponse',
    summary: 'Create a response',
    path: '/responses',
    mounts: [
      { prefix: '/v1', path: '/responses' },
      { prefix: '/openai', path: '/v1/responses' },
      { prefix: '/openai', path: '/responses' },
    ],
    endpoint: RESPONSES,
    isStored: true,
    answerLimit: (body) => limitOf(body, ['max_output_tokens']),
    errorEvent(fault, requestId, passed) {
      const { message, code, param } = fault;
      const head = { type: 'error', sequence_number: nextNumber(passed), message, code, param };
      const event = { ...head, ...openAiError(fault, requestId) };
      return { event: 'error', data: JSON.stringify(event) };
    },
  },
  {
    ...OPENAI,
    operationId: 'createEmbedding',
    summary: 'Create embeddings',
    path: '/embeddings',
    mounts: [
      { prefix: '/v1', path: '/embeddings' },
      { prefix: '/openai', path: '/v1/embeddings' },
      { prefix: '/openai', path: '/deployments/{deployment}/embeddings' },
    ],
    endpoint: EMBEDDINGS,
    answerLimit: () => ({ answers: 0, tokens: 0, isOpen: false }),
    errorEvent: (fault, requestId) => ({
      event: '',
      data: JSON.stringify(openAiError(fault, requestId)),
    }),
  },
  {
    ...ANTHROPIC,
    operationId: 'createMessage',
    summary: 'Create a message',
    path: '/messages',
    mounts: [{ prefix: '/v1', path: '/messages' }],
    answerLimit: (body) => limitOf(body, ['max_tokens']),
  },
  {
    ...ANTHROPIC,
    operationId: 'countMessageTokens',
    summary: 'Count the tokens of a message',
    path: '/messages/count_tokens',
    mounts: [{ prefix: '/v1', path: '/messages/count_tokens' }],
  },
];
