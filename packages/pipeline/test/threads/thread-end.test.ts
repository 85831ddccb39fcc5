import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { linkThread } from '../../src/threads/thread-end.ts';

const MODULE = new URL('../../src/threads/thread-end.js', import.meta.url).href;

/** Starts a thread that says `ready`, and then does what `code` says. */
async function start(code: string, patienceMs?: number) {
  const link = linkThread({ greeting: 'ready' }, patienceMs);
  const script = `import { parentPort, workerData } from 'node:worker_threads';
    import { linkThread, takeSetUp } from '${MODULE}';
    parentPort.on('message', () => {});
    parentPort.postMessage(takeSetUp(workerData).greeting);
    ${code}`;
  const address = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
  const worker = new Worker(address, link.options);
  const end = link.attach(worker);
  const [greeting] = await once(worker, 'message');
  assert.equal(greeting, 'ready');
  return { worker, end };
}

describe('the end of a thread', () => {
  it('the end of a thread comes between two turns of its event loop, after its work', async () => {
    const done = new Int32Array(new SharedArrayBuffer(4));
    const { worker, end } = await start(
      `parentPort.on('message', (done) => {
        Atomics.store(done, 0, 1);
        Atomics.notify(done, 0);
        Atomics.wait(done, 0, 1, 100);
        done[0] = 2;
      });`,
    );
    worker.postMessage(done);
    await Atomics.waitAsync(done, 0, 0).value;
    await Promise.all([end(), end()]);
    assert.equal(done[0], 2);
    await end();
  });

  it('the end of a thread that never gives up its event loop is forced after the time for it', async () => {
    const { worker, end } = await start('for (;;);', 50);
    const exit = once(worker, 'exit');
    await end();
    assert.deepEqual(await exit, [1]);
  });

  it('the end of a thread comes after that of the threads that it has started', async () => {
    const done = new Int32Array(new SharedArrayBuffer(4));
    const inner = `import { workerData } from 'node:worker_threads';
      import { takeSetUp } from '${MODULE}';
      const done = takeSetUp(workerData);
      Atomics.store(done, 0, 1);
      Atomics.notify(done, 0);
      Atomics.wait(done, 0, 1, 100);
      done[0] = 2;`;
    const { worker, end } = await start(
      `import { Worker } from 'node:worker_threads';
      parentPort.once('message', (done) => {
        const link = linkThread(done);
        const inner = 'data:text/javascript,${encodeURIComponent(inner).replaceAll("'", '%27')}';
        link.attach(new Worker(new URL(inner), link.options));
        Atomics.wait(done, 0, 0);
      });`,
    );
    worker.postMessage(done);
    await Atomics.waitAsync(done, 0, 0).value;
    await end();
    assert.equal(done[0], 2);
  });

  it('the end of the last thread takes the listener of the exit of the process away', async () => {
    const before = process.listenerCount('exit');
    const first = await start('');
    const second = await start('');
    assert.equal(process.listenerCount('exit'), before + 1);
    await first.end();
    assert.equal(process.listenerCount('exit'), before + 1);
    await second.end();
    assert.equal(process.listenerCount('exit'), before);
  });
});
