import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ScanCanceledError } from '../src/errors.ts';
import { createPipeline } from '../src/pipeline.ts';
import type { Stage } from '../src/types.ts';

function createWorld(run: () => Promise<void> | undefined) {
  const world = { listeners: 0 };
  const signal = {
    aborted: false,
    addEventListener: () => void world.listeners++,
    removeEventListener: () => void world.listeners--,
  };
  const stage: Stage = { name: 'toxicity_scanner', targets: ['response'], run };
  const pipeline = createPipeline(
    { stages: [{ name: 'toxicity_scanner' }] },
    { stages: { toxicity_scanner: () => stage } },
  );
  return { world, signal, scan: () => pipeline.scan({ response: 'word' }, { signal }) };
}

test('a scan takes any object with the members of a signal, and listens to it only while a stage waits', async () => {
  const { world, scan } = createWorld(() => {
    assert.equal(world.listeners, 0);
    return undefined;
  });
  await scan();
  assert.equal(world.listeners, 0);
  const waiting = createWorld(async () => {
    await new Promise(setImmediate);
    seen = waiting.world.listeners;
  });
  let seen = 0;
  await waiting.scan();
  assert.equal(seen, 1);
  assert.equal(waiting.world.listeners, 0);
});

test('a scan looks at the signal before each stage and at its end', async () => {
  const { signal, scan } = createWorld(() => {
    signal.aborted = true;
    return undefined;
  });
  await assert.rejects(scan(), ScanCanceledError);
});

for (const signal of [{}, { aborted: false }, 7, { aborted: false, addEventListener() {} }]) {
  test(`${JSON.stringify(signal)} is no signal`, async () => {
    const scan = createPipeline().scan({ response: 'word' }, { signal: signal as never });
    await assert.rejects(scan, /^TypeError: scan: options\.signal must be an AbortSignal/);
  });
}
