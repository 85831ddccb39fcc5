import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSecretBox, systemRandom } from '@probity/core';
import { withTenant } from '@probity/core/testing';
import { createPipeline } from '@probity/pipeline';
import { sampleTargets } from '@probity/test-support/combinations';
import { createGovernance } from '../../src/index.ts';
import { createApi } from '../api.ts';
import { createWorld, protectedTextStorageOf, storagesOf, targets } from '../world.ts';

const SECRET =
  'The merger of Northwind and Contoso will be announced on the ninth of May, after the board has met in Lisbon and approved the final price.';
const CANARY = 'canary-7f3a9c51e2';
const PATH = '/governance/protected-texts';
const pipeline = createPipeline({
  stages: [{ name: 'pii_scanner' }, { name: 'contamination_check' }],
});
const options = () => ({ pipeline, secretBox: createSecretBox([systemRandom(32)]) });

test('a protected text is found by the next scan, changed by the next, and no longer looked for once deleted', async (t) => {
  const api = await createApi(t, options());
  const contaminated = async (response: string) => {
    const { body } = await api.postScan({ response });
    const { scores, findings } = body.data ?? body.governance;
    return [scores.contamination > 0.5, findings.map(({ type }: { type: string }) => type)];
  };
  assert.deepEqual(await contaminated(SECRET), [false, []]);
  const created = await api.request('POST', PATH, { name: 'Merger', text: SECRET });
  assert.equal(created.status, 201);
  const { id, length, hash, kind } = created.body.data;
  assert.match(id, /^ptx_/);
  assert.deepEqual([length, hash.length, kind], [SECRET.length, 64, 'text']);
  assert.ok(!JSON.stringify(created.body).includes('Northwind'));
  assert.deepEqual(await contaminated(SECRET), [true, ['verbatim']]);
  const canary = { name: 'Token', kind: 'canary', text: CANARY };
  assert.equal((await api.request('POST', PATH, canary)).status, 201);
  assert.deepEqual(await contaminated(`It says ${CANARY}.`), [true, ['canary']]);
  const other =
    'Something else altogether that nobody would ever write in an answer about mergers at all, not even by chance or mistake.';
  await api.request('PATCH', `${PATH}/${id}`, { text: other });
  assert.deepEqual(await contaminated(SECRET), [false, []]);
  assert.deepEqual(await contaminated(other), [true, ['verbatim']]);
  assert.equal((await api.request('DELETE', `${PATH}/${id}`)).status, 204);
  assert.deepEqual(await contaminated(other), [false, []]);
});

test('protected texts are listed without their texts, read with them, by editors of their own organization', async (t) => {
  const api = await createApi(t, options());
  const { body } = await api.request('POST', PATH, { name: 'Merger', text: SECRET });
  const { id } = body.data;
  const list = await api.request('GET', `${PATH}?limit=1`);
  assert.deepEqual([list.body.total, list.body.data], [1, [body.data]]);
  const read = await api.request('GET', `${PATH}/${id}`);
  assert.deepEqual(read.body.data, { ...body.data, text: SECRET });
  for (const token of ['member', 'viewer']) {
    assert.equal((await api.request('GET', PATH, undefined, token)).status, 403);
  }
  for (const [method, change] of [['GET'], ['PATCH', { name: 'x' }], ['DELETE']] as const) {
    const answer = await api.request(method, `${PATH}/${id}`, change, 'stranger');
    assert.equal(answer.status, 404, method);
  }
});

test('bad protected texts are 422 with every bad field, and the limits of an organization are 409', async (t) => {
  const api = await createApi(t, options());
  const bad = await api.request('POST', PATH, { name: '', kind: 'x', text: ' ', other: 1 });
  assert.equal(bad.status, 422);
  assert.deepEqual(bad.body.error.details.map(({ field }: { field: string }) => field).sort(), [
    'kind',
    'name',
    'other',
    'text',
  ]);
  const long = await api.request('POST', PATH, { name: 'a', text: 'a'.repeat(100_001) });
  assert.equal(long.status, 422);
  for (let count = 0; count < 10; count++) {
    const { status } = await api.request('POST', PATH, { name: 'a', text: 'a'.repeat(100_000) });
    assert.equal(status, 201);
  }
  assert.equal((await api.request('POST', PATH, { name: 'a', text: 'a' })).status, 409);
});

test('the 201st protected text is refused, also when many are created at once', async (t) => {
  const { protectedTexts, context } = await createWorld(t, options());
  const create = (at: number) =>
    protectedTexts.create(context, { name: `${at}`, text: `text ${at}` }).then(
      () => true,
      () => false,
    );
  const created = await Promise.all(Array.from({ length: 210 }, (_, at) => create(at)));
  assert.equal(created.filter(Boolean).length, 200);
});

for (const target of sampleTargets(targets)) {
  test(`on ${target.name}, a change holds on another instance from the answer on, and tenants do not share texts`, async (t) => {
    const given = options();
    const world = await createWorld(t, { target, ...given });
    const { runtime, opened, context } = world;
    const storages = {
      ...storagesOf(opened),
    };
    const second = createGovernance(runtime, { ...storages, pipeline });
    const scoreOn = async (instance: typeof second) =>
      (await instance.scan(context, { response: SECRET })).scan.scores.contamination;
    assert.equal(await scoreOn(second), 0);
    const { id } = await world.protectedTexts.create(context, { name: 'Merger', text: SECRET });
    assert.ok(Number(await scoreOn(second)) > 0.5);
    const { context: stranger } = await withTenant(opened);
    const other = await second.scan(stranger, { response: SECRET });
    assert.equal(other.scan.scores.contamination, 0);
    await world.protectedTexts.remove(context, id);
    assert.equal(await scoreOn(second), 0);
  });
}

test('a protected text is found in a streamed response and in messages', async (t) => {
  const { protectedTexts, scan, scanStream, context } = await createWorld(t, options());
  await protectedTexts.create(context, { name: 'Merger', text: SECRET });
  async function* response() {
    for (const word of SECRET.split(/(?= )/)) yield word;
  }
  let verdict = '';
  for await (const event of await scanStream(context, {}, response())) {
    if (event.type === 'final') verdict = event.outcome.scan.verdict;
  }
  assert.equal(verdict, 'flagged');
  const messages = [{ role: 'assistant', content: SECRET }];
  const outcome = await scan(context, { messages });
  assert.deepEqual(
    outcome.scan.findings.map(({ type, path }) => [type, path]),
    [['verbatim', '[0].content']],
  );
});

test('the text is stored sealed, and stands in no audit entry', async (t) => {
  const { protectedTexts, opened, context } = await createWorld(t, options());
  const { id } = await protectedTexts.create(context, { name: 'Merger', text: SECRET });
  await protectedTexts.update(context, id, { text: `${SECRET} Yes.` });
  const stored = await protectedTextStorageOf(opened).findProtectedText(
    context.principal.organizationId,
    id,
  );
  assert.ok(stored && !stored.sealedText.includes('Northwind'));
  const without = await createWorld(t, { pipeline });
  await assert.rejects(
    without.protectedTexts.create(without.context, { name: 'a', text: 'a' }),
    /encryption key/,
  );
});
