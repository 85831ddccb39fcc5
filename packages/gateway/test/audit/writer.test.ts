import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MetricDefinition, MetricLabels } from '@probity/core';
import { silentLogger, silentMetrics } from '@probity/core';
import { createTestClock } from '@probity/test-support';
import type { AuditRow } from '../../src/audit/rows.ts';
import { createAuditWriter } from '../../src/audit/writer.ts';

const rows = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => ({ kind: 'scan', id: `aud_${from + at}` }) as AuditRow);

function createWorld(capacity?: number) {
  const clock = createTestClock();
  const batches: string[][] = [];
  const counts: Record<string, number> = {};
  const messages: string[] = [];
  const state = { isDown: false, onInsert: (): void | Promise<void> => {} };
  const writer = createAuditWriter({
    store: {
      async insert(batch) {
        await state.onInsert();
        if (state.isDown) throw new Error('down');
        batches.push(batch.map(({ id }) => id));
      },
    },
    clock,
    capacity,
    logger: { ...silentLogger, error: (message) => void messages.push(message) },
    metrics: {
      ...silentMetrics,
      count(_: MetricDefinition, { result = '' }: MetricLabels, by = 1) {
        counts[result] = (counts[result] ?? 0) + by;
      },
    },
  });
  return { clock, batches, counts, messages, state, writer };
}

test('rows are written together a moment later, in batches of 500 and in order', async () => {
  const { clock, batches, counts, writer } = createWorld();
  writer.write(rows(700));
  writer.write(rows(1, 700));
  assert.equal(batches.length, 0);
  await clock.advance(200);
  assert.deepEqual(
    batches.map((batch) => [batch.length, batch.at(-1)]),
    [
      [500, 'aud_499'],
      [201, 'aud_700'],
    ],
  );
  assert.deepEqual(counts, { written: 701 });
});

test('rows that are written at once come behind those that wait, and are stored or said to wait', async () => {
  const { batches, state, writer } = createWorld();
  writer.write(rows(1));
  assert.equal(await writer.writeNow(rows(1, 1)), true);
  assert.deepEqual(batches, [['aud_0', 'aud_1']]);
  state.isDown = true;
  assert.equal(await writer.writeNow(rows(1, 2)), false);
  assert.equal(writer.waiting, 1);
  state.isDown = false;
  assert.equal(await writer.writeNow(rows(1, 3)), true);
  assert.deepEqual(batches[1], ['aud_2', 'aud_3']);
});

test('a batch that fails is tried again, later each time, and nothing is lost', async () => {
  const { clock, batches, messages, state, writer } = createWorld();
  state.isDown = true;
  writer.write(rows(2));
  await clock.advance(10_000);
  writer.write(rows(1, 2));
  assert.equal(writer.waiting, 3);
  assert.deepEqual(messages, ['audit rows cannot be written, and wait']);
  state.isDown = false;
  await clock.advance(30_000);
  assert.deepEqual(batches, [['aud_0', 'aud_1', 'aud_2']]);
});

test('rows beyond the capacity are counted and told as lost', async () => {
  const { counts, messages, writer } = createWorld(3);
  writer.write(rows(5));
  assert.equal(writer.waiting, 3);
  assert.deepEqual(counts, { lost: 2 });
  assert.deepEqual(messages, ['audit rows are lost: too many wait']);
});

test('the end writes what waits', async () => {
  const { batches, writer } = createWorld();
  writer.write(rows(3));
  await writer.stop();
  assert.equal(batches[0]?.length, 3);
});

test('what cannot be written at the end is counted and told as lost', async () => {
  const { counts, messages, state, writer } = createWorld();
  state.isDown = true;
  writer.write(rows(3));
  await writer.stop(0);
  assert.deepEqual(counts, { lost: 3 });
  assert.equal(
    messages.at(-1),
    'audit rows are lost: the database did not take them before the end',
  );
});

test('rows of a user that wait are forgotten', async () => {
  const { batches, clock, writer } = createWorld();
  writer.write(rows(3));
  assert.equal(await writer.forget(({ id }) => id === 'aud_1'), 1);
  await clock.advance(200);
  assert.deepEqual(batches, [['aud_0', 'aud_2']]);
});

test('rows that keep coming hold up nobody who waits for theirs, and are written together', async () => {
  const { batches, clock, state, writer } = createWorld();
  let coming = 0;
  state.onInsert = () => {
    if (coming < 1_000) writer.write(rows(1, 100 + coming++));
  };
  writer.write(rows(1));
  assert.equal(await writer.writeNow(rows(1, 1)), true);
  assert.deepEqual(batches, [['aud_0', 'aud_1']]);
  await writer.flush();
  assert.deepEqual(batches[1], ['aud_100']);
  assert.equal(await writer.forget(({ id }) => id === 'aud_101'), 1);
  writer.write(rows(2, 2));
  await clock.advance(200);
  assert.deepEqual(batches[2], ['aud_2', 'aud_3']);
  await writer.stop();
  assert.equal(writer.waiting, 0);
  assert.equal(batches.flat().length, 1_003);
});

test('the end waits neither for a database that hangs nor for rows that keep coming', async () => {
  const hanging = createWorld();
  hanging.state.isDown = true;
  hanging.state.onInsert = () => hanging.clock.advance(30_000);
  hanging.writer.write(rows(1));
  await hanging.writer.stop();
  assert.equal(hanging.clock.monotonicMs(), 30_000);
  assert.deepEqual(hanging.counts, { lost: 1 });
  const { clock, counts, state, writer } = createWorld();
  state.onInsert = async () => {
    await clock.advance(1_000);
    writer.write(rows(1));
  };
  writer.write(rows(1));
  await writer.stop();
  assert.deepEqual(counts, { written: 10, lost: 1 });
});
