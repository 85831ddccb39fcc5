import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertCpuBelow } from '@probity/test-support';
import type { BulkOperation } from '../../src/bulk/plan.ts';
import { createBulkQueue } from '../../src/bulk/queue.ts';

function operation(bulkId: string, references: readonly string[] = []): BulkOperation {
  return { method: 'POST', path: '/Groups', version: null, data: {}, bulkId, references };
}

function takeAll(operations: readonly BulkOperation[]): (string | null)[] {
  const queue = createBulkQueue(operations);
  const taken: (string | null)[] = [];
  for (let next = queue.take(); next !== null; next = queue.take()) {
    assert.equal(queue.has(String(next.bulkId)), false);
    taken.push(next.bulkId);
  }
  return taken;
}

test('operations are taken in their order, each after those that it refers to', () => {
  const operations = [
    operation('a', ['c', 'nothing']),
    operation('b', ['b']),
    operation('c', ['d']),
    operation('d'),
  ];
  assert.deepEqual(takeAll(operations), ['b', 'd', 'c', 'a']);
});

test('of operations that refer to each other the first is taken first', () => {
  const operations = [operation('a', ['b']), operation('b', ['a']), operation('c')];
  assert.deepEqual(takeAll(operations), ['c', 'a', 'b']);
});

test('the time of 1,000 operations grows with the number of their references', async () => {
  const ids = Array.from({ length: 1_000 }, (_, index) => `b${index}`);
  // Each refers to all later ones, the last of them first.
  const operations = ids.map((id, index) => operation(id, ids.slice(index + 1).reverse()));
  await assertCpuBelow(2_000, () => assert.deepEqual(takeAll(operations), [...ids].reverse()));
});
