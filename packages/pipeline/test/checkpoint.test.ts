import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTurnQueue } from '../src/checkpoint.ts';
import type { Stage } from '../src/index.ts';
import { createPipeline } from '../src/index.ts';

describe('scans that begin in one turn of the event loop', () => {
  it('scans that begin at once share one slice of time, and a scan on its own never waits', async () => {
    const clock = { ms: 0 };
    let waited = 0;
    const stage: Stage = {
      name: 'toxicity_scanner',
      targets: ['response'],
      run() {
        clock.ms += 4;
      },
    };
    const pipeline = createPipeline(
      { stages: [{ name: 'toxicity_scanner' }] },
      {
        stages: { toxicity_scanner: () => stage },
        now: () => clock.ms,
        yieldToLoop: async () => void waited++,
      },
    );
    const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
    await pipeline.preload();
    waited = 0;
    for (let scan = 0; scan < 5; scan++) {
      await nextTurn();
      await pipeline.scan({ response: 'a' });
    }
    assert.equal(waited, 0);
    await nextTurn();
    await Promise.all(Array.from({ length: 10 }, () => pipeline.scan({ response: 'a' })));
    assert.equal(waited, 8);
    await nextTurn();
    for (let scan = 0; scan < 10; scan++) await pipeline.scan({ response: 'a' });
    assert.equal(waited, 16);
  });
});

describe('the queue of scans that wait for their turn', () => {
  it('the turn queue of scans resumes one scan per turn of the event loop, in order of arrival', async () => {
    const takeTurn = createTurnQueue();
    let turn = 0;
    let counting = true;
    const count = () => {
      turn++;
      if (counting) setImmediate(count);
    };
    setImmediate(count);
    const resumed: [scan: number, turn: number][] = [];
    const scans = Array.from({ length: 8 }, async (_, scan) => {
      for (let piece = 0; piece < 3; piece++) {
        await takeTurn();
        resumed.push([scan, turn]);
      }
    });
    await Promise.all(scans);
    counting = false;
    assert.deepEqual(
      resumed.map(([scan]) => scan),
      [0, 1, 2].flatMap(() => [0, 1, 2, 3, 4, 5, 6, 7]),
    );
    assert.equal(new Set(resumed.map(([, at]) => at)).size, resumed.length);
  });
});
