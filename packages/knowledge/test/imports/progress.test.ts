import assert from 'node:assert/strict';
import test from 'node:test';
import { until } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import { createWorld, serve, serveImport, targets } from '../world.ts';

const HEADER = 'claim,source_url,category,confidence\n';
const SOURCE = 'https://facts.example/';
const PATH = '/knowledge/imports';

function rows(from: number, count: number): string {
  return Array.from({ length: count }, (_, at) => `Claim ${from + at},${SOURCE},,\n`).join('');
}

for (const target of sampleTargets(targets)) {
  test(`${target.name}: the progress of an import is seen while its file arrives`, async (t) => {
    const world = await createWorld(t, { target });
    const call = await serve(t, world);
    const send = await serveImport(t, world);
    const listed = async () => (await call(`GET ${PATH}`)).body;
    let goOn: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    async function* file() {
      yield Buffer.from(`${HEADER}${rows(0, 1_100)},no claim,,\n`);
      await waiting;
      yield Buffer.from(rows(1_100, 700));
    }
    const sent = send(ReadableStream.from(file()));
    await until(async () => (await listed()).data[0]?.rows === 1_000, 'two batches are stored');
    const [running] = (await listed()).data;
    assert.deepEqual(
      [running.status, running.created, running.failed, running.ended_at],
      ['running', 1_000, 0, null],
    );
    goOn();
    const { body } = await sent;
    const { id, errors, ...counts } = body.data;
    const { data } = (await call(`GET ${PATH}/${id}`)).body;
    const { rows: read, created, updated, unchanged, failed } = data;
    assert.deepEqual({ rows: read, created, updated, unchanged, failed }, counts);
    assert.deepEqual([data.status, data.errors, data.problem], ['completed', errors, null]);
    assert.deepEqual([read, created, errors[0].line], [1_801, 1_800, 1_102]);
    assert.equal((await listed()).total, 1);
  });
}

test('an import that was refused or broke says why, and one without news is interrupted', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  const send = await serveImport(t, world);
  const newest = async () => (await call(`GET ${PATH}`)).body.data[0];
  const turn = () => world.clock.advance(1_000);
  await send('claim,category\nA,b\n');
  assert.equal((await newest()).status, 'failed');
  await turn();
  await send(`${HEADER}${rows(0, 600)},${SOURCE},,\n`, 'text/csv', '?strict=true');
  const strict = await newest();
  assert.deepEqual([strict.status, strict.strict, strict.created], ['failed', true, 0]);
  await turn();
  async function* broken() {
    yield Buffer.from(`${HEADER}${rows(0, 600)}`);
    await until(async () => (await newest())?.rows === 500, 'a batch is stored');
    throw new Error('on purpose');
  }
  await assert.rejects(send(ReadableStream.from(broken())));
  await until(async () => (await newest()).status === 'failed', 'the import has failed');
  const failed = await newest();
  assert.deepEqual([failed.created, typeof failed.problem], [500, 'string']);
  await turn();
  async function* silent() {
    yield Buffer.from(`${HEADER}${rows(600, 600)}`);
    await until(
      async () => (await newest())?.created === 500 && (await newest()).rows === 500,
      'a batch is stored',
    );
    await world.clock.advance(5 * 60_000);
    assert.equal((await newest()).status, 'interrupted');
    yield Buffer.from(rows(1_200, 1));
  }
  await send(ReadableStream.from(silent()));
  assert.deepEqual([(await newest()).status, (await newest()).created], ['completed', 601]);
});

test('imports of other organizations do not exist', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  const { body } = await (await serveImport(t, world))(`${HEADER}${rows(0, 1)}`);
  const { id } = body.data;
  assert.equal((await call(`GET ${PATH}/${id}`, { token: 'viewer' })).status, 200);
  assert.equal((await call(`GET ${PATH}/${id}`, { token: 'stranger' })).status, 404);
  assert.equal((await call(`GET ${PATH}`, { token: 'stranger' })).body.total, 0);
});
