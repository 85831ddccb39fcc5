import assert from 'node:assert/strict';
import test from 'node:test';
import { sampleTargets } from '@probity/test-support/combinations';
import { createWorld, serve, sqlTargets, targets } from '../world.ts';
import { migrateUp } from './migrate.ts';

/** The body of an import of one run: providers by id, with the outcomes of their tests. */
function bodyOf(timestamp: string, providers: Readonly<Record<string, readonly boolean[]>>) {
  const results = Object.entries(providers).flatMap(([id, outcomes]) =>
    outcomes.map((success) => ({
      ...{ provider: { id }, success, score: success ? 1 : 0, failureReason: success ? 0 : 1 },
      gradingResult: { pass: success, score: success ? 1 : 0, reason: 'No assertions' },
    })),
  );
  return { evaltoolOutput: { version: 3, timestamp, results } };
}

for (const target of sampleTargets(targets)) {
  test(`${target.name}: the trend of a provider follows its imports, each run once`, async (t) => {
    const world = await createWorld(t, { target });
    const call = await serve(t, world);
    const runs = [
      bodyOf('2026-05-01T08:00:00.000Z', { desk: [true, false], night: [true] }),
      bodyOf('2026-05-02T08:00:00.000Z', { desk: [true, true, true, false] }),
    ];
    for (const body of [...runs, ...runs]) {
      const { status } = await call('POST /compliance/evidence/import/evaltool', { body });
      assert.ok(status === 200 || status === 201);
    }
    const { body } = await call('GET /compliance/trend?provider=desk', { token: 'viewer' });
    assert.deepEqual(
      body.data.map(({ evaluatedAt, successes, failures, errors, passRate }: Run) => [
        ...[evaluatedAt, successes, failures, errors, passRate],
      ]),
      [
        ['2026-05-02T08:00:00.000Z', 3, 1, 0, 0.75],
        ['2026-05-01T08:00:00.000Z', 1, 1, 0, 0.5],
      ],
    );
    assert.equal(body.total, 2);
    const [newest] = body.data;
    const { body: record } = await call(`GET /compliance/evidence/${newest.evidenceId}`);
    assert.equal(record.data.metadata.passRate, newest.passRate);
    const { body: providers } = await call('GET /compliance/trend/providers');
    assert.deepEqual(providers.data, [
      {
        ...{
          provider: 'desk',
          providerLabel: null,
          runs: 2,
          successes: 4,
          failures: 2,
          errors: 0,
          passRate: 4 / 6,
        },
        ...{ oldestAt: '2026-05-01T08:00:00.000Z', newestAt: '2026-05-02T08:00:00.000Z' },
      },
      {
        ...{
          provider: 'night',
          providerLabel: null,
          runs: 1,
          successes: 1,
          failures: 0,
          errors: 0,
          passRate: 1,
        },
        ...{ oldestAt: '2026-05-01T08:00:00.000Z', newestAt: '2026-05-01T08:00:00.000Z' },
      },
    ]);
    const page = await call('GET /compliance/trend?limit=1&offset=1');
    assert.equal(page.body.data.length, 1);
    const since = await call('GET /compliance/trend?since=2026-05-02T00:00:00Z');
    assert.equal(since.body.total, 1);
    const { body: foreign } = await call('GET /compliance/trend', { token: 'stranger' });
    assert.deepEqual(foreign.data, []);
    assert.equal((await world.services.verify(world.context)).fault, null);
  });
}

interface Run {
  evaluatedAt: string;
  successes: number;
  failures: number;
  errors: number;
  passRate: number | null;
}

test('a run follows its record to another AI system', async (t) => {
  const world = await createWorld(t);
  const { services, context } = world;
  const call = await serve(t, world);
  const body = bodyOf('2026-05-01T08:00:00.000Z', { desk: [true] });
  const imported = await call('POST /compliance/evidence/import/evaltool', { body });
  const { id: aiSystemId } = await services.aiSystems.create(context, { name: 'Assistant' });
  const path = `GET /compliance/trend?aiSystemId=${aiSystemId}`;
  assert.equal((await call(path)).body.total, 0);
  await services.records.update(context, imported.body.evidenceIds[0], { aiSystemId });
  assert.equal((await call(path)).body.total, 1);
});

for (const target of sampleTargets(targets)) {
  test(`${target.name}: two labels of one provider are two systems`, async (t) => {
    const world = await createWorld(t, { target });
    const call = await serve(t, world);
    const labelled = (label: string, success: boolean) => ({
      ...{ provider: { id: 'file://provider.py', label }, success, score: success ? 1 : 0 },
      gradingResult: { pass: success, score: success ? 1 : 0, reason: 'No assertions' },
    });
    const results = [labelled('model-a', true), labelled('model-b', false)];
    const evaltoolOutput = { version: 3, timestamp: '2026-05-01T08:00:00.000Z', results };
    const importing = { body: { evaltoolOutput } };
    const first = await call('POST /compliance/evidence/import/evaltool', importing);
    assert.equal(first.body.evidenceCreated, 3);
    const second = await call('POST /compliance/evidence/import/evaltool', importing);
    assert.deepEqual([second.status, second.body.evidenceSkipped], [200, 3]);
    const { body } = await call('GET /compliance/trend/providers?provider=file://provider.py');
    assert.deepEqual(
      body.data.map((each: { providerLabel: string; passRate: number }) => [
        ...[each.providerLabel, each.passRate],
      ]),
      [
        ['model-a', 1],
        ['model-b', 0],
      ],
    );
    const { body: runs } = await call('GET /compliance/trend');
    assert.deepEqual(
      runs.data.map(({ providerLabel }: { providerLabel: string }) => providerLabel).sort(),
      ['model-a', 'model-b'],
    );
    assert.equal((await world.services.verify(world.context)).fault, null);
  });
}

for (const target of sqlTargets) {
  test(`${target.name}: the migration finds the runs of records that were there before it`, async (t) => {
    const world = await createWorld(t, { target });
    const call = await serve(t, world);
    const body = bodyOf('2026-05-01T08:00:00.000Z', { desk: [true, false], night: [true] });
    await call('POST /compliance/evidence/import/evaltool', { body });
    const { results } = body.evaltoolOutput;
    const labelled = results.map((each) => ({ ...each, provider: { id: 'desk', label: 'two' } }));
    const evaltoolOutput = { ...body.evaltoolOutput, results: labelled };
    await call('POST /compliance/evidence/import/evaltool', { body: { evaltoolOutput } });
    await world.append({ metadata: { providers: [], stats: {} } }, { occurredAt: null });
    const before = (await call('GET /compliance/trend')).body;
    assert.equal(before.data.length, 3);
    await migrateUp(world);
    assert.deepEqual((await call('GET /compliance/trend')).body, before);
    assert.equal((await world.services.verify(world.context)).fault, null);
  });
}
