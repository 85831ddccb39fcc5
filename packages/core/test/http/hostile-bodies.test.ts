import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_JSON_VALUES } from '../../src/json/shape.ts';
import { serveKoa } from '../../src/testing/http.ts';
import { asOwnerJson, sampleRouter } from './sample.ts';

interface Refusal {
  error: { code: string; message: string; details?: Array<{ field: string }> };
}

async function post(
  url: string,
  body: string,
): Promise<{ status: number; length: number } & Refusal> {
  const response = await fetch(`${url}/things`, { method: 'POST', headers: asOwnerJson, body });
  const text = await response.text();
  return { status: response.status, length: text.length, ...(JSON.parse(text) as Refusal) };
}

test('a body with very many unknown fields is refused in a short answer', async (t) => {
  const url = await serveKoa(t, sampleRouter());
  const fields = Array.from({ length: 19_000 }, (_, index) => [`k${index}`, 1]);
  const answer = await post(url, JSON.stringify(Object.fromEntries(fields)));
  assert.deepEqual([answer.status, answer.error.code], [422, 'VALIDATION_ERROR']);
  assert.equal(answer.error.details?.length, 100);
  assert.ok(answer.length < 20_000, String(answer.length));
  assert.match(answer.error.message, /and \d+ more$/);
  assert.ok(answer.error.message.length < 1_000);
});

test('validation errors truncate very long field names', async (t) => {
  const url = await serveKoa(t, sampleRouter());
  const answer = await post(url, JSON.stringify({ name: 'a', ['x'.repeat(100_000)]: 1 }));
  assert.equal(answer.status, 422);
  assert.ok(answer.length < 2_000, String(answer.length));
});

test('a JSON body with too many values is refused before validation', async (t) => {
  const url = await serveKoa(t, sampleRouter());
  const answer = await post(url, `{"name":[${'1,'.repeat(MAX_JSON_VALUES)}1]}`);
  assert.deepEqual([answer.status, answer.error.code], [400, 'INVALID_REQUEST']);
  assert.match(answer.error.message, /more than 500000 values/);
});

test('a query of many parameters takes no longer than one of the same length with one', async (t) => {
  const url = await serveKoa(t, sampleRouter());
  const takesMs = async (query: string) => {
    const before = process.cpuUsage();
    await (await fetch(`${url}/open?${query}`)).arrayBuffer();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  const one = `a=${'b'.repeat(15_000)}`;
  const names = Array.from({ length: 4_000 }, (_, index) => index.toString(36));
  for (const query of ['a=b&'.repeat(3_750), names.join('&').slice(0, 15_000)]) {
    let oneMs = Number.POSITIVE_INFINITY;
    let manyMs = Number.POSITIVE_INFINITY;
    // They took 100 times as long. In turns, and often where other work on the machine disturbs them.
    for (let round = 0; round < 7 || (manyMs >= 25 * oneMs && round < 50); round += 1) {
      oneMs = Math.min(oneMs, await takesMs(one));
      manyMs = Math.min(manyMs, await takesMs(query));
    }
    assert.ok(manyMs < 25 * oneMs, `${manyMs} ms, ${oneMs} ms for one parameter`);
  }
});
