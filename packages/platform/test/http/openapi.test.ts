import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryDatabase } from '@probity/core';
import type { EndpointGroup } from '@probity/core/koa';
import {
  createEndpointRouter,
  createOpenApiDocument,
  errorsOf,
  generalErrors,
  openApiEndpoints,
  platformErrors,
  statusEndpoints,
} from '@probity/core/koa';
import { authenticateByRole, serveKoa } from '@probity/core/testing';
import { platformEndpoints } from '../../src/http.ts';
import { createMemoryPlatformStorage } from '../../src/memory.ts';
import { createPlatform } from '../../src/platform.ts';
import { BASE_URL, testRuntime } from '../support.ts';

interface Operation {
  operationId: string;
  security: unknown[];
  parameters: Array<{
    $ref?: string;
    name: string;
    in: string;
    required: boolean;
    schema: object;
  }>;
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, { description: string; content?: object }>;
}

interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  tags: Array<{ name: string }>;
  components: { schemas: Record<string, { properties?: object; required?: string[] }> };
  servers?: Array<{ url: string }>;
}

const database = createMemoryDatabase();
const storage = createMemoryPlatformStorage(database);
const groups: readonly EndpointGroup[] = [
  {
    prefix: '/v1',
    errorFormat: platformErrors,
    endpoints: platformEndpoints(
      createPlatform(testRuntime({ database }), { storage, baseUrl: () => BASE_URL }),
    ),
  },
  { prefix: '/api', errorFormat: generalErrors, endpoints: statusEndpoints([]) },
];

function documentOf(of: readonly EndpointGroup[] = groups): Document {
  const info = { title: 'Probity', version: '1.0.0', servers: ['https://probity.example'] };
  return createOpenApiDocument(info, of) as unknown as Document;
}

test('every endpoint is in the OpenAPI document, under its path and method, with a unique operationId', () => {
  const { paths, openapi, tags, servers } = documentOf();
  assert.equal(openapi, '3.1.0');
  assert.deepEqual(servers, [{ url: 'https://probity.example' }]);
  const names: string[] = [];
  for (const { prefix, endpoints } of groups) {
    for (const { method, path, operationId, tag } of endpoints) {
      const operation = paths[prefix + path]?.[method.toLowerCase()];
      assert.equal(operation?.operationId, operationId);
      assert.ok(tags.some(({ name }) => name === tag));
      names.push(operationId);
    }
  }
  assert.equal(new Set(names).size, names.length);
  const documented = Object.values(paths).flatMap((path) => Object.keys(path));
  assert.equal(documented.length, names.length);
});

test('two endpoints with one operationId are refused', () => {
  const [group] = groups;
  assert.throws(
    () => documentOf([group as EndpointGroup, group as EndpointGroup]),
    /Two endpoints are named/,
  );
});

test('every response of an endpoint is in the OpenAPI document', () => {
  const { paths } = documentOf();
  for (const { prefix, errorFormat, endpoints } of groups) {
    for (const endpoint of endpoints) {
      const operation = paths[prefix + endpoint.path]?.[endpoint.method.toLowerCase()];
      const statuses = new Set(Object.keys(operation?.responses ?? {}));
      for (const status of Object.keys(endpoint.responses)) assert.ok(statuses.has(status));
      for (const kind of errorsOf(endpoint)) {
        const status =
          kind === 'validation_failed' && errorFormat === platformErrors ? 400 : undefined;
        if (status) assert.ok(statuses.has(String(status)));
      }
      const isPublic = endpoint.permission === 'public';
      assert.equal(statuses.has('401'), errorsOf(endpoint).includes('unauthorized'));
      assert.ok(isPublic || statuses.has('401'));
      assert.deepEqual(operation?.security, isPublic ? [] : [{ bearer: [] }, { cookie: [] }]);
    }
  }
});

test('path parameters are required in the OpenAPI document, query parameters with a default are not', () => {
  const list = documentOf().paths['/v1/organizations/{org_id}/api-keys']?.get;
  const facts = list?.parameters.map(({ name, in: place, required }) => [name, place, required]);
  assert.deepEqual(facts, [
    ['org_id', 'path', true],
    ['limit', 'query', false],
    ['offset', 'query', false],
  ]);
});

test('the header Idempotency-Key is in the OpenAPI document where it is read', () => {
  for (const { prefix, endpoints } of groups) {
    for (const { method, path, permission, operationId } of endpoints) {
      const operation = documentOf().paths[prefix + path]?.[method.toLowerCase()];
      const header = operation?.parameters.find(({ $ref }) => $ref !== undefined);
      const isRead = method !== 'GET' && permission !== 'public';
      const reference = isRead ? '#/components/parameters/IdempotencyKey' : undefined;
      assert.equal(header?.$ref, reference, operationId);
      if (isRead) assert.ok(operation?.responses['409'], operationId);
    }
  }
});

test('request bodies in the OpenAPI document have the shape that clients may send', () => {
  const { paths, components } = documentOf();
  const create = paths['/v1/organizations/{org_id}/api-keys']?.post;
  const schema = create?.requestBody?.content['application/json']?.schema;
  assert.deepEqual(schema, { $ref: '#/components/schemas/NewApiKey' });
  const { properties, required } = components.schemas.NewApiKey ?? {};
  assert.deepEqual(Object.keys(properties ?? {}), ['name', 'expires_in_days', 'role']);
  assert.deepEqual(required, ['name']);
});

test('the OpenAPI document is served without an API key', async (t) => {
  const endpoints = openApiEndpoints(() => ({ ...documentOf() }));
  const url = await serveKoa(
    t,
    createEndpointRouter(endpoints, generalErrors, { authenticate: authenticateByRole }),
  );
  const response = await fetch(`${url}/openapi.json`);
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), JSON.parse(JSON.stringify(documentOf())));
});
