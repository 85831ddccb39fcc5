import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openSqliteFile } from '@probity/core/internal';
import { chatAnswer, countTurns } from '@probity/test-support';
import { estimateInput } from '../../src/proxy/usage.ts';
import type { ProxyWorld } from './proxy-world.ts';
import { providerText, startProxy } from './proxy-world.ts';

const PATH = '/v1/chat/completions';
const CALL = { model: 'm', messages: [{ role: 'user', content: 'Where is my parcel?' }] };

const withBudget = (perDay: number, answer: number) => (url: string) =>
  `${providerText(url)}  media: pass
  token_budgets: [{key: app, tokens_per_day: ${perDay}, answer_tokens: ${answer}}]\n`;

/** What the ledger holds when the gateway has ended. */
async function storedRows({ world }: ProxyWorld) {
  await world.gateway.stop();
  const database = openSqliteFile(join(world.folder, 'gateway.db'), 0);
  try {
    const rows = (sql: string) => database.prepare(sql).all() as Record<string, number>[];
    return {
      used: rows('select used from gateway_token_days')[0]?.used ?? 0,
      reserved: rows('select id from gateway_token_reservations').length,
    };
  } finally {
    database.close();
  }
}

describe('what a provider says that a call has used', () => {
  const whole: readonly (readonly [usage: object, counted: number])[] = [
    [{ prompt_tokens: 40, completion_tokens: 2 }, 42],
    [{ prompt_tokens: 40, completion_tokens: 2, total_tokens: 92 }, 92],
    [{ total_tokens: 55 }, 55],
    [{ prompt_tokens: 1.5, completion_tokens: 2.25 }, 5],
  ];
  for (const [usage, counted] of whole) {
    it(`counts as ${counted}: ${JSON.stringify(usage)}`, async (t) => {
      const proxy = await startProxy(t, { models: withBudget(10_000, 100) });
      proxy.model.answer(() => ({ ...chatAnswer('Hello.'), usage }));
      assert.equal((await proxy.post(PATH, CALL)).status, 200);
      assert.deepEqual(await storedRows(proxy), { used: counted, reserved: 0 });
    });
  }

  const nothing: readonly object[] = [
    {},
    [],
    { prompt_tokens: -5, completion_tokens: -100_000 },
    { prompt_tokens: '9', completion_tokens: '9' },
    { prompt_tokens: 1e308, completion_tokens: 1e308 },
  ];
  for (const usage of nothing) {
    it(`is no count, and estimated: ${JSON.stringify(usage)}`, async (t) => {
      const proxy = await startProxy(t, { models: withBudget(10_000, 100) });
      const text = 'The parcel left the warehouse this morning. '.repeat(10);
      proxy.model.answer(() => ({ ...chatAnswer(text), usage }));
      assert.equal((await proxy.post(PATH, CALL)).status, 200);
      const { used, reserved } = await storedRows(proxy);
      assert.equal(reserved, 0);
      const least = text.length / 4;
      assert.ok(used >= least && used <= least + 100, `${used} of ${least}`);
    });
  }
});

describe('a response in the background', () => {
  it('counts with its maximum, since it goes on when the call has ended', async (t) => {
    const proxy = await startProxy(t, { models: withBudget(10_000, 0) });
    const queued = { id: 'r', object: 'response', status: 'queued', output: [], usage: null };
    proxy.model.answer(() => queued);
    const body = { model: 'm', input: 'Hello.', background: true, max_output_tokens: 5_000 };
    assert.equal((await proxy.post('/v1/responses', body)).status, 200);
    const { used, reserved } = await storedRows(proxy);
    assert.equal(reserved, 0);
    assert.ok(used >= 5_000 && used < 5_100, `${used}`);
  });
});

describe('what a request lets an answer have', () => {
  const refused: readonly object[] = [
    { max_tokens: '500' },
    { max_tokens: -1 },
    { max_tokens: 0 },
    { max_tokens: 5, max_completion_tokens: -1 },
    { max_tokens: 10, n: '50' },
    { max_tokens: 10, best_of: 50 },
    { max_tokens: 1e308, n: 1e308 },
  ];
  for (const limits of refused) {
    it(`is more than the budget: ${JSON.stringify(limits)}`, async (t) => {
      const { post, model } = await startProxy(t, { models: withBudget(400, 380) });
      const { status, text } = await post(PATH, { ...CALL, ...limits });
      assert.equal(status, 429);
      const said = /may use (\d+);/.exec(text)?.[1];
      assert.ok(Number.isSafeInteger(Number(said)), text);
      assert.equal(model.calls.length, 0);
    });
  }
});

it('a request of 10 MiB is estimated in turns of the event loop', async () => {
  const content = Array.from({ length: 300_000 }, () => ({ type: 'text', text: 'abc' }));
  const body = { model: 'm', messages: [{ role: 'user', content }] };
  const turns = await countTurns(() => estimateInput(body, 10_000_000));
  assert.ok(turns >= 3, `${turns} turns`);
});

describe('the estimate of a request', () => {
  const letters = 'Ab1/'.repeat(10_000);
  const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${letters}` } };
  const estimateOf = (content: unknown) => {
    const body = { model: 'm', messages: [{ role: 'user', content }] };
    return estimateInput(body, JSON.stringify(body).length);
  };

  it('counts the bytes of images and files as one each', async () => {
    const source = { type: 'base64', media_type: 'application/pdf', data: letters };
    for (const part of [
      image,
      { type: 'document', source },
      { type: 'tool_result', content: [{ type: 'image', source }] },
      { type: 'input_image', image_url: image.image_url.url },
      { type: 'file', file: { file_data: letters } },
    ]) {
      const tokens = await estimateOf([part]);
      assert.ok(tokens >= 1_500 && tokens < 1_600, `${tokens} for ${part.type}`);
    }
  });

  it('counts every text by its bytes, also one of the letters of base 64', async () => {
    const source = { type: 'text', media_type: 'text/plain', data: letters };
    for (const content of [
      letters,
      [{ type: 'text', text: letters }],
      [{ type: 'text', text: image.image_url.url }],
      [{ type: 'document', source }],
      [{ type: 'tool_use', input: { type: 'image', source: { type: 'base64', data: letters } } }],
      [{ type: 'document', title: letters, source: { type: 'url', url: 'https://a.example' } }],
    ]) {
      assert.ok(
        (await estimateOf(content)) >= letters.length / 4,
        JSON.stringify(content).slice(0, 80),
      );
    }
  });
});
