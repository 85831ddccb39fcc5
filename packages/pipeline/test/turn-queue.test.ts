import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTurnQueue } from '../src/turn-queue.ts';

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
