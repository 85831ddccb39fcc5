import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseNetworkAllowList } from '@probity/core';
import type { PeerFailure } from '@probity/test-support';
import { MICROSOFT_CLIENT, SERVICE_NOW_CLIENT, until } from '@probity/test-support';
import { MICROSOFT_ENDPOINTS } from '../../src/index.ts';
import { createVerification } from '../../src/integrations/verification.ts';
import { createWorld, faultsOf, serve, startOther } from '../world.ts';

const html = { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>Welcome</p>' };

const microsoftRefusals: Array<[title: string, change: object, field: string, says: RegExp]> = [
  ['a wrong secret', { client_secret: 'wrong' }, 'client_secret', /AADSTS7000215/],
  ['a wrong application', { client_id: 'wrong' }, 'client_id', /AADSTS700016/],
  ['a wrong tenant', { tenant_id: 'other.example' }, 'tenant_id', /AADSTS90002/],
];

for (const [title, change, field, says] of microsoftRefusals) {
  test(`Microsoft: ${title} is 422 that names ${field}`, async (t) => {
    const world = await createWorld(t);
    const call = await serve(t, world);
    const answer = await call('POST', '/integrations/chatops', { ...MICROSOFT_CLIENT, ...change });
    assert.equal(answer.status, 422);
    const { details } = answer.body.error;
    assert.deepEqual(
      details.map((each: { field: string }) => each.field),
      [field],
    );
    assert.match(details[0].message, says);
    assert.equal(world.microsoft.count('token'), 1, 'a refusal is not repeated');
    assert.deepEqual(faultsOf(world), []);
  });
}

test('ServiceNow: refused credentials are 422 that names both, without the secret', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  const wrong = { ...SERVICE_NOW_CLIENT, client_secret: 'wrong-Secret' };
  const echo = {
    status: 401,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ error: 'invalid_client', error_description: 'wrong-Secret\r\nis bad' }),
  };
  world.serviceNow.failNext('token', echo);
  const setup = { instance_url: world.serviceNow.url, ...wrong };
  for (const says of [/\*\*\* is bad/, /access_denied/]) {
    const answer = await call('POST', '/integrations/itsm', setup);
    assert.equal(answer.status, 422);
    const { details } = answer.body.error;
    assert.deepEqual(
      details.map((each: { field: string }) => each.field),
      ['client_id', 'client_secret'],
    );
    assert.match(details[0].message, says);
    assert.ok(!JSON.stringify(answer.body).includes('wrong-Secret'));
  }
  assert.equal(world.serviceNow.count('token'), 2);
});

const failures: Array<[title: string, failures: PeerFailure[], tokens: number, status: number]> = [
  ['a closed connection, then a token', ['drop'], 2, 201],
  ['500 twice, then a token', [{ status: 500 }, { status: 502 }], 3, 201],
  ['503 for a short while', [{ status: 503, headers: { 'retry-after': '0' } }], 2, 201],
  ['500 again and again', [{ status: 500 }, { status: 500 }, { status: 500 }], 3, 422],
  ['429 for an hour', [{ status: 429, headers: { 'retry-after': '3600' } }], 1, 422],
  ['a page in place of a token', [html], 1, 422],
  ['a redirect', [{ status: 302, headers: { location: 'https://8.8.8.8/' } }], 1, 422],
];

for (const [title, replies, tokens, status] of failures) {
  test(`ServiceNow: ${title}: ${status}`, async (t) => {
    const world = await createWorld(t);
    const call = await serve(t, world);
    // A page is answered again and again.
    const repeated = status === 422 && tokens === 1 && replies[0] === html;
    world.serviceNow.failNext('token', ...(repeated ? [html, html, html] : replies));
    const setup = { instance_url: world.serviceNow.url, ...SERVICE_NOW_CLIENT };
    const answer = await call('POST', '/integrations/itsm', setup);
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    if (status === 422) assert.equal(answer.body.error.details[0].field, 'instance_url');
    if (!repeated && title !== 'a redirect') assert.equal(world.serviceNow.count('token'), tokens);
  });
}

test('a system that does not answer is 422 within 10 seconds', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  world.serviceNow.failNext('token', 'hang', 'hang', 'hang');
  const setup = { instance_url: world.serviceNow.url, ...SERVICE_NOW_CLIENT };
  const startedMs = world.clock.monotonicMs();
  const answering = call('POST', '/integrations/itsm', setup);
  await until(async () => world.serviceNow.count('token') === 1, 'the token is requested');
  await world.clock.advance(9_000);
  const answer = await answering;
  assert.ok(world.clock.monotonicMs() - startedMs < 10_000);
  assert.deepEqual([answer.status, answer.body.error.details[0].field], [422, 'instance_url']);
  assert.match(answer.body.error.message, /does not answer/);
});

test('another kind of server is 422 that names the address', async (t) => {
  const world = await createWorld(t, { retries: 0 });
  const call = await serve(t, world);
  const { url } = await startOther(t);
  const answer = await call('POST', '/integrations/itsm', {
    instance_url: url,
    ...SERVICE_NOW_CLIENT,
  });
  assert.deepEqual([answer.status, answer.body.error.details[0].field], [422, 'instance_url']);
});

test('integrations refuse plain http to a loopback port that webhooks may use', async (t) => {
  const { remote } = await createWorld(t);
  const allow = parseNetworkAllowList('127.0.0.1/32:8081');
  const { checkInstance } = createVerification({
    remote,
    microsoft: MICROSOFT_ENDPOINTS,
    targets: { allow },
  });
  const message = /^instance_url: must be an absolute https URL$/;
  for (const url of ['http://127.0.0.1:8081', 'HTTP://127.0.0.1:8081', 'acme.example']) {
    await assert.rejects(() => checkInstance(url), { message });
  }
  assert.equal(await checkInstance('https://127.0.0.1:8081'), 'https://127.0.0.1:8081');
});
