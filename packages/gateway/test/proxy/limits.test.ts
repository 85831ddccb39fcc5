import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chatAnswer, createTestClock } from '@probity/test-support';
import type { ModelServer } from './model-server.ts';
import { startModel } from './model-server.ts';
import { providerText, SSN, startProxy } from './proxy-world.ts';

const ASKED = { role: 'user', content: 'Where is my parcel?' } as const;
const CALL = { model: 'm', messages: [ASKED] };
const PATH = '/v1/chat/completions';

/** Lets a server answer with a status. */
function fail(model: ModelServer, status: number, headers: Record<string, string> = {}): void {
  model.answer(({ response }) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error: { message: 'no', code: 'busy' } }));
    return undefined;
  });
}

/** Configuration of models beside the provider. */
function withModels(...lines: readonly string[]) {
  return (url: string) => providerText(url) + lines.map((line) => `  ${line}\n`).join('');
}

/** Configuration of models with one at a second provider, as a fallback. */
function beside(secondUrl: string, retries: number) {
  return (url: string) =>
    [
      'models:',
      `  retries: ${retries}`,
      '  fallbacks: [{model: m, to: [second/n]}]',
      '  providers:',
      `    local: {enabled: true, base_url: ${url}, api_key: one, models: {m: {enabled: true}}}`,
      `    second: {enabled: true, base_url: ${secondUrl}, api_key: two, models: {n: {enabled: true}}}`,
      '',
    ].join('\n');
}

describe('requests a minute of a model', () => {
  it('further ones are refused until the first leaves the window, and blocked ones do not count', async (t) => {
    const clock = createTestClock();
    const models = (url: string) =>
      providerText(url).replace(
        'm: {enabled: true}',
        'm: {enabled: true, max_requests_per_minute: 2}',
      );
    const { post, model } = await startProxy(t, { models, clock });
    const blocked = { ...CALL, messages: [{ role: 'user', content: `SSN ${SSN}` }] };
    for (let at = 0; at < 3; at++) assert.equal((await post(PATH, blocked)).status, 403);
    assert.equal((await post(PATH, CALL)).status, 200);
    await clock.advance(20_000);
    assert.equal((await post(PATH, CALL)).status, 200);
    const refused = await post(PATH, CALL);
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get('retry-after'), '40');
    assert.equal(JSON.parse(refused.text).error.code, 'model_rate_limit');
    assert.equal(model.calls.length, 2);
    await clock.advance(40_001);
    assert.equal((await post(PATH, CALL)).status, 200);
    assert.equal((await post(PATH, CALL)).status, 429);
  });
});

describe('attempts and fallbacks', () => {
  it('a provider that fails for a moment is asked again', async (t) => {
    const { post, model } = await startProxy(t);
    model.answer(({ response }) => {
      if (model.calls.length === 3) return chatAnswer('At last.');
      response.writeHead(model.calls.length === 1 ? 503 : 429);
      response.end('{}');
      return undefined;
    });
    const { status, text } = await post(PATH, CALL);
    assert.equal(status, 200);
    assert.match(text, /At last/);
    assert.equal(model.calls.length, 3);
  });

  it('as often as the configuration says, and not for what stays wrong', async (t) => {
    const { post, model } = await startProxy(t, { models: withModels('retries: 1') });
    fail(model, 500);
    assert.equal((await post(PATH, CALL)).status, 500);
    assert.equal(model.calls.length, 2);
    fail(model, 400);
    assert.equal((await post(PATH, CALL)).status, 400);
    assert.equal(model.calls.length, 3);
    fail(model, 429, { 'retry-after': '60' });
    const { status, headers } = await post(PATH, CALL);
    assert.deepEqual([status, headers.get('retry-after')], [429, '60']);
    assert.equal(model.calls.length, 4);
  });

  for (const [status, error, times] of [
    [500, 'server_error', 2],
    [401, 'refused', 1],
  ] as const) {
    it(`a first model that answers ${status} is in the log and the metrics`, async (t) => {
      const second = await startModel(t, () => chatAnswer('From the second.'));
      const { post, model, world } = await startProxy(t, { models: beside(second.url, 1) });
      fail(model, status);
      assert.equal((await post(PATH, CALL)).status, 200);
      const message = 'an attempt to call a model failed';
      const records = world.records().filter((each) => each.message === message);
      const attempt = {
        level: 'WARN',
        ...{ model: 'local/m', requested_model: 'local/m', error },
      };
      assert.deepEqual(
        records.map(({ level, model: name, requested_model, error: kind }) => {
          return { level, model: name, requested_model, error: kind };
        }),
        Array(times).fill(attempt),
      );
      const call = world.records().find(({ message }) => message === 'model call');
      assert.deepEqual(
        [call?.model, call?.requested_model, call?.attempts, call?.result],
        ['second/n', 'local/m', times + 1, 'success'],
      );
      const line = `gateway_model_failed_attempts_total{provider="local",error="${error}"} ${times}`;
      assert.ok((await world.metrics()).includes(line), line);
    });
  }

  it('the error of the first model is that of the call, whatever the others refuse', async (t) => {
    const second = await startModel(t);
    fail(second, 404);
    const { post, model, world } = await startProxy(t, { models: beside(second.url, 0) });
    model.answer(({ response }) => {
      response.writeHead(503, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: 'Down for an hour.' } }));
      return undefined;
    });
    const { status, text } = await post(PATH, CALL);
    assert.equal(status, 503);
    assert.match(text, /Down for an hour/);
    assert.equal(second.calls.length, 1);
    const failed = world.records().filter(({ message }) => /^an attempt/.test(String(message)));
    assert.deepEqual(
      failed.map(({ model: name, error }) => [name, error]),
      [
        ['local/m', 'server_error'],
        ['second/n', 'client_error'],
      ],
    );
  });

  it('another model answers where the first one does not, by its own name and key', async (t) => {
    const second = await startModel(t, () => chatAnswer('From the second.'));
    const { post, model } = await startProxy(t, { models: beside(second.url, 0) });
    fail(model, 502);
    const { status, text, headers } = await post(PATH, CALL);
    assert.equal(status, 200);
    assert.match(text, /From the second/);
    assert.equal(headers.get('x-probity-model'), 'second/n');
    assert.equal(second.calls[0]?.body.model, 'n');
    assert.equal(second.calls[0]?.headers.authorization, 'Bearer two');
    fail(model, 400);
    assert.equal((await post(PATH, CALL)).status, 400);
    assert.equal(second.calls.length, 1);
  });

  it('a provider that cannot be reached, or does not answer in time, is an error of the interface', async (t) => {
    const { post, model } = await startProxy(t, {
      models: withModels('retries: 0', 'timeout_ms: 50'),
    });
    model.answer(() => new Promise<undefined>(() => {}));
    const late = await post(PATH, CALL);
    assert.deepEqual([late.status, JSON.parse(late.text).error.code], [504, 'upstream_timeout']);
    const gone = await startProxy(t, {
      models: (url) => withModels('retries: 0')(url.replace(/:\d+/, ':1')),
    });
    const away = await gone.post(PATH, CALL);
    assert.deepEqual(
      [away.status, JSON.parse(away.text).error.code],
      [502, 'upstream_unreachable'],
    );
  });
});

describe('what is known of calls', () => {
  it('each has a record and counts, with its tokens, without what was said or the key', async (t) => {
    const { post, model, world } = await startProxy(t);
    await post(PATH, CALL);
    model.answer(() => chatAnswer(`Her SSN is ${SSN}.`));
    await post(PATH, CALL);
    fail(model, 400);
    await post(PATH, CALL);
    const records = world.records().filter(({ message }) => message === 'model call');
    assert.deepEqual(
      records.map(({ result, model, operation, attempts, tokens, client_id, error }) => {
        return { result, model, operation, attempts, tokens, client_id, error };
      }),
      [
        ['success', { input: 3, output: 4 }, undefined, 1],
        ['blocked', { input: 3, output: 4 }, undefined, 1],
        ['error', undefined, 'busy', 1],
      ].map(([result, tokens, error, attempts]) => ({
        ...{ result, model: 'local/m', operation: 'createChatCompletion', attempts, tokens },
        ...{ client_id: 'app', error },
      })),
    );
    const metrics = await world.metrics();
    for (const line of [
      'gateway_model_calls_total{provider="local",status="success"} 1',
      'gateway_model_calls_total{provider="local",status="blocked"} 1',
      'gateway_model_calls_total{provider="local",status="error"} 1',
      'gateway_model_tokens_total{provider="local",direction="output"} 8',
    ]) {
      assert.ok(metrics.includes(line), line);
    }
    assert.ok(!`${metrics}${world.lines.join('')}`.includes(SSN));
  });
});
