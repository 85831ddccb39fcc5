import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '@probity/test-support';
import type { LifecyclePart } from '../../src/lifecycle/lifecycle.ts';
import { createLifecycle } from '../../src/lifecycle/lifecycle.ts';
import { createLogger, silentLogger } from '../../src/logging/logger.ts';

function partsOf(
  names: readonly string[],
  journal: string[],
  broken: Partial<Record<string, 'start' | 'stop'>> = {},
): LifecyclePart[] {
  return names.map((name) => {
    const act = (what: 'start' | 'stop') => async () => {
      journal.push(`${what} ${name}`);
      if (broken[name] === what) throw new Error(`${name} broke`);
    };
    return { name, start: act('start'), stop: act('stop') };
  });
}

test('lifecycle parts start in order and stop in reverse order', async () => {
  const journal: string[] = [];
  const lifecycle = createLifecycle(partsOf(['a', 'b', 'c'], journal), silentLogger);
  await lifecycle.start();
  await lifecycle.stop();
  assert.deepEqual(journal, ['start a', 'start b', 'start c', 'stop c', 'stop b', 'stop a']);
});

test('a lifecycle part that fails to start stops the earlier parts, and later ones never start', async () => {
  const journal: string[] = [];
  const parts = partsOf(['a', 'b', 'c'], journal, { b: 'start' });
  await assert.rejects(createLifecycle(parts, silentLogger).start(), /b broke/);
  assert.deepEqual(
    journal.filter((entry) => entry.startsWith('start')),
    ['start a', 'start b'],
  );
  assert.equal(journal.at(-1), 'stop a');
});

test('a lifecycle part that fails to stop is logged by name and the others still stop', async () => {
  const journal: string[] = [];
  const lines: string[] = [];
  const logger = createLogger({ write: (line) => lines.push(line) });
  const lifecycle = createLifecycle(partsOf(['a', 'b', 'c'], journal, { b: 'stop' }), logger);
  await lifecycle.start();
  await lifecycle.stop();
  assert.deepEqual(journal.slice(3), ['stop c', 'stop b', 'stop a']);
  assert.equal(JSON.parse(lines.join('')).part, 'b');
});

test('starting and stopping a program twice does each once', async () => {
  const journal: string[] = [];
  const lifecycle = createLifecycle(partsOf(['a'], journal), silentLogger);
  await Promise.all([lifecycle.start(), lifecycle.start()]);
  await Promise.all([lifecycle.stop(), lifecycle.stop()]);
  await lifecycle.stop();
  assert.deepEqual(journal, ['start a', 'stop a']);
});

test('stopping a program during its start waits for it, then stops everything', async () => {
  const journal: string[] = [];
  const lifecycle = createLifecycle(partsOf(['a', 'b'], journal), silentLogger);
  const starting = lifecycle.start();
  await lifecycle.stop();
  await starting;
  assert.deepEqual(journal, ['start a', 'start b', 'stop b', 'stop a']);
});

test('a program that was never started stops without an error', async () => {
  const journal: string[] = [];
  await createLifecycle(partsOf(['a'], journal), silentLogger).stop();
  assert.deepEqual(journal, []);
});

test('await using stops the program at the end of the block', async () => {
  const journal: string[] = [];
  const lifecycle = createLifecycle(partsOf(['a'], journal), silentLogger);
  await lifecycle.start();
  await lifecycle[Symbol.asyncDispose]();
  assert.deepEqual(journal, ['start a', 'stop a']);
});

test('a lifecycle part that never stops is logged after 35 seconds and the others still stop', async () => {
  const journal: string[] = [];
  const lines: string[] = [];
  const logger = createLogger({ write: (line) => lines.push(line) });
  const hanging = {
    name: 'hanging',
    start: async () => {},
    stop: () => new Promise<void>(() => {}),
  };
  const clock = createTestClock();
  const lifecycle = createLifecycle([...partsOf(['a'], journal), hanging], logger, clock);
  await lifecycle.start();
  const stopping = lifecycle.stop();
  await clock.advance(34_999);
  assert.deepEqual(journal, ['start a']);
  await clock.advance(1);
  await stopping;
  assert.deepEqual(journal, ['start a', 'stop a']);
  const { part, error } = JSON.parse(lines.join(''));
  assert.equal(part, 'hanging');
  assert.match(JSON.stringify(error), /did not stop within 35000 ms/);
});
