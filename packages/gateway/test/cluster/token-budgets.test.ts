import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chatAnswer, until } from '@probity/test-support';
import type { ModelServer, SentCall } from '../proxy/model-server.ts';
import { startModel } from '../proxy/model-server.ts';
import { providerText } from '../proxy/proxy-world.ts';
import type { Cluster } from './cluster-world.ts';
import { startCluster, WORKERS } from './cluster-world.ts';

const PER_DAY = 1_000;
/** A call is estimated at 20 to 30 tokens for its request, and uses 20 of them. */
const ANSWER = 60;
const USED = 80;
const MOST = Math.floor(PER_DAY / USED);

function textOf(model: ModelServer): string {
  const budget = `{key: app, tokens_per_day: ${PER_DAY}, answer_tokens: ${ANSWER}}`;
  const limits = 'rate_limiting: {enabled: false}\n';
  return `${limits}${providerText(model.url)}  retries: 0\n  token_budgets: [${budget}]\n`;
}

function answerWhole(_: SentCall): object {
  const usage = { prompt_tokens: USED - ANSWER, completion_tokens: ANSWER };
  return { ...chatAnswer('Hello.'), usage };
}

async function call(cluster: Cluster): Promise<number> {
  const messages = [{ role: 'user', content: 'Where is my parcel?' }];
  const response = await cluster.send('/v1/chat/completions', {
    method: 'POST',
    headers: { Authorization: `Bearer ${cluster.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages }),
  });
  await response.text();
  return response.status;
}

function callAtOnce(cluster: Cluster, count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, () => call(cluster)));
}

function passedOf(statuses: readonly number[]): number {
  assert.ok(
    statuses.every((status) => status === 200 || status === 429),
    statuses.join(' '),
  );
  return statuses.filter((status) => status === 200).length;
}

test('a budget of tokens holds over all processes, and is exact', async (t) => {
  const model = await startModel(t, answerWhole);
  const cluster = await startCluster(t, textOf(model), { PROVIDER_KEY: 'x' });
  const first = passedOf(await callAtOnce(cluster, 50));
  const rest = passedOf(await callAtOnce(cluster, 20));
  assert.ok(first >= 1 && first + rest <= MOST, `${first} and ${rest} passed`);
  while ((await call(cluster)) === 200);
  // What is left does not suffice for a further call.
  assert.ok(model.calls.length >= MOST - 1 && model.calls.length <= MOST);
});

test('a budget outlives a kill -9 of a process and of all, and a restart', async (t) => {
  const model = await startModel(t, answerWhole);
  const cluster = await startCluster(t, textOf(model), { PROVIDER_KEY: 'x' });
  for (let at = 0; at < 3; at++) assert.equal(await call(cluster), 200);

  // One call is at the model when its process dies: it counts with all that was reserved.
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  model.answer(async (sent) => {
    await released;
    return answerWhole(sent);
  });
  let isCut = false;
  const cut = call(cluster).catch(() => {
    isCut = true;
  });
  await until(() => model.calls.length === 4, 'the call is at the model');
  // Whose it is cannot be seen: one after the other, since a port of the test's kind is let go with the last.
  for (const pid of cluster.workers()) {
    if (isCut) break;
    process.kill(pid, 'SIGKILL');
    const isReplaced = async () =>
      !cluster.workers().includes(pid) && (await cluster.metric('gateway_workers')) === WORKERS;
    await until(isReplaced, 'it is replaced');
  }
  await cut;
  assert.ok(isCut);
  release();
  model.answer(answerWhole);
  for (let at = 0; at < 2; at++) assert.equal(await call(cluster), 200);

  await cluster.program.kill9();
  const second = await cluster.startAgain();
  for (let at = 0; at < 2; at++) assert.equal(await call(second), 200);

  assert.equal(await second.program.terminate(), 0);
  const third = await second.startAgain();
  while ((await call(third)) === 200);
  // Settling may be cut by a kill: then a call counts with all that was reserved, never with less.
  assert.ok(model.calls.length >= 9 && model.calls.length <= MOST, `${model.calls.length} calls`);
});

test('a reload changes a budget in all processes, and what was used of it stays used', async (t) => {
  const model = await startModel(t, answerWhole);
  const cluster = await startCluster(t, textOf(model), { PROVIDER_KEY: 'x' });
  assert.equal(await call(cluster), 200);
  cluster.write(textOf(model).replace(String(PER_DAY), '150'));
  assert.equal((await cluster.reload()).status, 200);
  assert.deepEqual(
    await callAtOnce(cluster, 9),
    Array.from({ length: 9 }, () => 429),
  );
  cluster.write(textOf(model));
  assert.equal((await cluster.reload()).status, 200);
  assert.equal(await call(cluster), 200);
});
