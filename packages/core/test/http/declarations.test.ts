import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import type { Plan } from '../../src/contract/plans.ts';
import { PLANS } from '../../src/contract/plans.ts';
import { ProbityError } from '../../src/errors.ts';
import type { AuthenticationRequest } from '../../src/http/authentication.ts';
import { endpoint, stream } from '../../src/http/endpoint.ts';
import { generalErrors, scimErrors } from '../../src/http/error-format.ts';
import { createOpenApiDocument } from '../../src/http/openapi.ts';
import { as, authenticateByRole, serveKoa } from '../../src/testing/http.ts';
import { errorOf, sampleRouter } from './sample.ts';

const shared = {
  method: 'GET',
  path: '/things',
  operationId: 'getThings',
  summary: 'Get',
  tag: 'Things',
  permission: 'alerts:read',
  rateLimit: 'general',
} as const;
const nothing = { 204: { description: 'Nothing' } } as const;

/** A part of a document that a test looks into. */
// biome-ignore lint/suspicious/noExplicitAny: assertions read many shapes
type Loose = any;

function operationOf(...endpoints: Parameters<typeof createOpenApiDocument>[1][0]['endpoints']) {
  const group = { prefix: '', errorFormat: generalErrors, endpoints };
  const document = createOpenApiDocument({ title: 'T', version: '1' }, [group]) as Loose;
  return { document, operation: document.paths['/things'].get ?? document.paths['/things'].post };
}

test('an endpoint with a plan answers 403 naming it below that plan, and documents it', async (t) => {
  const declared = endpoint({
    ...shared,
    plan: 'professional',
    responses: nothing,
    handler: async ({ reply }) => reply(204),
  });
  const statusOf = async (plan: Plan) => {
    const authenticate = async (request: AuthenticationRequest) => {
      const principal = await authenticateByRole(request);
      return principal && { ...principal, plan };
    };
    const url = await serveKoa(t, sampleRouter({ authenticate }, generalErrors, [declared]));
    const response = await fetch(`${url}/things`, { headers: as('owner') });
    if (response.status === 403) {
      const { message } = await errorOf(response);
      assert.match(
        message,
        new RegExp(`plan professional or a higher one; .* the plan ${plan}\\.`),
      );
    }
    return response.status;
  };
  const statuses = [];
  for (const plan of PLANS) statuses.push(await statusOf(plan));
  assert.deepEqual(statuses, [403, 403, 204, 204]);
  const { operation } = operationOf(declared);
  assert.equal(operation['x-plan'], 'professional');
  assert.equal(operation.description, 'Needs the plan professional or a higher one.');
});

test('declared headers are validated, typed, and documented as parameters', async (t) => {
  const declared = endpoint({
    ...shared,
    headers: z.strictObject({
      'if-match': z
        .string()
        .regex(/^W?\/?"/, 'must be an entity tag')
        .optional(),
    }),
    errors: ['precondition_failed'],
    responses: { 200: { description: 'The header', schema: z.string().nullable() } },
    async handler({ headers, reply }) {
      const tag = headers['if-match'];
      if (tag === '"old"') throw new ProbityError('precondition_failed');
      return reply(200, tag ?? null);
    },
  });
  const url = await serveKoa(t, sampleRouter({}, generalErrors, [declared]));
  const get = (tag?: string) =>
    fetch(`${url}/things`, { headers: as('owner', tag === undefined ? {} : { 'If-Match': tag }) });
  assert.equal(await (await get('"v1"')).json(), '"v1"');
  assert.equal(await (await get()).json(), null);
  const bad = await get('v1');
  assert.equal(bad.status, 422);
  assert.deepEqual((await errorOf(bad)).details, [
    { field: 'if-match', message: 'must be an entity tag' },
  ]);
  const failed = await get('"old"');
  assert.equal(failed.status, 412);
  assert.equal((await errorOf(failed)).code, 'PRECONDITION_FAILED');
  const { operation } = operationOf(declared);
  const [parameter] = operation.parameters;
  assert.deepEqual(
    [parameter.name, parameter.in, parameter.required],
    ['if-match', 'header', false],
  );
  assert.ok(operation.responses['412']);
});

test('a header that is not declared in lower case is refused when the router is made', () => {
  const declared = endpoint({
    ...shared,
    headers: z.strictObject({ 'If-Match': z.string() }),
    responses: nothing,
    handler: async ({ reply }) => reply(204),
  });
  assert.throws(() => sampleRouter({}, generalErrors, [declared]), /getThings .* If-Match/);
});

test('a deprecated endpoint is marked in every response, errors included, and in the document', async (t) => {
  const declared = endpoint({
    ...shared,
    deprecation: {
      since: '2026-01-01T00:00:00Z',
      sunset: '2027-01-01T00:00:00Z',
      link: 'https://probity.example/changes',
    },
    responses: nothing,
    handler: async ({ reply }) => reply(204),
  });
  const url = await serveKoa(t, sampleRouter({}, generalErrors, [declared]));
  for (const [headers, status] of [
    [as('owner'), 204],
    [{}, 401],
  ] as const) {
    const response = await fetch(`${url}/things`, { headers });
    assert.equal(response.status, status);
    assert.equal(response.headers.get('deprecation'), '@1767225600');
    assert.equal(response.headers.get('sunset'), 'Fri, 01 Jan 2027 00:00:00 GMT');
    assert.equal(
      response.headers.get('link'),
      '<https://probity.example/changes>; rel="deprecation"; type="text/html"',
    );
  }
  const { operation } = operationOf(declared);
  assert.equal(operation.deprecated, true);
  assert.match(operation.description, /ends at 2027-01-01/);
});

test('an alias answers like its endpoint, and is a separate operation', async (t) => {
  const declared = endpoint({
    ...shared,
    method: 'POST',
    permission: 'webhooks:write',
    aliases: ['/things/create-one'],
    responses: nothing,
    handler: async ({ reply }) => reply(204),
  });
  const url = await serveKoa(t, sampleRouter({}, generalErrors, [declared]));
  for (const path of ['/things', '/things/create-one']) {
    const response = await fetch(url + path, { method: 'POST', headers: as('owner') });
    assert.equal(response.status, 204, path);
  }
  const { document, operation } = operationOf(declared);
  const alias = document.paths['/things/create-one'].post;
  assert.equal(operation.operationId, 'getThings');
  assert.equal(alias.operationId, 'getThingsAtThingsCreateOne');
  assert.equal(alias.summary, 'Get (alias of POST /things)');
  assert.equal(alias.deprecated, undefined);
});

test("unknownQuery 'ignore' skips unknown query parameters but not declared ones", async (t) => {
  const declared = endpoint({
    ...shared,
    query: z.strictObject({ count: z.string().regex(/^\d+$/, 'must be digits').optional() }),
    unknownQuery: 'ignore',
    responses: { 200: { description: 'The count', schema: z.string().nullable() } },
    handler: async ({ query, reply }) => reply(200, query.count ?? null),
  });
  const url = await serveKoa(t, sampleRouter({}, generalErrors, [declared]));
  const get = (query: string) => fetch(`${url}/things?${query}`, { headers: as('owner') });
  assert.equal(await (await get('count=5&other=1&other=2&x=%00')).json(), '5');
  assert.equal(await (await get('other=1')).json(), null);
  assert.equal((await get('count=x')).status, 422);
  assert.equal((await get('count=1&count=2')).status, 400);
});

test('an interface accepts and answers the media types of its error format', async (t) => {
  const declared = endpoint({
    ...shared,
    method: 'POST',
    permission: 'webhooks:write',
    body: z.strictObject({ name: z.string() }),
    responses: { 200: { description: 'The name', schema: z.strictObject({ name: z.string() }) } },
    handler: async ({ body, reply }) => reply(200, body),
  });
  const url = await serveKoa(t, sampleRouter({}, scimErrors, [declared]));
  const post = (type?: string) =>
    fetch(`${url}/things`, {
      method: 'POST',
      headers: as('owner', type === undefined ? {} : { 'content-type': type }),
      // Bytes, to which fetch adds no type of its own.
      body: new TextEncoder().encode('{"name":"a"}'),
    });
  for (const type of ['application/scim+json', 'application/json; charset=utf-8', undefined]) {
    const response = await post(type);
    assert.equal(response.status, 200, type);
    assert.match(response.headers.get('content-type') ?? '', /^application\/scim\+json/);
  }
  const refused = await post('text/plain');
  assert.equal(refused.status, 415);
  const { detail } = (await refused.json()) as { detail: string };
  assert.match(detail, /must be application\/scim\+json or application\/json, not text\/plain/);
  const group = { prefix: '', errorFormat: scimErrors, endpoints: [declared] };
  const document = createOpenApiDocument({ title: 'T', version: '1' }, [group]) as Loose;
  const { requestBody, responses } = document.paths['/things'].post;
  assert.deepEqual(Object.keys(requestBody.content), ['application/scim+json', 'application/json']);
  assert.deepEqual(Object.keys(responses['200'].content), ['application/scim+json']);
});

test('an endpoint may declare its own request and response media types', async (t) => {
  const declared = endpoint({
    ...shared,
    method: 'POST',
    permission: 'webhooks:write',
    accepts: ['application/merge-patch+json'],
    body: z.strictObject({}),
    responses: {
      200: { description: 'A', schema: z.strictObject({}), mediaType: 'application/jose+json' },
    },
    handler: async ({ reply }) => reply(200, {}),
  });
  const url = await serveKoa(t, sampleRouter({}, generalErrors, [declared]));
  const headers = as('owner', { 'content-type': 'application/merge-patch+json' });
  const response = await fetch(`${url}/things`, { method: 'POST', headers, body: '{}' });
  assert.equal(response.headers.get('content-type'), 'application/jose+json');
  assert.deepEqual(await response.json(), {});
  const { operation } = operationOf(declared);
  assert.deepEqual(Object.keys(operation.requestBody.content), ['application/merge-patch+json']);
  assert.deepEqual(Object.keys(operation.responses['200'].content), ['application/jose+json']);
});

test('a streamed body and a streamed answer are documented by their media types, without a key', () => {
  const declared = endpoint({
    ...shared,
    method: 'POST',
    permission: 'webhooks:write',
    body: stream({ types: ['text/csv'], limit: 10 }),
    responses: { 200: { description: 'Events', mediaType: 'text/event-stream' } },
    handler: async ({ body, reply }) => reply.stream('text/event-stream', body),
  });
  const { operation } = operationOf(declared);
  assert.deepEqual(operation.requestBody, {
    required: true,
    content: { 'text/csv': { schema: {} } },
  });
  assert.deepEqual(operation.responses['200'].content, { 'text/event-stream': { schema: {} } });
  assert.deepEqual(operation.parameters, []);
});

test('the reason of an error overrides the scimType of its kind', async (t) => {
  const cases = [
    ['validation_failed', undefined, 400, 'invalidValue'],
    ['validation_failed', 'noTarget', 400, 'noTarget'],
    ['already_exists', undefined, 409, 'uniqueness'],
    ['conflict', undefined, 409, undefined],
    ['conflict', 'mutability', 409, 'mutability'],
    ['precondition_failed', undefined, 412, undefined],
    ['not_implemented', undefined, 501, undefined],
  ] as const;
  for (const [kind, reason, status, scimType] of cases) {
    const declared = endpoint({
      ...shared,
      errors: [kind],
      responses: {},
      handler: () => Promise.reject(new ProbityError(kind, 'Refused.', { reason })),
    });
    const url = await serveKoa(t, sampleRouter({}, scimErrors, [declared]));
    const response = await fetch(`${url}/things`, { headers: as('owner') });
    const body = (await response.json()) as { scimType?: string; status: string };
    assert.deepEqual(
      [response.status, body.status, body.scimType],
      [status, String(status), scimType],
    );
  }
});

test('named schemas are components, once, and two of one name are refused', () => {
  const thing = z.strictObject({ id: z.string() }).meta({ id: 'KitThing' });
  const list = endpoint({
    ...shared,
    responses: { 200: { description: 'All', schema: z.strictObject({ data: z.array(thing) }) } },
    handler: async ({ reply }) => reply(200, { data: [] }),
  });
  const { document, operation } = operationOf(list);
  const { schema } = operation.responses['200'].content['application/json'];
  assert.deepEqual(schema.properties.data.items, { $ref: '#/components/schemas/KitThing' });
  assert.deepEqual(document.components.schemas.KitThing.required, ['id']);
  assert.deepEqual(operation.responses['401'], {
    $ref: '#/components/responses/GeneralUnauthorized',
  });
  const other = endpoint({
    ...shared,
    path: '/others',
    operationId: 'others',
    responses: {
      200: {
        description: 'Other',
        schema: z.strictObject({ n: z.int() }).meta({ id: 'KitThing' }),
      },
    },
    handler: async ({ reply }) => reply(200, { n: 1 }),
  });
  assert.throws(() => operationOf(list, other), /Two schemas are named KitThing/);
});

test('operations of a group with an authentication of its own take no cookies of sign-in sessions', () => {
  const listed = endpoint({
    ...shared,
    responses: nothing,
    handler: async ({ reply }) => reply(204),
  });
  const securityOf = (group: object) => {
    const groups = [{ prefix: '', errorFormat: scimErrors, endpoints: [listed], ...group }];
    const document = createOpenApiDocument({ title: 'T', version: '1' }, groups) as Loose;
    return document.paths['/things'].get.security;
  };
  assert.deepEqual(securityOf({}), [{ bearer: [] }, { cookie: [] }]);
  const routing = { authenticate: async () => null };
  assert.deepEqual(securityOf({ routing }), [{ bearer: [] }]);
});
