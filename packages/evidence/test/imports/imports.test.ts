import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DatabaseTarget } from '@probity/core/testing';
import type { FailureMetadata, SummaryMetadata } from '@probity/evaltool';
import { readEvaluation, readImportBody, splitByProvider, toImportFile } from '@probity/evaltool';
import { matchObligations } from '../../src/index.ts';
import type { World } from '../world.ts';
import { createWorld, targets } from '../world.ts';
import { failing, file, flat, MARKER, result, someResults, timeless } from './files.ts';

const read = (value: unknown) => readEvaluation([Buffer.from(JSON.stringify(value))]);

async function importInto(world: World, value: unknown, options: object = {}) {
  const evaluation = await read(value);
  return world.services.imports.importEvaluation(world.context, { evaluation, ...options });
}

/** All records, oldest first. */
async function recordsOf({ storage, organizationId }: World) {
  return (await storage.readEvidence(organizationId, {}, 0, 2_000)).sort(
    (left, right) => left.sequence - right.sequence,
  );
}

for (const target of targets) {
  test(`parts of one provider become one summary and all its failures on ${target.name}`, async (t) => {
    const world = await createWorld(t, { target });
    const results = Array.from({ length: 1_100 }, (_, at) =>
      failing('promptfoo:redteam:pii', { score: at % 2 }),
    );
    const whole = flat([...results, result()]);
    for (const part of splitByProvider(await read(whole), 500)) {
      const body = Buffer.from(JSON.stringify(toImportFile(part)));
      const { evaluation } = await readImportBody([body], { maxResults: 500 });
      await world.services.imports.importEvaluation(world.context, { evaluation });
    }
    const records = await recordsOf(world);
    const summaries = records.filter(({ title }) => title.startsWith('Evaluation of'));
    assert.deepEqual([summaries.length, records.length], [1, 1_101]);
    const metadata = summaries[0]?.metadata as unknown as SummaryMetadata;
    assert.deepEqual(metadata.stats, { successes: 1, failures: 1_100, errors: 0 });
    const { evidenceCreated, warnings } = await importInto(world, whole);
    assert.deepEqual([evidenceCreated, warnings], [0, []]);
  });

  test(`an evaluation becomes a record per provider and per failing result on ${target.name}`, async (t) => {
    const world = await createWorld(t, { target });
    const done = await importInto(world, file());
    assert.deepEqual(
      [done.totalResultsProcessed, done.evidenceCreated, done.evidenceSkipped],
      [7, 7, 0],
    );
    const records = await recordsOf(world);
    assert.deepEqual(
      done.evidenceIds,
      records.map(({ id }) => id),
    );
    const links = records.reduce((sum, { obligationIds }) => sum + obligationIds.length, 0);
    assert.equal(done.obligationLinksCreated, links);
    assert.ok(
      records.every(
        ({ evidenceType, source }) => evidenceType === 'evaltool_eval' && source === 'evaltool',
      ),
    );
    const [desk, night, ...failures] = records;
    assert.deepEqual(
      desk?.obligationIds,
      matchObligations(['security', 'fairness', 'general testing']).sort(),
    );
    assert.deepEqual(
      night?.obligationIds,
      matchObligations(['accuracy', 'general testing']).sort(),
    );
    const metadata = desk?.metadata as unknown as SummaryMetadata;
    assert.deepEqual(metadata.stats, { successes: 1, failures: 4, errors: 1 });
    assert.equal(metadata.passRate, 1 / 6);
    assert.deepEqual(
      failures.map(({ metadata: given, obligationIds }) => [
        (given as unknown as FailureMetadata).findingType,
        obligationIds.length,
      ]),
      [
        ['red_team_failure', matchObligations(['security']).length],
        ['fairness_failure', matchObligations(['fairness']).length],
        ['test_failure', 0],
        ['test_failure', 0],
        ['evaluation_error', 0],
      ],
    );
  });

  test(`importing again creates nothing, in whatever form, and a new run does on ${target.name}`, async (t) => {
    const world = await createWorld(t, { target });
    await importInto(world, file());
    const reversed = flat(someResults().reverse());
    for (const again of [file(), flat(), reversed]) {
      const done = await importInto(world, again);
      assert.deepEqual([done.evidenceCreated, done.evidenceSkipped], [0, 7]);
      assert.deepEqual([done.obligationLinksCreated, done.evidenceIds], [0, []]);
    }
    const timestamp = '2026-10-05T08:15:30.250Z';
    const later = await importInto(world, flat(someResults(), { timestamp }));
    assert.deepEqual([later.evidenceCreated, later.evidenceSkipped], [7, 0]);
    assert.equal((await recordsOf(world)).length, 14);
    assert.equal((await world.services.verify(world.context)).fault, null);
  });

  test(`twenty equal imports at once create one set of records on ${target.name}`, async (t) => {
    const world = await createWorld(t, { target });
    const all = await Promise.all(Array.from({ length: 20 }, () => importInto(world, file())));
    const created = all.map(({ evidenceCreated }) => evidenceCreated);
    assert.equal(created.filter((count) => count === 7).length, 1, String(created));
    assert.equal(created.filter((count) => count === 0).length, 19);
    assert.equal((await recordsOf(world)).length, 7);
    assert.equal((await world.services.verify(world.context)).fault, null);
  });

  test(`imports at once that overlap create each record once on ${target.name}`, async (t) => {
    const world = await createWorld(t, { target });
    const results = Array.from({ length: 6 }, (_, index) =>
      failing('contains', { provider: { id: `p${index}` } }),
    );
    const parts = results.map((_, at) =>
      flat([...results.slice(at), ...results.slice(0, at)].slice(0, 4)),
    );
    const all = await Promise.all(parts.map((part) => importInto(world, part)));
    const created = all.reduce((sum, { evidenceCreated }) => sum + evidenceCreated, 0);
    assert.equal(created, 12);
    assert.equal((await recordsOf(world)).length, 12);
  });

  test(`a failed import leaves nothing on ${target.name}`, async (t) => {
    const world = await createWorld(t, { target });
    const aiSystemId = '0199b6f2-4f8e-7a31-9d53-2c1e5a7b9c00';
    await assert.rejects(importInto(world, file(), { aiSystemId }), { kind: 'not_found' });
    assert.deepEqual(await recordsOf(world), []);
    assert.deepEqual(await world.auditEntries(), []);
  });
}

const memory = targets.find(({ name }) => name === 'memory') as DatabaseTarget;

test('records have the AI system and the labels of their import, which a later one leaves', async (t) => {
  const world = await createWorld(t, { target: memory });
  const { id } = await world.services.aiSystems.create(world.context, { name: 'Desk' });
  const labels = { team: 'library' };
  await importInto(world, file(), { aiSystemId: id, labels });
  const records = await recordsOf(world);
  assert.ok(
    records.every(({ aiSystemId, labels: { team } }) => aiSystemId === id && team === 'library'),
  );
  const { warnings, evidenceCreated } = await importInto(world, file(), {
    labels: { team: 'other' },
  });
  assert.equal(evidenceCreated, 0);
  assert.deepEqual(warnings, [
    'Records of an earlier import keep their AI system; change them one by one.',
    'Records of an earlier import keep their labels; change them one by one.',
  ]);
  const { warnings: none } = await importInto(world, file(), { aiSystemId: id, labels });
  assert.deepEqual(none, []);
});

test('other results of the same run are added, and the summary that stays is named', async (t) => {
  const world = await createWorld(t, { target: memory });
  await importInto(world, flat([result(), failing('contains')]));
  const done = await importInto(world, flat([result(), failing('contains'), failing('is-json')]));
  assert.deepEqual([done.evidenceCreated, done.evidenceSkipped], [1, 2]);
  assert.match(
    done.warnings.join(),
    /This run of local:desk \[desk\] was imported before with other results/,
  );
});

test('an evaluation without a time is identified by its content', async (t) => {
  const world = await createWorld(t, { target: memory });
  const first = await importInto(world, timeless());
  assert.equal(first.evidenceCreated, 7);
  assert.match(first.warnings.join(), /names no time/);
  assert.equal((await importInto(world, timeless())).evidenceCreated, 0);
  const [record] = await recordsOf(world);
  assert.equal(record?.occurredAt, null);
});

test('reasons are redacted, or not stored at all', async (t) => {
  const world = await createWorld(t, { target: memory });
  await importInto(world, flat([failing('contains')]));
  const [, stored] = await recordsOf(world);
  assert.equal(stored?.metadata.gradingReason, 'Expected … and … but it was polite');
  assert.match(String(stored?.metadata.promptLabel), /^prompt-[0-9a-f]{12}$/);
  const other = await createWorld(t, { target: memory });
  await importInto(other, flat([failing('contains')]), { storeGradingReason: false });
  const [, without] = await recordsOf(other);
  assert.equal(without?.metadata.gradingReason, null);
  assert.equal(without?.idempotencyKey.length, 64);
});

test('each import that creates records has one entry in the audit log', async (t) => {
  const world = await createWorld(t, { target: memory });
  await importInto(world, file());
  await importInto(world, file());
  const entries = await world.auditEntries();
  assert.equal(entries.length, 1);
  const [{ action, target, after } = {} as never] = entries;
  assert.equal(action, 'evidence.imported');
  assert.deepEqual(target, { type: 'evaluation', id: '2026-10-04T08:15:30.250Z' });
  assert.deepEqual(after, { aiSystemId: null, evidenceCreated: 7 });
});

test('nothing that is stored or logged has a text of a prompt, output, variable or rubric', async (t) => {
  const world = await createWorld(t, { target: memory });
  await importInto(world, file());
  const stored = JSON.stringify([await recordsOf(world), await world.auditEntries()]);
  assert.match(JSON.stringify(file()), MARKER);
  assert.doesNotMatch(stored + world.lines.join(), MARKER);
});
