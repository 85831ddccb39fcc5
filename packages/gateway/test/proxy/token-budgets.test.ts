import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openSqliteFile } from '@probity/core/internal';
import type { TestLifetime } from '@probity/test-support';
import {
  chatAnswer,
  chatEvents,
  createTestClock,
  createTestDatabase,
  inDeltas,
  until,
} from '@probity/test-support';
import pg from 'pg';
import { read } from '../config/read.ts';
import { startFront } from '../database/world.ts';
import type { ModelServer, SentCall } from './model-server.ts';
import type { ProxyWorld } from './proxy-world.ts';
import { LONG, providerText, SSN, startProxy } from './proxy-world.ts';

const ASKED = { role: 'user', content: 'Where is my parcel?' } as const;
const CALL = { model: 'm', messages: [ASKED] };
const PATH = '/v1/chat/completions';

interface Budget {
  readonly key?: string;
  readonly perDay: number;
  readonly answer?: number;
}

function withBudgets(...budgets: readonly Budget[]) {
  const list = budgets.map(
    ({ key = 'app', perDay, answer = 0 }) =>
      `{key: "${key}", tokens_per_day: ${perDay}, answer_tokens: ${answer}}`,
  );
  return (url: string) => `${providerText(url)}  token_budgets: [${list.join(', ')}]\n`;
}

/** What the request costs: 20 tokens, and all that it lets the answer have. */
function answerWhole({ body }: SentCall): object {
  const usage = { prompt_tokens: 20, completion_tokens: body.max_tokens };
  return { ...chatAnswer('Hello.'), usage };
}

/** Lets calls wait at the provider until the test lets them go. */
function holdAnswers(model: ModelServer, answer: (call: SentCall) => object): () => void {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  model.answer(async (call) => {
    await released;
    return answer(call);
  });
  return release;
}

/** Tokens of the days in the gateway's file, and what is still reserved, when all is settled. */
async function storedTokens({ world }: ProxyWorld) {
  await world.gateway.stop();
  const database = openSqliteFile(join(world.folder, 'gateway.db'), 0);
  try {
    const rows = (sql: string) => database.prepare(sql).all() as Record<string, number>[];
    return {
      used: rows('select used from gateway_token_days order by day').map(({ used }) => used),
      reserved: rows('select id from gateway_token_reservations').length,
    };
  } finally {
    database.close();
  }
}

/** Sends calls until one is refused; how many were not. */
async function callsUntilRefused({ post }: ProxyWorld, call: object): Promise<number> {
  for (let count = 0; ; count++) if ((await post(PATH, call)).status !== 200) return count;
}

/** @param poolTimeoutSec how long a call waits for a connection, and so for a database that is away */
async function startOnPostgres(
  t: TestLifetime,
  url: string,
  budget: Budget,
  poolTimeoutSec = 1,
): Promise<ProxyWorld> {
  return startProxy(t, {
    models: withBudgets(budget),
    text: `database: {ssl_mode: disable, pool_timeout_sec: ${poolTimeoutSec}}\n`,
    env: { PROBITY_GATEWAY_DATABASE_URL: url },
  });
}

/** Tokens of the days in a PostgreSQL database. */
async function usedIn(url: string): Promise<number[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ used: number }>(
      'select used::int as used from gateway_token_days order by day',
    );
    return rows.map(({ used }) => used);
  } finally {
    await client.end();
  }
}

describe('a budget of tokens a day', () => {
  it('is not exceeded by fifty calls at the same time, whatever they use of it', async (t) => {
    const proxy = await startProxy(t, { models: withBudgets({ perDay: 1_000 }) });
    const { post, model } = proxy;
    const release = holdAnswers(model, answerWhole);
    let refused = 0;
    const calls = Array.from({ length: 50 }, async () => {
      const answer = await post(PATH, { ...CALL, max_tokens: 60 });
      if (answer.status === 429) refused++;
      return answer;
    });
    await until(() => model.calls.length + refused === 50, 'each is at the model, or refused');
    release();
    const answers = await Promise.all(calls);
    const passed = answers.filter(({ status }) => status === 200).length;
    // The request is estimated at 20 to 30 tokens.
    assert.ok(passed >= 11 && passed <= 12, `${passed} of 24 passed`);
    assert.equal(refused, 50 - passed);
    for (const { status, headers, text } of answers) {
      if (status !== 429) continue;
      // What is reserved comes back in part when the calls have ended.
      assert.equal(headers.get('retry-after'), '1');
      const { error } = JSON.parse(text);
      assert.deepEqual([error.type, error.code], ['tokens', 'token_budget_exceeded']);
      assert.match(error.message, /of its 1000 tokens a day left/);
    }
    const { used, reserved } = await storedTokens(proxy);
    assert.deepEqual([used, reserved], [[passed * 80], 0]);
  });

  it('gets back what a call has not used, and all of what was blocked or failed', async (t) => {
    const proxy = await startProxy(t, {
      models: (url) => `${withBudgets({ perDay: 500, answer: 400 })(url)}  retries: 0\n`,
    });
    const { post, model } = proxy;
    const blocked = { ...CALL, messages: [{ role: 'user', content: `SSN ${SSN}` }] };
    for (let at = 0; at < 3; at++) assert.equal((await post(PATH, blocked)).status, 403);
    model.answer(({ response }) => {
      response.writeHead(500).end('{}');
      return undefined;
    });
    for (let at = 0; at < 3; at++) assert.equal((await post(PATH, CALL)).status, 500);
    model.answer(() => chatAnswer('Hello.'));
    // Each uses 7 of the 420 that it reserves.
    const passed = await callsUntilRefused(proxy, CALL);
    assert.ok(passed >= 8 && passed <= 12, `${passed} passed`);
    assert.deepEqual(await storedTokens(proxy), { used: [passed * 7], reserved: 0 });
  });

  it('ends with the day (UTC), for each key by itself', async (t) => {
    const clock = createTestClock(Date.parse('2026-03-01T23:00:00Z'));
    const models = withBudgets({ perDay: 60, answer: 30 }, { key: '*', perDay: 40 });
    const proxy = await startProxy(t, { models, clock });
    const { post, world } = proxy;
    const passed = await callsUntilRefused(proxy, CALL);
    assert.ok(passed > 0);
    const refused = await post(PATH, CALL);
    assert.equal(refused.headers.get('retry-after'), '3600');
    assert.equal(refused.headers.get('x-should-retry'), 'false');
    const other = world.addKey({ name: 'other' });
    await clock.advance(2_000);
    const headers = { Authorization: `Bearer ${other}` };
    assert.equal((await post(PATH, CALL, headers)).status, 200);
    await clock.advance(3_600_000 - 2_001);
    assert.equal((await post(PATH, CALL)).status, 429);
    await clock.advance(1);
    assert.equal(await callsUntilRefused(proxy, CALL), passed);
    // The day before is kept: calls may have begun on it.
    await clock.advance(86_400_000);
    assert.equal((await post(PATH, CALL)).status, 200);
    const { used } = await storedTokens(proxy);
    assert.deepEqual(used, [passed * 7, 7]);
  });

  it('counts a call on the day on which it began', async (t) => {
    const clock = createTestClock(Date.parse('2026-03-01T23:59:59Z'));
    const proxy = await startProxy(t, { models: withBudgets({ perDay: 100 }), clock });
    const { post, model } = proxy;
    const release = holdAnswers(model, answerWhole);
    const call = post(PATH, { ...CALL, max_tokens: 60 });
    await until(() => model.calls.length === 1, 'the call is at the model');
    await clock.advance(2_000);
    release();
    assert.equal((await call).status, 200);
    assert.equal((await post(PATH, { ...CALL, max_tokens: 60 })).status, 200);
    assert.deepEqual((await storedTokens(proxy)).used, [80, 80]);
  });

  it('reserves for each answer of a call, and says so in the words of each interface', async (t) => {
    const { post, model } = await startProxy(t, { models: withBudgets({ perDay: 100 }) });
    const refusals: readonly [path: string, body: object][] = [
      [PATH, { ...CALL, max_tokens: 40, n: 3 }],
      [PATH, { ...CALL, max_completion_tokens: 200 }],
      ['/v1/responses', { model: 'm', input: 'Hello.', max_output_tokens: 200 }],
      ['/v1/messages', { ...CALL, max_tokens: 200 }],
      ['/v1/embeddings', { model: 'm', input: 'Hello there. '.repeat(100) }],
    ];
    for (const [path, body] of refusals) {
      const { status, text, headers } = await post(path, body);
      assert.equal(status, 429, path);
      assert.equal(JSON.parse(text).error.code, 'token_budget_exceeded');
      assert.ok(Number(headers.get('retry-after')) > 0);
      if (path === '/v1/messages') assert.equal(JSON.parse(text).type, 'error');
    }
    assert.deepEqual(model.calls, []);
  });

  it('counts the tokens that a stream names, and keeps the event from who has not asked', async (t) => {
    const proxy = await startProxy(t, { models: withBudgets({ perDay: 100, answer: 20 }) });
    const { post, model } = proxy;
    const usage = { prompt_tokens: 40, completion_tokens: 41, total_tokens: 81 };
    const named = `data: ${JSON.stringify({ id: 'c', choices: [], usage })}\n\n`;
    model.answer(() =>
      chatEvents(inDeltas('Hello.')).flatMap((event) =>
        event.includes('[DONE]') ? [named, event] : [event],
      ),
    );
    const answer = await post(PATH, { ...CALL, stream: true });
    assert.match(answer.text, /\[DONE\]/);
    assert.ok(!answer.text.includes('prompt_tokens'));
    assert.deepEqual(model.calls[0]?.body.stream_options, { include_usage: true });
    assert.equal((await post(PATH, { ...CALL, stream: true })).status, 429);
    assert.deepEqual(await storedTokens(proxy), { used: [81], reserved: 0 });
  });

  it('estimates answers without counts by their texts, streamed or not, and cut ones too', async (t) => {
    const cases: readonly (() => readonly string[] | object)[] = [
      () => chatEvents(inDeltas(LONG)),
      () => ({ ...chatAnswer(LONG), usage: undefined }),
      () => chatEvents(inDeltas(`${LONG} Her SSN is ${SSN}. ${LONG}`)),
    ];
    const output = Math.ceil(LONG.length / 4);
    for (const answer of cases) {
      const proxy = await startProxy(t, { models: withBudgets({ perDay: 2_000 }) });
      proxy.model.answer(answer);
      await proxy.post(PATH, { ...CALL, stream: Array.isArray(answer()) });
      const { used, reserved } = await storedTokens(proxy);
      const [sum] = used;
      assert.equal(reserved, 0);
      assert.ok(Number(sum) >= output && Number(sum) <= output * 2 + 60, `${sum} of ${output}`);
    }
  });

  it('counts the request of a client that leaves before the answer', async (t) => {
    const proxy = await startProxy(t, { models: withBudgets({ perDay: 1_000 }) });
    const { model, world } = proxy;
    holdAnswers(model, answerWhole);
    const leave = new AbortController();
    const call = fetch(world.url + PATH, {
      method: 'POST',
      headers: { Authorization: `Bearer ${world.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...CALL, max_tokens: 500 }),
      signal: leave.signal,
    });
    await until(() => model.calls.length === 1, 'the call is at the model');
    leave.abort();
    await assert.rejects(call);
    await until(
      () => world.records().some(({ message }) => message === 'model call'),
      'the call has ended',
    );
    const { used, reserved } = await storedTokens(proxy);
    assert.equal(reserved, 0);
    const [sum] = used;
    assert.ok(Number(sum) >= 15 && Number(sum) <= 40, `${sum}`);
  });

  it('is out of reach for a call that may use all of it, which the file says at once', async () => {
    const text = 'models: {token_budgets: [{key: app, tokens_per_day: 1000}]}';
    const { issues } = await read(text);
    assert.deepEqual(
      issues.map(({ path, message }) => [path, message]),
      [
        [
          'models.token_budgets[0].tokens_per_day',
          'must be at least answer_tokens, which is 4096, or 0',
        ],
      ],
    );
  });
});

describe('the database of the budgets', () => {
  it('two gateways on one PostgreSQL server share them', async (t) => {
    const { url } = await createTestDatabase(t);
    const budget = { perDay: 1_000 };
    const start = () => startOnPostgres(t, url, budget, 30);
    const gateways = [await start(), await start()];
    for (const { model } of gateways) model.answer(answerWhole);
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, at) =>
        (gateways[at % 2] as ProxyWorld).post(PATH, { ...CALL, max_tokens: 60 }),
      ),
    );
    const passed = answers.filter(({ status }) => status === 200).length;
    assert.ok(passed >= 11 && passed <= 12, `${passed} of 24 passed`);
    const others = answers.filter(({ status }) => status !== 200 && status !== 429);
    assert.deepEqual(others, []);
    for (const { world } of gateways) await world.gateway.stop();
    assert.deepEqual(await usedIn(url), [passed * 80]);
  });

  it('without it no call is sent, and what was used is settled when it is back', async (t) => {
    const { url } = await createTestDatabase(t);
    const front = await startFront(t, url);
    const { post, model, world } = await startOnPostgres(t, front.url, { perDay: 1_000 });
    const release = holdAnswers(model, answerWhole);
    const call = post(PATH, { ...CALL, max_tokens: 60 });
    await until(() => model.calls.length === 1, 'the call is at the model');
    await front.stop();
    const refused = await post(PATH, { ...CALL, max_tokens: 60 });
    assert.equal(refused.status, 503);
    assert.equal(JSON.parse(refused.text).error.type, 'server_error');
    assert.equal(model.calls.length, 1);
    release();
    assert.equal((await call).status, 200);
    await until(
      () => world.records().some(({ message }) => String(message).includes('cannot be settled')),
      'the first attempt has failed',
    );
    await front.start();
    await until(async () => (await usedIn(url))[0] === 80, 'the call is settled');
  });
});
