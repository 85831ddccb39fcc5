import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeyedLimit } from '../src/keyed-limit.ts';

test('a keyed limit runs as much work of a key as it has places, and other keys beside it', async () => {
  const limit = createKeyedLimit(2);
  const started: string[] = [];
  const releases: Array<() => void> = [];
  const work = (name: string) => () => {
    started.push(name);
    return new Promise<string>((resolve) => releases.push(() => resolve(name)));
  };
  const running = ['a1', 'a2', 'a3', 'b1'].map((name) => limit(name.slice(0, 1), work(name)));
  await new Promise(setImmediate);
  assert.deepEqual(started, ['a1', 'a2', 'b1']);
  releases[0]?.();
  await running[0];
  await new Promise(setImmediate);
  assert.deepEqual(started, ['a1', 'a2', 'b1', 'a3']);
  for (const release of releases) release();
  assert.deepEqual(await Promise.all(running), ['a1', 'a2', 'a3', 'b1']);
});

test('a keyed limit goes on after work that fails', async () => {
  const limit = createKeyedLimit(1);
  const failing = limit('a', () => Promise.reject(new Error('no')));
  const next = limit('a', async () => 'done');
  await assert.rejects(failing, /no/);
  assert.equal(await next, 'done');
});
