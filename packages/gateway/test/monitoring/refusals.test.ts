import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestClock } from '@probity/test-support';
import { connect } from '../grpc/client.ts';
import type { ProxyWorld } from '../proxy/proxy-world.ts';
import { providerText, startProxy } from '../proxy/proxy-world.ts';

const PATH = '/v1/chat/completions';
const CALL = { model: 'm', messages: [{ role: 'user', content: 'Where is my parcel?' }] };

function refusalsOf({ world }: ProxyWorld) {
  return world
    .records()
    .filter(({ message }) => message === 'a request was refused')
    .map(({ level, client_id, error, status, operation, request_id }) => {
      assert.ok(operation === undefined || typeof request_id === 'string');
      return [level, client_id, error, status, operation];
    });
}

async function countOf({ world }: ProxyWorld, reason: string): Promise<number> {
  const line = (await world.metrics())
    .split('\n')
    .find((each) => each.startsWith(`gateway_refusals_total{reason="${reason}"}`));
  assert.ok(line, reason);
  return Number(line.split(' ')[1]);
}

const OPERATION = 'createChatCompletion';

describe('a refused request', () => {
  it('has a record and is counted: keys, models, limits and budgets', async (t) => {
    const proxy = await startProxy(t, {
      clock: createTestClock(),
      models: (url) => `${providerText(url)}  token_budgets: [{key: app, tokens_per_day: 0}]\n`,
      text: 'rate_limiting: {per_client: {burst_size: 2}}\n',
    });
    const { post, world } = proxy;
    const wrong = { Authorization: 'Bearer pbk_wrong' };
    assert.equal((await post(PATH, CALL, wrong)).status, 401);
    assert.equal((await post(PATH, { ...CALL, model: 'off' })).status, 404);
    assert.equal((await post(PATH, CALL)).status, 429);
    assert.equal((await post(PATH, CALL)).status, 429);
    assert.deepEqual(refusalsOf(proxy), [
      ['INFO', undefined, 'credential', 401, OPERATION],
      ['INFO', 'app', 'unknown_model', 404, OPERATION],
      ['INFO', 'app', 'token_budget', 429, OPERATION],
      ['INFO', 'app', 'rate_limit', 429, OPERATION],
    ]);
    for (const reason of ['credential', 'unknown_model', 'token_budget', 'rate_limit']) {
      assert.equal(await countOf(proxy, reason), 1, reason);
    }
    assert.equal(await countOf(proxy, 'permission'), 0);
    assert.ok(!world.lines.join('').includes('pbk_'));
  });

  it('is counted over gRPC as well, and where a signature is missing', async (t) => {
    const proxy = await startProxy(t, {
      text: 'security: {signing_key: "${SIGNING_KEY}"}\n',
      env: { SIGNING_KEY: 'k'.repeat(32) },
    });
    const { world } = proxy;
    assert.equal((await world.scan({ response: 'Hello.' })).status, 401);
    const client = connect(t, world);
    await assert.rejects(client.scan({ response: 'Hello.' }));
    assert.equal(await countOf(proxy, 'credential'), 2);
    assert.equal(refusalsOf(proxy).length, 2);
  });

  it('is one record of many in a flood of them', async (t) => {
    const clock = createTestClock();
    const proxy = await startProxy(t, { clock });
    const { post, world } = proxy;
    const wrong = { Authorization: 'Bearer pbk_wrong' };
    for (let at = 0; at < 15; at++) await post(PATH, CALL, wrong);
    await post(PATH, { ...CALL, model: 'off' });
    assert.equal(refusalsOf(proxy).length, 10);
    assert.equal(await countOf(proxy, 'credential'), 15);
    await clock.advance(1_001);
    const rest = world
      .records()
      .filter(({ message }) => message === 'further requests were refused');
    assert.deepEqual(
      rest.map(({ level, count, reasons }) => [level, count, reasons]),
      [['WARN', 6, { credential: 5, unknown_model: 1 }]],
    );
    await post(PATH, CALL, wrong);
    assert.equal(refusalsOf(proxy).length, 11);
  });

  it('counts as a failed request where the database of the budgets is down, and no other one does', async (t) => {
    const proxy = await startProxy(t, {
      models: (url) =>
        `${providerText(url)}  token_budgets: [{key: app, tokens_per_day: 100000}]\n`,
      text: 'database: {ssl_mode: disable, pool_timeout_sec: 1}\n',
      env: { PROBITY_GATEWAY_DATABASE_URL: 'postgres://nobody:nothing@127.0.0.1:9/none' },
    });
    const { post, world } = proxy;
    const failed = 'gateway_requests_total{method="scan",status="error"}';
    await post(PATH, { ...CALL, model: 'off' });
    assert.ok((await world.metrics()).includes(`${failed} 0`));
    for (let at = 0; at < 20; at++) assert.equal((await post(PATH, CALL)).status, 503);
    assert.ok((await world.metrics()).includes(`${failed} 20`));
    assert.equal(await countOf(proxy, 'unavailable'), 20);
    const [, first] = refusalsOf(proxy);
    assert.deepEqual(first, ['WARN', 'app', 'unavailable', 503, OPERATION]);
    const causes = world.records().filter(({ message }) => /cannot be read/.test(String(message)));
    assert.equal(causes.length, 1);
    const alert = world.records().find(({ message }) => message === 'alert');
    assert.deepEqual([alert?.alert, alert?.active], ['error_rate', true]);
  });
});
