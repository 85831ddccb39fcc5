import assert from 'node:assert/strict';
import test from 'node:test';
import { createSecretBox, systemRandom } from '@probity/core';
import { resealAll } from '@probity/core/internal';
import { createSqlSealingKeys } from '@probity/core/sql';
import { countTurns } from '@probity/test-support';
import { sampleTargets } from '@probity/test-support/combinations';
import { verifyEvidenceChain } from '../../src/index.ts';
import { createWorld, serve, sqlTargets, targets } from '../world.ts';

for (const target of sampleTargets(targets)) {
  test(`${target.name}: a chain that grows while it is verified is intact`, async (t) => {
    const world = await createWorld(t, { target });
    const { services, context } = world;
    const facts = Array.from({ length: 1_200 }, () => ({}));
    const records = await world.append(...facts);
    const verification = services.verify(context);
    await world.append({}, {});
    await services.records.update(context, records[1_100]?.id ?? '', { labels: { a: 'b' } });
    await services.records.update(context, records[3]?.id ?? '', { labels: { a: 'b' } });
    assert.equal((await verification).fault, null);
    const { nodes, records: compared, end } = await services.verify(context);
    assert.deepEqual([nodes, compared, end?.sequence], [1_204, 1_202, 1_204]);
  });
}

test('the answer says what was verified, from where it is sealed and where it ends', async (t) => {
  const world = await createWorld(t);
  const call = await serve(t, world);
  const empty = await call('GET /compliance/evidence/verify', { token: 'viewer' });
  assert.deepEqual(empty.body.data, {
    ...{ valid: true, nodes: 0, records: 0, removedThrough: 0 },
    ...{ fault: null, sealedFrom: null, end: null },
  });
  const [, last] = await world.append({}, {});
  const { body } = await call('GET /compliance/evidence/verify');
  assert.deepEqual(body.data, {
    ...{ valid: true, nodes: 2, records: 2, removedThrough: 0 },
    ...{ fault: null, sealedFrom: 1, end: { sequence: 2, hash: last?.hash } },
  });
});

test('without a secret box the chain is verified but not proven', async (t) => {
  const world = await createWorld(t, { isSealed: false });
  await world.append({});
  const { fault, sealedFrom } = await world.services.verify(world.context);
  assert.deepEqual([fault, sealedFrom], [null, null]);
});

for (const target of sqlTargets) {
  test(`${target.name}: a chain is proven after its end was sealed under another key`, async (t) => {
    const [former, next] = [systemRandom(32), systemRandom(32)];
    let keys = [former];
    const world = await createWorld(t, { target, keys: () => keys });
    const { opened, storage, organizationId, runtime, capability, clock } = world;
    await world.append({});
    keys = [next, former];
    assert.ok(opened.kind !== 'memory' && runtime.secretBox);
    const report = await resealAll({
      sealingKeys: createSqlSealingKeys(opened.database),
      secretBox: runtime.secretBox,
      values: capability.sealed ?? [],
      clock,
    });
    assert.deepEqual(report.resealed, { evidence_heads: 1 });
    const verified = await verifyEvidenceChain(storage, organizationId, createSecretBox([next]));
    assert.deepEqual([verified.fault, verified.sealedFrom], [null, 1]);
    const other = await verifyEvidenceChain(storage, organizationId, createSecretBox([former]));
    assert.deepEqual(other.fault, { sequence: 1, reason: 'unsealed' });
  });

  test(`${target.name}: 20,000 records are verified and listed without holding others up`, async (t) => {
    const world = await createWorld(t, { target });
    for (let batch = 0; batch < 20; batch += 1) {
      await world.append(...Array.from({ length: 1_000 }, () => ({ labels: { team: 'a' } })));
    }
    const turns = await countTurns(async () => {
      const { fault, records } = await world.services.verify(world.context);
      assert.deepEqual([fault, records], [null, 20_000]);
    });
    assert.ok(turns >= 40, `${turns} turns`);
  });
}
