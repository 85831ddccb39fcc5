import type { GroupDocumentation, WebhookDocumentation } from './documentation.ts';
import { toPascalCase } from './error-format.ts';
import type { Components, Json } from './openapi-schemas.ts';

/** The section `webhooks` of a document: the requests that the service sends, by name. */
export function toWebhooks({ webhooks = {} }: GroupDocumentation, components: Components): Json {
  return Object.fromEntries(
    Object.entries(webhooks).map(([name, webhook]) => [
      name,
      { post: toWebhook(webhook, components) },
    ]),
  );
}

function toWebhook(webhook: WebhookDocumentation, components: Components): Json {
  const { operationId, summary, description, tag, headers, schema, example, response } = webhook;
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    security: [],
    parameters: Object.entries(headers).map(([name, { description, isRequired }]) =>
      components.refer('parameters', toPascalCase(name.replaceAll('-', '_')), () => ({
        name,
        in: 'header',
        required: isRequired,
        description,
        schema: { type: 'string' },
      })),
    ),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: components.toSchema(schema, 'output'), example } },
    },
    responses: { '2XX': { description: response } },
  };
}
