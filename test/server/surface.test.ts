import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { sampleTargets } from '@probity/test-support/combinations';
import type { Operation } from './furnished.ts';
import { credentialOf, fill, furnish, operationsOf, schemasIn, withQuery } from './furnished.ts';
import { integrationEnvironment } from './integration-recipes.ts';
import type { Answer } from './support.ts';
import { bootstrap, call, emptyDatabases, serve } from './support.ts';

const PAGING = ['total', 'limit', 'offset', 'has_more'];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

async function createWorld(t: TestContext, location: string) {
  const owner = await bootstrap(location);
  // No mails: with PostgreSQL they would be written to the working directory.
  const env = await integrationEnvironment();
  const { url } = await serve(t, location, { args: ['--role', 'api'], env });
  const identifiers = await furnish(url, owner);
  const operations = await operationsOf(url);
  const urlOf = (path: string) => url + fill(path, identifiers);
  const keyOf = (operation: Operation) => credentialOf(operation, owner, identifiers);
  return { url, key: owner.api_key, keyOf, operations, urlOf };
}

/** Whether a response of the operation contains an array, as lists do. What has other forms too is a file. */
function isList({ method, responses }: Operation): boolean {
  const content = responses['200']?.content ?? {};
  if (Object.keys(content).length > 1) return false;
  const schema = content['application/json']?.schema;
  const properties = Object.values(schema?.properties ?? {});
  return method === 'get' && properties.some(({ type }) => type === 'array');
}

/** Whether the path of an operation matches this one, with any values for its parameters. */
function leadsTo(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  const fits = (part: string, index: number) => part === given[index] || part.startsWith('{');
  return wanted.length === given.length && wanted.every(fits);
}

/** The status, code and fields of an error in the format of its path (specification, "Errors"). */
function refusalOf(path: string, { status, headers, body }: Answer) {
  const { details, ...error } = path.startsWith('/v1/') ? body : body.error;
  const requestId = headers.get('x-request-id');
  if (path.startsWith('/v1/')) {
    assert.deepEqual(Object.keys(error), ['error', 'message', 'code', 'request_id']);
    assert.deepEqual([error.code, error.request_id], [status, requestId]);
  } else {
    assert.deepEqual(Object.keys(error), ['code', 'message', 'statusCode', 'requestId']);
    assert.deepEqual([error.statusCode, error.requestId], [status, requestId]);
  }
  const code: string = error.error ?? error.code;
  return [status, code, details?.map(({ field }: { field: string }) => field)];
}

for (const database of sampleTargets(emptyDatabases)) {
  describe(`${database.name}: every list`, () => {
    it('every list has the same paging, and rejects invalid page parameters by name', async (t) => {
      const world = await createWorld(t, await database.create(t));
      const { operations, urlOf, keyOf } = world;
      const lists = operations.filter(isList);
      assert.ok(lists.length > 9);
      for (const list of lists) {
        const { path, operationId } = list;
        const key = keyOf(list);
        const ask = (query: string) => call(withQuery(urlOf(path), query), key);
        const { status, body } = await call(urlOf(path), key);
        assert.equal(status, 200, operationId);
        assert.deepEqual(Object.keys(body).slice(1), PAGING, operationId);
        assert.deepEqual([body.limit, body.offset], [50, 0], operationId);
        const far = (await ask('limit=200&offset=100000')).body;
        assert.deepEqual(
          [Object.values(far)[0], far.total, far.limit, far.offset, far.has_more],
          [[], body.total, 200, 100_000, false],
          operationId,
        );
        const [code, refusal] = path.startsWith('/v1/')
          ? ['invalid_request', 400]
          : ['VALIDATION_ERROR', 422];
        for (const bad of ['limit=0', 'limit=201', 'limit=x', 'limit=', 'offset=-1', 'page=2']) {
          const refused = refusalOf(path, await ask(bad));
          assert.deepEqual(refused, [refusal, code, [bad.split('=')[0]]], `${operationId}?${bad}`);
        }
      }
    });
  });
}

describe('every path', () => {
  it('every path answers other methods than its own with 405 and the allowed methods, including HEAD', async (t) => {
    const location = await emptyDatabases[0]?.create(t);
    const { operations, urlOf } = await createWorld(t, location ?? '');
    const paths = [...new Set(operations.map(({ path }) => path))];
    for (const path of paths.filter((each) => !each.includes('{invoice_id}'))) {
      const own = operations.filter((each) => leadsTo(each.path, path));
      const named = [...new Set(own.map(({ method }) => method.toUpperCase()))];
      const allowed = [...named, ...(named.includes('GET') ? ['HEAD'] : [])].sort();
      for (const method of METHODS.filter((each) => !allowed.includes(each))) {
        const response = await fetch(urlOf(path), { method });
        assert.equal(response.status, 405, `${method} ${path}`);
        assert.equal(response.headers.get('allow'), allowed.join(', '), `${method} ${path}`);
        await response.arrayBuffer();
      }
    }
  });

  it('every path that requires a credential is 401 with a challenge without one', async (t) => {
    const location = await emptyDatabases[0]?.create(t);
    const { operations, urlOf } = await createWorld(t, location ?? '');
    for (const { method, path, security, operationId } of operations) {
      if (security.length === 0) continue;
      const answer = await call(urlOf(path), null, method.toUpperCase());
      assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer realm=/);
      if (path.startsWith('/scim/')) {
        const { body } = answer;
        assert.deepEqual([body.status, body.detail], ['401', 'invalid bearer token'], operationId);
        continue;
      }
      const [status, code] = refusalOf(path, answer);
      const expected = path.startsWith('/v1/') ? 'unauthorized' : 'INVALID_API_KEY';
      assert.deepEqual([status, code], [401, expected], operationId);
    }
  });

  it('every secret in a response is declared as one, and sent with Cache-Control: no-store', async (t) => {
    const location = await emptyDatabases[0]?.create(t);
    const { operations, urlOf, keyOf, url } = await createWorld(t, location ?? '');
    const { body: document } = await call(`${url}/openapi.json`, null);
    const secrets = /(?:^|_)(?:token|secret)$|^(?:recovery_codes|otpauth_url|pdf_url)$/i;
    const found: string[] = [];
    for (const operation of operations) {
      const { operationId, method, path, responses } = operation;
      const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
      let isSecret = false;
      for (const { properties = {} } of schemasIn(successes, document)) {
        for (const [name, property] of Object.entries(properties)) {
          const { format } = property.items ?? property;
          assert.equal(format === 'password', secrets.test(name), `${operationId}: ${name}`);
          isSecret ||= format === 'password';
        }
      }
      if (!isSecret) continue;
      found.push(operationId);
      if (method !== 'get') continue;
      const { headers } = await call(urlOf(path), keyOf(operation));
      assert.equal(headers.get('cache-control'), 'no-store', operationId);
    }
    for (const expected of ['logIn', 'createApiKey', 'enableScim', 'createWebhook', 'beginMfa']) {
      assert.ok(found.includes(expected), expected);
    }
  });

  it('every path of sign-in, sessions, passwords and factors refuses an API key', async (t) => {
    const location = await emptyDatabases[0]?.create(t);
    const { key, operations, urlOf } = await createWorld(t, location ?? '');
    const own = operations.filter(
      ({ path, security }) => path.startsWith('/v1/auth/') && security.length > 0,
    );
    assert.ok(own.length > 7);
    for (const { method, path, operationId } of own) {
      const [status, code] = refusalOf(path, await call(urlOf(path), key, method.toUpperCase()));
      assert.deepEqual([status, code], [403, 'forbidden'], operationId);
    }
  });
});
