import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from '@probity/test-support';
import openapiTS, { astToString } from 'openapi-typescript';
import { call, serve } from './support.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

/** Responses that are third-party document formats, not resources. */
const FOREIGN = new Set(['getOpenApiDocument']);

const jsonOf = ({ content }: Content = {}) => content?.['application/json']?.schema;

/** The named schema of a body: itself, the one under `data`, or that of its list items. */
function resourceOf({ $ref, anyOf, properties = {} }: Schema): string | undefined {
  const lists = Object.values(properties).filter(({ type }) => type === 'array');
  const { items } = lists[0] ?? {};
  // Items that are counted for some queries are one of two named schemas.
  const item = items?.$ref ?? items?.anyOf?.[0]?.$ref;
  const named = $ref ?? anyOf?.[0]?.$ref ?? properties.data?.$ref ?? item;
  return named?.replace('#/components/schemas/', '');
}

test('a client generated from the OpenAPI document has a named type for every resource and body', async (t) => {
  const { url } = await serve(t, `sqlite:${temporaryFolder(t).path}/probity.db`);
  const { body: document } = await call(`${url}/openapi.json`, null);
  const types = astToString(await openapiTS(document, { alphabetize: true }));
  const schemas = types.slice(types.indexOf('    schemas: {'), types.indexOf('    responses: {'));
  const paths = Object.values(document.paths) as Array<Record<string, Operation>>;
  const names = new Set<string>();
  for (const { operationId, requestBody, responses } of paths.flatMap((each) =>
    Object.values(each),
  )) {
    if (FOREIGN.has(operationId)) continue;
    const answers = Object.entries(responses).filter(([status]) => status < '300');
    for (const schema of [requestBody, ...answers.map(([, each]) => each)].map(jsonOf)) {
      if (!schema) continue;
      const name = resourceOf(schema);
      assert.ok(name, `${operationId} has a body without a name: ${JSON.stringify(schema)}`);
      assert.match(schemas, new RegExp(`^ {8}${name}: `, 'm'), operationId);
      names.add(name);
    }
  }
  for (const name of ['Organization', 'Member', 'Webhook', 'NewWebhook', 'Alert', 'Scan']) {
    assert.ok(names.has(name), name);
  }
  assert.match(types, /limit\?: number;/);
  assert.doesNotMatch(types, /(limit|offset)\?: string;/);
  for (const name of ['PlatformError', 'GeneralError', 'FieldError']) {
    assert.match(schemas, new RegExp(`^ {8}${name}: `, 'm'));
  }
});

test('the OpenAPI document stays below 2,900 bytes an operation, about a quarter of what it takes without named schemas', async (t) => {
  const { url } = await serve(t, `sqlite:${temporaryFolder(t).path}/probity.db`);
  const text = await (await fetch(`${url}/openapi.json`)).text();
  const { paths, webhooks } = JSON.parse(text) as Record<string, Record<string, object>>;
  const described = [...Object.values(paths ?? {}), ...Object.values(webhooks ?? {})];
  const count = described.flatMap((path) => Object.keys(path)).length;
  assert.ok(text.length / count < 2_900, `${text.length / count} bytes an operation`);
});
