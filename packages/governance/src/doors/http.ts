import type { Endpoint } from '@probity/core/koa';
import { endpoint } from '@probity/core/koa';
import type { z } from 'zod';
import { noteDigits, withDigitsOf } from '../scans/number-digits.ts';
import {
  agentgatewayChoices,
  agentgatewayPromptAnswer,
  agentgatewayPrompts,
  agentgatewayRequest,
  agentgatewayResponse,
  agentgatewayResponseAnswer,
} from './agentgateway.ts';
import type { Doors } from './doors.ts';
import { litellm, litellmAnswer, litellmRequest } from './litellm.ts';
import {
  moderationAnswer,
  moderationRequest,
  moderationScans,
  moderations,
} from './moderations.ts';
import { portkey, portkeyAnswer, portkeyRequest } from './portkey.ts';
import type { DoorProtocol } from './types.ts';

/** Largest body in bytes, as of a scan. */
const BODY_LIMIT = 10_485_760;

/** The endpoint of a gateway's protocol. */
interface Door<Body, Answer> {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** The header in which the gateway sends its key; default Authorization alone. */
  readonly tokenHeaders?: readonly string[];
  readonly protocol: DoorProtocol<Body, Answer>;
  readonly body: z.ZodType<Body>;
  readonly answer: z.ZodType<Answer>;
  /** Scans of a request; default one. */
  unitsOf?(body: Body): number;
}

/** Declares the endpoints that speak the protocols of gateways: a further gateway is a further row. */
export const doorEndpoints = (doors: Doors): Endpoint[] => [
  toEndpoint(doors, {
    path: '/doors/litellm/beta/litellm_basic_guardrail_api',
    operationId: 'guardLitellm',
    summary: "LiteLLM's Generic Guardrail API",
    description: 'Scans the texts that a LiteLLM proxy sends, before or after the call of a model.',
    tokenHeaders: ['x-api-key'],
    protocol: litellm,
    body: litellmRequest,
    answer: litellmAnswer,
  }),
  toEndpoint(doors, {
    path: '/doors/agentgateway/request',
    operationId: 'guardAgentgatewayRequest',
    summary: "agentgateway's guardrail webhook, before the model is called",
    description: 'Scans the messages of a request.',
    protocol: agentgatewayRequest,
    body: agentgatewayPrompts,
    answer: agentgatewayPromptAnswer,
  }),
  toEndpoint(doors, {
    path: '/doors/agentgateway/response',
    operationId: 'guardAgentgatewayResponse',
    summary: "agentgateway's guardrail webhook, after the model has answered",
    description:
      'Scans the choices of a response; of a stream, part by part as agentgateway sends them.',
    protocol: agentgatewayResponse,
    body: agentgatewayChoices,
    answer: agentgatewayResponseAnswer,
  }),
  toEndpoint(doors, {
    path: '/doors/portkey',
    operationId: 'guardPortkey',
    summary: "Portkey's webhook guardrail",
    description: 'Scans the request before, or the response after the call of a model.',
    protocol: portkey,
    body: portkeyRequest,
    answer: portkeyAnswer,
  }),
  toEndpoint(doors, {
    path: '/doors/openai/v1/moderations',
    operationId: 'createModeration',
    summary: "OpenAI's moderations",
    description:
      'Scans texts and answers as `POST /v1/moderations` of OpenAI does. Each text is a scan and consumes a unit of `gateway_scans`.',
    protocol: moderations,
    body: moderationRequest,
    answer: moderationAnswer,
    unitsOf: moderationScans,
  }),
];

function toEndpoint<Body extends object, Answer extends object>(
  doors: Doors,
  { protocol, body, answer, unitsOf, description, ...door }: Door<Body, Answer>,
): Endpoint {
  return endpoint({
    ...door,
    method: 'POST',
    description: `${description} The answer is 200 whatever is decided, as the protocol says it.`,
    tag: 'Doors',
    permission: 'scans:create',
    rateLimit: 'general',
    quota: 'gateway_scans',
    quotaUnits: (given) => unitsOf?.(given) ?? 1,
    bodyLimit: BODY_LIMIT,
    body,
    noteBody: noteDigits,
    responses: { 200: { description: 'The decision', schema: answer } },
    async handler({ context, body: given, reply }) {
      const decision = await doors.answer(context, protocol, given);
      const like = protocol.likeOf?.(given);
      const json = like && (await withDigitsOf(decision, given, like));
      return reply(200, decision as z.output<typeof answer>, json);
    },
  });
}
