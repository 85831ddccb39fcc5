import type { IncomingHttpHeaders } from 'node:http';
import type { Endpoint } from '@probity/core/koa';
import { endpoint } from '@probity/core/koa';
import { z } from 'zod';
import type { ModelRoute } from '../proxy/model-routes.ts';
import { ALL_MODELS, createModelRoutes } from '../proxy/model-routes.ts';
import { ANTHROPIC, OPENAI } from '../proxy/protocols.ts';
import { faultOf, proxyError } from '../proxy/proxy-error.ts';
import type { EntranceParts } from './entrance.ts';

/** The members that all endpoints of the model proxy share. */
export function sharedDeclaration({ scanner }: EntranceParts) {
  return {
    tag: 'Models',
    permission: 'scans:create',
    rateLimit: scanner.snapshot.config.rate_limiting.enabled ? 'general' : 'none',
    unknownQuery: 'ignore',
  } as const;
}

/** How many models Anthropic lists where the request does not say, and at most. */
const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1_000;

const openAiModel = z.strictObject({
  id: z.string(),
  object: z.literal('model'),
  created: z.int(),
  owned_by: z.string(),
});
const anthropicModel = z.strictObject({
  type: z.literal('model'),
  id: z.string(),
  display_name: z.string(),
  created_at: z.string(),
});
const id = z.string().nullable();
const openAiList = z.strictObject({ object: z.literal('list'), data: z.array(openAiModel) });
const anthropicList = z.strictObject({
  data: z.array(anthropicModel),
  has_more: z.boolean(),
  first_id: id,
  last_id: id,
});
const refused = z.looseObject({ error: z.looseObject({}) });
const page = z.object({
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT),
  after_id: z.string().optional(),
  before_id: z.string().optional(),
});

type AnthropicModel = z.infer<typeof anthropicModel>;

/** The models that are on, as OpenAI lists them, and for clients of Anthropic as Anthropic does. */
export function modelEndpoints(parts: EntranceParts): readonly Endpoint[] {
  const { snapshot } = parts.scanner;
  const { loadedAt } = snapshot;
  const created = Math.floor(loadedAt.getTime() / 1_000);
  const routes = createModelRoutes(snapshot.config);
  const openAiModelOf = ({ modelId, providerId }: ModelRoute) => {
    return { id: modelId, object: 'model' as const, created, owned_by: providerId };
  };
  const anthropicModelOf = ({ modelId }: ModelRoute): AnthropicModel => {
    const created_at = loadedAt.toISOString();
    return { type: 'model', id: modelId, display_name: modelId, created_at };
  };
  const listed = routes.all.filter(({ modelId, provider }) => {
    return modelId !== ALL_MODELS && provider.base_url !== undefined;
  });
  const models = listed.map(openAiModelOf);
  const anthropicModels = listed.map(anthropicModelOf);
  const tokenHeaders = [ANTHROPIC.tokenHeader, OPENAI.tokenHeader];
  const shared = { ...sharedDeclaration(parts), method: 'GET', tokenHeaders } as const;
  return [
    endpoint({
      ...shared,
      path: '/models',
      operationId: 'listModels',
      summary: 'List the models that may be called',
      query: page,
      responses: {
        200: { description: 'The models', schema: z.union([openAiList, anthropicList]) },
      },
      async handler({ headers, query, reply }) {
        if (isOfAnthropic(headers)) return reply(200, pageOf(anthropicModels, query));
        return reply(200, { object: 'list', data: models });
      },
    }),
    endpoint({
      ...shared,
      path: '/models/{model}',
      operationId: 'getModel',
      summary: 'Get a model that may be called',
      params: z.strictObject({ model: z.string() }),
      responses: {
        200: { description: 'The model', schema: z.union([openAiModel, anthropicModel]) },
        404: { description: 'There is no such model', schema: refused },
      },
      async handler({ context, headers, params, reply }) {
        const isAnthropic = isOfAnthropic(headers);
        const home = isAnthropic ? ANTHROPIC.home : undefined;
        const route =
          listed.find(({ modelId }) => modelId === params.model) ?? routes.find(params.model, home);
        if (route?.provider.base_url !== undefined) {
          return reply(200, isAnthropic ? anthropicModelOf(route) : openAiModelOf(route));
        }
        const message = 'There is no such model, or it is not enabled.';
        const error = proxyError({ status: 404, message, code: 'model_not_found', param: 'model' });
        const { errorBody } = isAnthropic ? ANTHROPIC : OPENAI;
        return reply(404, errorBody(faultOf(error, 404), context.requestId) as never);
      },
    }),
  ];
}

/** Clients of Anthropic name the version of its interface, or send their key as it asks for. */
function isOfAnthropic(headers: IncomingHttpHeaders): boolean {
  return headers['anthropic-version'] !== undefined || headers[ANTHROPIC.tokenHeader] !== undefined;
}

/** A page of a list of Anthropic. */
function pageOf(models: readonly AnthropicModel[], query: z.infer<typeof page>) {
  const { limit, after_id: after, before_id: before } = query;
  const from = after === undefined ? 0 : models.findIndex((each) => each.id === after) + 1;
  const last = models.findIndex((each) => each.id === before);
  const end = last < 0 ? models.length : last;
  const start = before === undefined ? from : Math.max(0, end - limit);
  const data = models.slice(start, Math.min(end, start + limit));
  return {
    data,
    has_more: before === undefined ? start + data.length < end : start > 0,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  };
}
