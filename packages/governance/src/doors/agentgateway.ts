import { runInTurns } from '@probity/pipeline/messages';
import { z } from 'zod';
import type { Slot } from './slots.ts';
import { requestSlots, responseSlots, withMessages } from './slots.ts';
import type { DoorOutcome, DoorProtocol } from './types.ts';

const message = z.looseObject({ role: z.string(), content: z.string() });

const prompts = z.looseObject({ messages: z.array(message) });
const choices = z.looseObject({ choices: z.array(z.looseObject({ message })) });

/** agentgateway's request before the model is called. */
export const agentgatewayPrompts = z
  .looseObject({ body: prompts })
  .meta({ id: 'AgentgatewayPromptRequest' });

/** agentgateway's request with what the model has answered. */
export const agentgatewayChoices = z
  .looseObject({ body: choices })
  .meta({ id: 'AgentgatewayResponseRequest' });

const reason = z.string().optional();

/** Ordered as agentgateway tells them apart: by their members alone. */
const answerOf = <Body extends z.ZodType>(body: Body, id: string) =>
  z
    .strictObject({
      action: z.union([
        z
          .strictObject({ body, reason })
          .describe('Passes on this content in place of the given one.'),
        z
          .strictObject({ body: z.string(), status_code: z.int(), reason })
          .describe('Answers the client with this text and status.'),
        z.strictObject({ reason }).describe('Passes on the content as it is.'),
      ]),
    })
    .meta({ id });

/** The answers to agentgateway's requests. */
export const agentgatewayPromptAnswer = answerOf(prompts, 'AgentgatewayPromptAnswer');
export const agentgatewayResponseAnswer = answerOf(choices, 'AgentgatewayResponseAnswer');

type Prompts = z.infer<typeof agentgatewayPrompts>;
type Choices = z.infer<typeof agentgatewayChoices>;

/**
 * agentgateway's guardrail webhook before the model is called: `POST /request` of
 * https://agentgateway.dev/docs/standalone/latest/llm/prompt-guards/webhooks/, as of 2026-10-01 (v1.6).
 */
export const agentgatewayRequest: DoorProtocol<
  Prompts,
  z.infer<typeof agentgatewayPromptAnswer>
> = {
  name: 'agentgateway',
  *read({ body }) {
    return requestOf(body, yield* requestSlots(body));
  },
  likeOf: (action) => ({ action }),
};

/** The same for what the model has answered: `POST /response`. */
export const agentgatewayResponse: DoorProtocol<
  Choices,
  z.infer<typeof agentgatewayResponseAnswer>
> = {
  name: 'agentgateway',
  *read({ body }) {
    return requestOf(body, yield* responseSlots(body));
  },
  likeOf: (action) => ({ action }),
};

function requestOf<Body>(body: Body, slots: readonly Slot[]) {
  return {
    scans: [{ messages: slots.map(({ message }) => message), metadata: {} }],
    write: async ([outcome]: readonly DoorOutcome[]) => ({
      action: await toAction(body, slots, outcome),
    }),
  };
}

async function toAction<Body>(body: Body, slots: readonly Slot[], outcome?: DoorOutcome) {
  const { blocked = null, masked = null } = outcome ?? {};
  if (blocked) return { body: `Blocked by policy: ${blocked}`, status_code: 403, reason: blocked };
  if (!masked) return {};
  return {
    body: await runInTurns(withMessages(body, slots, masked)),
    reason: 'A policy redacts a part of the content.',
  };
}
