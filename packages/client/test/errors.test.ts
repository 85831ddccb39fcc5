import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import {
  AuthenticationError,
  BlockedError,
  ConflictError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  ProbityError,
  RateLimitError,
  ResponseError,
  ServerError,
} from '../src/index.ts';
import { answer, answerError, clientOf, KEY, startServer } from './world.ts';

async function failureOf(call: Promise<unknown>): Promise<ProbityError> {
  const error = await call.then(
    () => assert.fail('the call succeeded'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ProbityError, inspect(error));
  return error;
}

for (const [status, type] of [
  [400, InvalidRequestError],
  [401, AuthenticationError],
  [403, PermissionError],
  [404, NotFoundError],
  [405, ProbityError],
  [409, ConflictError],
  [412, ConflictError],
  [413, InvalidRequestError],
  [415, InvalidRequestError],
  [422, InvalidRequestError],
  [429, RateLimitError],
  [500, ServerError],
  [503, ServerError],
] as const) {
  test(`${status} is a ${type.name} with the code and the id of the request`, async (t) => {
    const server = await startServer(t, (response) => answerError(response, status, 'THE_CODE'));
    const { probity } = clientOf(server, { retries: 0 });
    const error = await failureOf(probity.alerts.get('alr_1'));
    assert.equal(error.constructor, type);
    assert.equal(error.name, type.name);
    assert.deepEqual(
      [error.status, error.code, error.requestId, error.message],
      [status, 'THE_CODE', 'req_1', `It failed with ${status}.`],
    );
  });
}

test('errors of the platform API have the same members', async (t) => {
  const details = [{ field: 'email', message: 'must be an e-mail address' }];
  const server = await startServer(t, (response) =>
    answer(response, 400, {
      error: 'invalid_request',
      message: 'Some fields have invalid values.',
      code: 400,
      details,
      request_id: 'req_2',
    }),
  );
  const { probity } = clientOf(server);
  const call = probity.organizations.addMember('org_1', { email: 'x', role: 'member' });
  const error = await failureOf(call);
  assert.ok(error instanceof InvalidRequestError);
  assert.deepEqual(
    [error.code, error.message, error.details, error.requestId],
    ['invalid_request', 'Some fields have invalid values.', details, 'req_2'],
  );
});

test('a blocked scan tells which policy blocks it', async (t) => {
  const governance = { verdict: 'blocked', policy_id: 'pol_1', violation_reason: 'ssn' };
  const server = await startServer(t, (response) =>
    answer(response, 403, {
      error: { code: 'PII_DETECTED', message: 'm', statusCode: 403, requestId: 'req_3' },
      governance,
    }),
  );
  const { probity } = clientOf(server);
  const error = await failureOf(probity.governance.scan({ response: 'x' }));
  assert.ok(error instanceof BlockedError);
  assert.equal(error.code, 'PII_DETECTED');
  assert.equal(error.governance.policy_id, 'pol_1');
});

test('an answer of a proxy gives an error without the page', async (t) => {
  const server = await startServer(t, (response) => {
    response.writeHead(403, { 'Content-Type': 'text/html' });
    response.end('<html>Access denied for 10.0.0.7</html>');
  });
  const { probity } = clientOf(server);
  const error = await failureOf(probity.status.get());
  assert.ok(error instanceof PermissionError);
  assert.deepEqual([error.code, error.details], ['http_403', []]);
  assert.match(error.message, /^GET http:\S+\/api\/status was answered 403\.$/);
});

test('bodies of any shape give an error of their status', async (t) => {
  const bodies = [null, [], 1, 'text', {}, { error: null }, { error: { code: 7, message: {} } }];
  const odd = [...bodies, { error: { details: [null, { field: 1 }] } }, { details: 'x' }];
  const server = await startServer(t, (response, _request, index) =>
    answer(response, 422, odd[index]),
  );
  const { probity } = clientOf(server);
  for (const body of odd) {
    const error = await failureOf(probity.status.get());
    assert.ok(error instanceof InvalidRequestError, inspect(body));
    assert.deepEqual([error.code, error.details], ['http_422', []], inspect(body));
  }
});

test('success that is not JSON, or is none of the API, is refused', async (t) => {
  const bodies = ['<html>Sign in</html>', '', '{"unexpected":1}', 'null', '[]'];
  const server = await startServer(t, (response, _request, index) => {
    response.end(bodies[index]);
  });
  const { probity } = clientOf(server);
  for (const body of bodies) {
    const error = await failureOf(probity.status.get());
    assert.ok(error instanceof ResponseError, body);
    assert.equal(error.code, 'invalid_response');
    assert.match(error.message, /Is baseUrl right\?$/);
  }
});

test('404 of another server says that the address may be wrong, that of the API does not', async (t) => {
  const server = await startServer(t, (response, _request, index) => {
    if (index > 0) return answerError(response, 404, 'RESOURCE_NOT_FOUND');
    response.writeHead(404).end('<html>Not found</html>');
  });
  const { probity } = clientOf(server);
  const foreign = await failureOf(probity.alerts.get('alr_1'));
  assert.ok(foreign instanceof NotFoundError);
  assert.match(
    foreign.message,
    /\/alr_1 was answered 404, and not by the API: it does not have this operation there\. Is baseUrl right\?$/,
  );
  const own = await failureOf(probity.alerts.get('alr_1'));
  assert.deepEqual([own.message, own.code], ['It failed with 404.', 'RESOURCE_NOT_FOUND']);
});

test('an error of many levels is one of its status', async (t) => {
  const server = await startServer(t, (response) => {
    response.writeHead(422, { 'content-type': 'application/json' });
    response.end(`{"error":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
  });
  const error = await failureOf(clientOf(server).probity.alerts.get('alr_1'));
  assert.deepEqual([error.status, error.code], [422, 'http_422']);
});

test('neither a client nor any error shows the key', async (t) => {
  const server = await startServer(t, (response, { headers }, index) => {
    if (index === 0) {
      const echo = `No route for ${headers.authorization}`;
      const details = [{ field: 'authorization', message: echo }];
      return answer(response, 400, { error: { code: 'X', message: echo, details } });
    }
    if (index === 1) return answerError(response, 401);
    if (index === 2) {
      const escaped = [...KEY].map(
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
      response.writeHead(403, { 'content-type': 'application/json', 'x-request-id': KEY });
      const error = `{"code":"${escaped.join('')}","message":"${escaped.join('')}"}`;
      return void response.end(`{"error":${error},"governance":{"${escaped.join('')}":1}}`);
    }
    response.destroy();
  });
  const { probity } = clientOf(server, { retries: 0 });
  const shown = [inspect(probity, { depth: 9, showHidden: true }), JSON.stringify(probity)];
  for (let index = 0; index < 4; index += 1) {
    const error = await failureOf(probity.alerts.get('alr_1'));
    shown.push(inspect(error, { depth: 9, showHidden: true }), String(error.stack));
    shown.push(JSON.stringify(error), JSON.stringify(error.details));
  }
  for (const text of shown) assert.ok(!text.includes(KEY), text);
  assert.ok(shown.join('').includes('[API key]'));
});
